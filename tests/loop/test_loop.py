"""The main job end to end: real servers, real worker, real press conferences where they lie; a smaller `make loop`."""

import json
from pathlib import Path

import pytest

from annotation_app.demo.paths import CORPUS
from tests.loop.run import loop_run
from tests.shared import shared_found
from tests.stack import running_stack

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
def test_it_closes_the_loop(prepared: Path, tmp_path: Path) -> None:
    shared = shared_found("fomc-pressconf")
    corpus = cut(shared, tmp_path) if shared else CORPUS
    said: list[str] = []
    with running_stack(prepared) as stack:
        report = loop_run(stack, corpus, query_size=SIZE, say=said.append)
    assert report.imported["documents"] == len(json.loads((corpus / "conversations.json").read_text(encoding="utf-8")))
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
