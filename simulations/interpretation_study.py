"""Make sources and targets for `interpret` from press conferences and minutes of the same meetings, with silver spans.

    python simulations/interpretation_study.py --conferences fomc-pressconf --pool fomc-pool/pool.jsonl.gz \\
        --out ../var/interpretation

A source is an answer of the chair. A target is a sentence of the minutes of the same meeting, which a rule marks:
nobody has annotated or checked it. Each sentence goes to the answer that is most like it by TF-IDF. The last meetings
are the test, and those before them the validation. The output is sources.jsonl, targets.jsonl and evaluations.json,
always the same for the same input. The rules below are the recipe; no result has been written down with it yet.
"""

import argparse
import gzip
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from sklearn.feature_extraction.text import TfidfVectorizer

# Answers and sentences outside these numbers of words are left out.
ANSWER_WORDS, SENTENCE_WORDS = (60, 400), (8, 45)
SHARES = {"test": 0.15, "valid": 0.1}
DIRECTIONS = {
    "Up": "rose|had risen|increased|had increased|picked up|had picked up|moved up|had moved up|strengthened",
    "Down": "fell|had fallen|declined|had declined|decreased|had decreased|moved down|weakened|slowed|had slowed",
    "Unchanged": "was unchanged|were unchanged|remained low|remained elevated|remained stable|were little changed"
    "|was little changed|remained strong|remained subdued",
}
SCOPES = {
    "near": "in coming months|over coming months|in the near term|in coming quarters|at this meeting",
    "year": "this year|next year|later this year|in the second half of the year|over the past year",
    "long": "over time|over the medium term|over the longer run|in the longer run|over the next few years",
}
ACTORS = {
    "participants": "participants|some participants|many participants|most participants|several participants",
    "members": "members|most members|all members|a few members|several members",
    "staff": "the staff",
}
ACTOR = re.compile(rf"^({'|'.join(each for group in ACTORS.values() for each in group.split('|'))})\b", re.IGNORECASE)
DIRECTION, SCOPE = (
    re.compile(
        rf"\b({'|'.join(sorted((each for group in groups.values() for each in group.split('|')), key=len)[::-1])})\b"
    )
    for groups in (DIRECTIONS, SCOPES)
)


def main() -> None:
    arguments = _arguments()
    meetings = dict(_answers(arguments.conferences))
    sentences = dict(_sentences(arguments.pool, set(meetings)))
    days = sorted(sentences)
    n_test, n_valid = (round(len(days) * share) for share in SHARES.values())
    splits = ["train"] * (len(days) - n_test - n_valid) + ["valid"] * n_valid + ["test"] * n_test
    sources, targets = [], []
    for day, split in zip(days, splits, strict=True):
        own = list(_targets(day, split, meetings[day], sentences[day]))
        used = {each["sources"][0] for each in own}
        sources += [each for each in meetings[day] if each["id"] in used]
        targets += own
    arguments.out.mkdir(parents=True, exist_ok=True)
    for name, rows in (("sources", sources), ("targets", targets)):
        lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        (arguments.out / f"{name}.jsonl").write_text(lines, encoding="utf-8")
    (arguments.out / "evaluations.json").write_text(json.dumps(list(_evaluations()), indent=2) + "\n")
    counts = {split: sum(each["split"] == split for each in targets) for split in ("train", "valid", "test")}
    print(f"{len(days)} meetings, {len(sources)} sources, targets: {counts}")


def silver_spans(text: str) -> list[dict[str, Any]]:
    """Return the spans that the rule marks: the sentence, who speaks, the first direction, and the first time."""
    found = [_span(0, len(text), "STD SENTENCE", None)]
    if actor := ACTOR.search(text):
        found.append(_span(*actor.span(), "ACTOR", None))
    if direction := DIRECTION.search(text):
        comment = next(name for name, group in DIRECTIONS.items() if direction[0] in group.split("|"))
        found.append(_span(*direction.span(), "DIRECTION", comment))
    if scope := SCOPE.search(text):
        found.append(_span(*scope.span(), "SCOPE", None))
    return found


def _span(start: int, end: int, category: str, comment: str | None) -> dict[str, Any]:
    return {"start": start, "end": end, "category": category, "comment": comment}


def _answers(folder: Path) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Yield each meeting's day, and the chair's turns of a useful length as sources."""
    speakers = json.loads((folder / "speakers.json").read_text(encoding="utf-8"))
    found: dict[str, list[dict[str, Any]]] = {}
    for line in (folder / "utterances.jsonl").read_text(encoding="utf-8").split("\n"):
        if not line:
            continue
        turn = json.loads(line)
        is_chair = speakers[turn["speaker"]]["meta"].get("chair")
        if is_chair and ANSWER_WORDS[0] <= len(turn["text"].split()) <= ANSWER_WORDS[1]:
            parts = [part for part in re.split(r"(?<=[.?!])\s+", turn["text"]) if part.strip()]
            day = turn["conversation_id"]
            found.setdefault(day, []).append({"id": turn["id"], "title": f"Answer {turn['id']}", "sentences": parts})
    yield from found.items()


def _sentences(pool: Path, days: set[str]) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Yield each meeting's day, and the useful sentences of its minutes."""
    found: dict[str, list[tuple[str, str]]] = {}
    with gzip.open(pool, "rt", encoding="utf-8") as file:
        for line in file:
            row = json.loads(line)
            day = row["document_id"].removeprefix("minutes-")
            text = " ".join(row["text"].split())
            fits = SENTENCE_WORDS[0] <= len(text.split()) <= SENTENCE_WORDS[1]
            if row["document_id"] == f"minutes-{day}" and day in days and fits and _is_useful(text):
                found.setdefault(day, []).append((row["id"], text))
    yield from found.items()


def _is_useful(text: str) -> bool:
    """Return whether a sentence has a direction, or who speaks and a time."""
    return DIRECTION.search(text) is not None or len(silver_spans(text)) > 2


def _targets(
    day: str, split: str, answers: Sequence[Mapping[str, Any]], sentences: Sequence[tuple[str, str]]
) -> Iterator[dict[str, Any]]:
    """Yield the sentences of a meeting, each with the answer that is most like it."""
    texts = [" ".join(each["sentences"]) for each in answers]
    vectors = TfidfVectorizer(stop_words="english", sublinear_tf=True).fit([*texts, *(text for _, text in sentences)])
    likeness = vectors.transform([text for _, text in sentences]) @ vectors.transform(texts).T
    nearest = likeness.toarray().argmax(axis=1)
    for (name, text), at in zip(sentences, nearest, strict=True):
        yield {"id": name, "sources": [answers[at]["id"]], "split": split, "text": text, "spans": silver_spans(text)}


def _evaluations() -> Iterator[dict[str, Any]]:
    for category, groups in (("direction", DIRECTIONS), ("scope", SCOPES), ("actor", ACTORS)):
        classes = [group.split("|") for group in groups.values()]
        if category == "actor":
            classes = [[each[:1].upper() + each[1:] for each in members] for members in classes]
        yield {"annotation": category, "evaluation": category, "equivalence_classes": classes}
    labels = [[name] for name in DIRECTIONS]
    yield {"annotation": "direction", "evaluation": "direction label", "equivalence_classes": labels}


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--conferences", type=Path, required=True, help="the folder of the ConvoKit corpus")
    parser.add_argument("--pool", type=Path, required=True, help="the sentences of the minutes, gzipped JSONL")
    parser.add_argument("--out", type=Path, required=True)
    return parser.parse_args()


if __name__ == "__main__":
    main()
