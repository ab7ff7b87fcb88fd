"""Make VAST+AN from your own copy of VAST and your own sentences (paper 4.4): the data of Figures 2 and 5a to d.

    python simulations/vast_an.py --vast vast_train.csv vast_dev.csv vast_test.csv \\
        --neutral sentences.jsonl --out data/vast-an-25

VAST (Allaway and McKeown 2020) has one line for each comment and topic, with `post` and `label` (0 con, 1 pro,
2 neutral). A comment with any pro or con label becomes "1" (opinion), one with only neutral labels "0". Sentences of
`--neutral` are added as "0" until opinion makes up `--share`. They are JSONL, {"text"} a line; the paper took random
ones from New York Times articles. All are split 70 to 30, label by label. The output is OUT-train.jsonl and
OUT-test.jsonl for `simulate`; the same input and seed give the same files. The paper's own files have 7,459 and 3,185
lines at 25 percent.
"""

import argparse
import csv
import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

CON, PRO, NEUTRAL = "0", "1", "2"
TRAIN_SHARE = 0.7


class RecipeError(ValueError):
    """Signal unsuitable input. The message names the place and the remedy."""


@dataclass(frozen=True)
class Row:
    """Hold a line of the output. `silver` marks an added neutral sentence, whose label nobody has checked."""

    id: str
    text: str
    label: str
    silver: bool


def main() -> None:
    arguments = _arguments()
    csv.field_size_limit(sys.maxsize)
    try:
        comments = comments_of(arguments.vast)
        rows = comments + added_neutrals(comments, read_sentences(arguments.neutral), arguments.share, arguments.seed)
    except RecipeError as error:
        raise SystemExit(str(error)) from error
    for name, part in zip(("train", "test"), split(rows, arguments.seed), strict=True):
        path = arguments.out.with_name(f"{arguments.out.name}-{name}.jsonl")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(json.dumps(vars(row), ensure_ascii=False) + "\n" for row in part), encoding="utf-8")
        opinions = sum(row.label == "1" for row in part)
        print(f"{path}: {len(part)} lines, {opinions} opinion, {sum(row.silver for row in part)} added neutrals")


def comments_of(paths: Sequence[Path]) -> list[Row]:
    """Read the comments of VAST, and return one row for each distinct comment, in order of first appearance.

    Raises RecipeError for a record without `post`, or with another `label` than 0, 1 or 2.
    """
    labels: dict[str, set[str]] = {}
    for path in paths:
        with path.open(encoding="utf-8", newline="") as file:
            for number, line in enumerate(csv.DictReader(file), start=2):
                if line.get("post") is None or line.get("label") not in (CON, PRO, NEUTRAL):
                    raise RecipeError(f"{path}, record {number}: needs columns post and label (0, 1 or 2)")
                labels.setdefault(line["post"].strip(), set()).add(line["label"])
    return [
        Row(f"vast-{_digest(text)[:16]}", text, "0" if found == {NEUTRAL} else "1", False)
        for text, found in labels.items()
        if text
    ]


def read_sentences(path: Path) -> list[str]:
    """Return the distinct texts of a JSONL file. Raises RecipeError for a line that is not an object with "text"."""
    texts: dict[str, None] = {}
    with path.open(encoding="utf-8") as file:
        for number, line in enumerate(file, start=1):
            try:
                texts[str(json.loads(line)["text"]).strip()] = None
            except (ValueError, KeyError, TypeError) as error:
                raise RecipeError(f'{path}, line {number}: needs an object with "text"') from error
    return [text for text in texts if text]


def added_neutrals(comments: Sequence[Row], sentences: Iterable[str], share: float, seed: int) -> list[Row]:
    """Draw sentences by hash, as many as bring the share of opinion down to `share` (0 to 1).

    Raises RecipeError where the share is lower already, or where there are too few sentences.
    """
    opinions = sum(row.label == "1" for row in comments)
    needed = round(opinions / share) - len(comments)
    if needed < 0:
        raise RecipeError(f"opinion is {opinions} of {len(comments)} comments already: a share of {share} needs fewer")
    known = {row.text for row in comments}
    free = sorted((text for text in sentences if text not in known), key=lambda text: _digest(f"{seed}:draw:{text}"))
    if len(free) < needed:
        raise RecipeError(f"a share of {share} needs {needed} neutral sentences, and there are {len(free)}")
    return [Row(f"neutral-{_digest(text)[:16]}", text, "0", True) for text in free[:needed]]


def split(rows: Sequence[Row], seed: int) -> tuple[list[Row], list[Row]]:
    """Split rows into train and test, 70 to 30 within each label. Both are returned in an order by hash."""
    train: list[Row] = []
    test: list[Row] = []
    for label in ("0", "1"):
        ordered = in_hash_order([row for row in rows if row.label == label], f"{seed}:split")
        cut = round(TRAIN_SHARE * len(ordered))
        train += ordered[:cut]
        test += ordered[cut:]
    return in_hash_order(train, f"{seed}:order"), in_hash_order(test, f"{seed}:order")


def in_hash_order(rows: Sequence[Row], salt: str) -> list[Row]:
    return sorted(rows, key=lambda row: _digest(f"{salt}:{row.id}"))


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--vast", type=Path, nargs="+", required=True)
    parser.add_argument("--neutral", type=Path, required=True)
    parser.add_argument("--share", type=float, default=0.25)
    parser.add_argument("--seed", type=int, default=13)
    parser.add_argument("--out", type=Path, required=True)
    return parser.parse_args()


if __name__ == "__main__":
    main()
