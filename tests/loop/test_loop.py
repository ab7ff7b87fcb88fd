"""The main job end to end: real servers, real worker, real press conferences; a smaller `make loop`."""

import json
import os
from pathlib import Path

import pytest

from tests.loop.run import loop_run
from tests.stack import ROOT, running_stack

PRESSCONF = ROOT.parent / "shared" / "data" / "fomc-pressconf"
CONFERENCES = 5
SIZE = 12


def cut(corpus: Path, folder: Path) -> Path:
    """The first conferences of the corpus, as a ConvoKit folder: scoring all of it would take minutes."""
    conversations = json.loads((corpus / "conversations.json").read_text(encoding="utf-8"))
    kept = dict(list(conversations.items())[:CONFERENCES])
    (folder / "conversations.json").write_text(json.dumps(kept))
    (folder / "speakers.json").write_bytes((corpus / "speakers.json").read_bytes())
    lines = (corpus / "utterances.jsonl").read_text(encoding="utf-8").split("\n")
    mine = [line for line in lines if line and json.loads(line)["conversation_id"] in kept]
    (folder / "utterances.jsonl").write_text("".join(f"{line}\n" for line in mine), encoding="utf-8")
    return folder


@pytest.mark.loop
@pytest.mark.timeout(1200)
def test_it_closes_the_loop_on_press_conferences(tmp_path: Path) -> None:
    if not PRESSCONF.is_dir():
        assert not os.environ.get("CI"), f"{PRESSCONF} is missing"
        pytest.skip("the shared corpus is not here")
    said: list[str] = []
    with running_stack() as stack:
        report = loop_run(stack, cut(PRESSCONF, tmp_path), query_size=SIZE, say=said.append)
    assert report.imported["documents"] == CONFERENCES
    assert [row["strategy_used"] for row in report.rounds] == ["random", "entropy", "cal"]
    assert [row["n_training"] > 0 for row in report.rounds] == [False, True, True]
    assert [set(row["timings"]) for row in report.rounds[1:]] == [{"encode", "train", "score", "select"}] * 2
    aggregated = [json.loads(line) for line in report.exported["aggregated"]]
    assert len(aggregated) == len({line["id"] for line in aggregated}) == SIZE * 3
    assert len(report.exported["annotations"]) == SIZE * 3 * 3
    rows = {(row["stage"], row["round"]): row for row in report.agreement if row["pair"] is None}
    overall = rows["opinion", None]
    assert overall["n_items"] == SIZE * 3
    assert 0 < overall["alpha_nominal"] < 1
