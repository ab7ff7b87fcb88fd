"""Make a small labelled set from the demo's meetings: `python -m simulations.vellmark`.

The sentences are the demo's own text. A rule labels them: "1" where a sentence has one of the words by which the
demo's coders recognise monetary policy (`annotation_app/demo/coders.py`), else "0". So the set shows how a simulation
runs, and says nothing about people or models. The last meeting is the test set. The output is data/vellmark-train.jsonl
and data/vellmark-test.jsonl beside this file, which are always the same.
"""

import json
from pathlib import Path
from typing import Any

from annotation_app.demo.coders import POLICY, has
from annotation_app.demo.paths import CORPUS
from annotation_app.ingest.splitter import Splitter

DATA = Path(__file__).parent / "data"


def main() -> None:
    turns = [json.loads(line) for line in (CORPUS / "utterances.jsonl").read_text(encoding="utf-8").splitlines()]
    last = max(turn["conversation_id"] for turn in turns)
    bounds = Splitter("blank").bounds([turn["text"] for turn in turns])
    parts: dict[str, list[str]] = {"train": [], "test": []}
    for turn, sentences in zip(turns, bounds, strict=True):
        part = "test" if turn["conversation_id"] == last else "train"
        parts[part] += [row(turn, number, *where) for number, where in enumerate(sentences, start=1)]
    for part, lines in parts.items():
        (DATA / f"vellmark-{part}.jsonl").write_text("".join(lines), encoding="utf-8")


def row(turn: dict[str, Any], number: int, start: int, end: int) -> str:
    text = turn["text"][start:end]
    label = "1" if has(POLICY, text) else "0"
    return json.dumps({"id": f"{turn['id']}_{number}", "text": text, "label": label}, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    main()
