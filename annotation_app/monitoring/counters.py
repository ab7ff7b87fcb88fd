"""Count requests and stored answers for Prometheus. docs/operate/monitoring.md says what each figure means."""

import os

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

from annotation_app.monitoring.processes import FOLDER

COUNTED = CollectorRegistry()

REQUESTS = Counter("quorum_http_requests", "Answered requests.", ["method", "route", "status"], registry=COUNTED)
SECONDS = Histogram(
    "quorum_http_request_seconds",
    "Seconds until the answer begins.",
    ["method", "route"],
    registry=COUNTED,
    buckets=(0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0),
)
STORED = Counter("quorum_annotations_stored", "Revisions of answers that were stored.", registry=COUNTED)
REPLAYED = Counter(
    "quorum_annotations_replayed",
    "Submits that came again and were stored already: the answer to the first was lost.",
    registry=COUNTED,
)


def counted_text() -> bytes:
    """Return what all processes of this web server have counted, in the text format of Prometheus."""
    if FOLDER not in os.environ:
        return generate_latest(COUNTED)
    together = CollectorRegistry()
    MultiProcessCollector(together)
    return generate_latest(together)
