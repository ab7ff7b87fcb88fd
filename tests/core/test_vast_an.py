"""The recipe for VAST+AN, on a small copy in VAST's own columns."""

import csv
import json
import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "simulations" / "vast_an.py"
# (comment, label): a is pro on one topic and neutral on another, b con, c to f neutral only.
LINES = [("a", "1"), ("a", "2"), ("b", "0"), ("c", "2"), ("d", "2"), ("d", "2"), ("e", "2"), ("f", "2")]


def build(folder: Path, *more: str) -> subprocess.CompletedProcess[str]:
    with (folder / "vast.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["post", "topic_str", "label"])
        writer.writerows((f"Comment {name},\nin two lines.", "topic", label) for name, label in LINES)
    (folder / "neutral.jsonl").write_text("".join(json.dumps({"text": f"Sentence {i}."}) + "\n" for i in range(30)))
    paths = ["--vast", folder / "vast.csv", "--neutral", folder / "neutral.jsonl", "--out", folder / "out"]
    command = [sys.executable, str(SCRIPT), *map(str, paths), *more]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def rows_of(folder: Path, part: str) -> list[dict]:
    return [json.loads(line) for line in (folder / f"out-{part}.jsonl").read_text().splitlines()]


def test_it_collapses_stances_and_fills_up_with_neutrals(tmp_path: Path) -> None:
    """Two comments of six voice an opinion: at 10 percent 14 sentences are added; 14 of the 20 lines train."""
    assert build(tmp_path, "--share", "0.1").returncode == 0
    train, test = rows_of(tmp_path, "train"), rows_of(tmp_path, "test")
    rows = train + test
    assert {row["text"][8] for row in rows if row["label"] == "1"} == {"a", "b"}
    assert {row["text"][8] for row in rows if row["label"] == "0" and not row["silver"]} == {"c", "d", "e", "f"}
    assert sum(row["silver"] for row in rows) == 14
    assert (len(train), len(test), len({row["id"] for row in rows})) == (14, 6, 20)


def test_it_gives_the_same_files_again(tmp_path: Path) -> None:
    build(tmp_path)
    first = rows_of(tmp_path, "train")
    build(tmp_path)
    assert rows_of(tmp_path, "train") == first
    build(tmp_path, "--seed", "14")
    assert rows_of(tmp_path, "train") != first


def test_it_says_what_is_missing(tmp_path: Path) -> None:
    assert "needs 194 neutral sentences, and there are 30" in build(tmp_path, "--share", "0.01").stderr
    assert "opinion is 2 of 6 comments already" in build(tmp_path, "--share", "0.5").stderr
