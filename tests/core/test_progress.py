"""Progress that nobody reads any more stops nothing."""

import os

from al_worker.core.run.progress import Progress


def test_a_reader_that_has_ended_does_not_end_the_step() -> None:
    reader, writer = os.pipe()
    with os.fdopen(writer, "w") as stream:
        progress = Progress("small", "json", stream)
        progress.report(1.0, "1 of 3 answers")
        os.close(reader)
        progress.report(1.0, "2 of 3 answers")
        progress.report(1.0, "3 of 3 answers")
