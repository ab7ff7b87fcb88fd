"""The main job end to end: real servers, real worker, the shared corpus; a smaller `make loop`."""

import json
import os

import pytest

from tests.loop.run import loop_run
from tests.stack import ROOT, running_stack

pytestmark = pytest.mark.loop
PRESSCONF = ROOT.parent / "shared" / "data" / "fomc-pressconf"


def test_it_closes_the_loop_on_press_conferences() -> None:
    if not PRESSCONF.is_dir():
        assert not os.environ.get("CI"), f"{PRESSCONF} is missing"
        pytest.skip("the shared corpus is not here")
    said: list[str] = []
    with running_stack() as stack:
        report = loop_run(stack, PRESSCONF, query_size=12, strategies=("random", "entropy", "cal"), say=said.append)
    assert (report.imported["documents"], report.imported["utterances"]) == (58, 3152)
    assert [row["strategy_used"] for row in report.rounds] == ["random", "entropy", "cal"]
    assert [row["n_training"] > 0 for row in report.rounds] == [False, True, True]
    aggregated = [json.loads(line) for line in report.exported["aggregated"]]
    assert len(aggregated) == len({line["id"] for line in aggregated}) == 36
    assert len(report.exported["annotations"]) == 36 * 3
    overall = next(
        row for row in report.agreement if (row["stage"], row["round"], row["pair"]) == ("opinion", None, None)
    )
    assert overall["n_items"] == 36
    assert 0 < overall["alpha_nominal"] < 1
