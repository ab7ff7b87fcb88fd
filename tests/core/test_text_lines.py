"""`linearize` and `parse` on the command line: a JSON object a line in, one out."""

import json
import subprocess
import sys

import pytest

from tests.shared import shared_file


def run(command: str, text: str, *more: str) -> subprocess.CompletedProcess[bytes]:
    line = [sys.executable, "-m", "al_worker.core", command, *more]
    return subprocess.run(line, input=text.encode("utf-8"), capture_output=True, check=False)


def test_it_goes_to_text_and_back() -> None:
    example = json.loads((shared_file("semi-structured") / "example.json").read_text(encoding="utf-8"))
    linear = run("linearize", json.dumps(example) + "\n")
    assert linear.returncode == 0
    printed = (shared_file("semi-structured") / "example.txt").read_text(encoding="utf-8").rstrip("\n")
    assert json.loads(linear.stdout) == {"id": example["id"], "linear": printed}
    back = json.loads(run("parse", linear.stdout.decode()).stdout)
    assert (back["text"], back["faults"], back["closed_correctly"]) == (example["text"], [], 1.0)
    assert back["spans"] == sorted(example["spans"], key=lambda span: (span["start"], span["end"], span["category"]))


def test_it_takes_style_and_outer_categories() -> None:
    spans = [{"start": 0, "end": 1, "category": each, "comment": None} for each in ("A B", "B")]
    line = json.dumps({"text": "x", "spans": spans})
    done = run("linearize", line, "--style", "angle", "--outer", "B")
    assert json.loads(done.stdout)["linear"] == "<B_START> <A_B_START> x <A_B_END> <B_END>"
    for outer in ((), ("--outer", "B"), ("--outer", "A B")):
        back = json.loads(run("parse", done.stdout.decode(), "--style", "angle", *outer).stdout)
        assert back["spans"] == spans


def test_it_lists_faults_and_goes_on() -> None:
    done = run("parse", '{"linear": "a [ACT END] b"}\n{"linear": ""}\n')
    first, second = map(json.loads, done.stdout.splitlines())
    assert first["faults"] == [{"kind": "unopened", "category": "ACT", "at": 2}]
    assert (first["text"], first["closed_correctly"]) == ("a b", None)
    assert second == {"text": "", "spans": [], "faults": [], "closed_correctly": None}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("nonsense", "line 2: is not JSON"),
        ('{"text": 1}', 'line 2: needs an object with "text", a text'),
        ('{"text": "\\ud800"}', "line 2: is not UTF-8, or holds half of a surrogate pair"),
        ('{"text": "a", "spans": [{"start": 0}]}', "line 2: a span has start, end, category"),
        ('{"text": "a", "spans": [{"start": 0, "end": 2, "category": "X"}]}', "lies outside the text of 1"),
        ('{"text": "ab", "spans": [{"start": 0, "end": 1, "category": "X", "quote": "b"}]}', "is not 'a'"),
    ],
)
def test_it_names_the_line_that_is_wrong(line: str, message: str) -> None:
    done = run("linearize", '{"text": "fine"}\n' + line + "\n")
    assert done.returncode == 3
    assert message in done.stderr.decode()
    assert done.stdout.decode() == '{"linear": "fine"}\n'
