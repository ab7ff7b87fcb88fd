"""Test what every filter of sources must do. A new one is covered by being registered."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from al_worker.core.filter_command import NAMES
from al_worker.core.interpretation.filters.base import Source
from al_worker.core.interpretation.filters.registry import FILTERS
from al_worker.formats.interpretation import FILTERS as DECLARED
from tests.core.commands import Done, ran

every_filter = pytest.mark.parametrize("name", list(FILTERS))
# One that needs a trained model takes it as an option of the command; its own tests run that.
every_plain_filter = pytest.mark.parametrize("name", [name for name, each in FILTERS.items() if not each.needs_scores])
TEXT = st.lists(st.sampled_from(["rates", "rose", "fell", "the", "Fed"]), min_size=1, max_size=8).map(" ".join)


@st.composite
def sources(draw: st.DrawFn) -> Source:
    sentences = draw(st.lists(TEXT, min_size=1, max_size=8))
    lengths = draw(st.lists(st.integers(2, 30), min_size=len(sentences), max_size=len(sentences)))
    scores = draw(st.lists(st.sampled_from([-1.5, 0.0, 2.0]), min_size=len(sentences), max_size=len(sentences)))
    targets = draw(st.lists(TEXT, min_size=1, max_size=3))
    return Source(tuple(sentences), tuple(lengths), tuple(targets), tuple(scores))


@every_filter
@given(source=sources(), budget=st.integers(1, 100))
def test_it_keeps_sentences_in_order_and_within_the_budget(name: str, source: Source, budget: int) -> None:
    kept = FILTERS[name].keep(source, budget)
    assert kept == sorted(set(kept))
    assert all(0 <= number < len(source.sentences) for number in kept)
    # One sentence alone may be too long: a source is never left without any for that.
    assert len(kept) <= 1 or sum(source.lengths[number] for number in kept) <= budget
    assert FILTERS[name].keep(source, budget) == kept


@every_filter
def test_it_looks_at_targets_only_if_it_says_so(name: str) -> None:
    sentences, lengths = ("x y", "rates rose", "the Fed fell"), (3, 3, 3)
    found = {tuple(FILTERS[name].keep(Source(sentences, lengths, (each,), (0.0, 2.0, 1.0)), 4)) for each in sentences}
    assert (len(found) > 1) == FILTERS[name].needs_targets


@every_filter
def test_it_looks_at_scores_only_if_it_says_so(name: str) -> None:
    sentences, lengths = ("x y", "rates rose", "the Fed fell"), (3, 3, 3)
    scores = ((2.0, 1.0, 0.0), (0.0, 1.0, 2.0))
    found = {tuple(FILTERS[name].keep(Source(sentences, lengths, ("rates rose",), each), 4)) for each in scores}
    assert (len(found) > 1) == FILTERS[name].needs_scores


@every_filter
def test_the_web_side_declares_it_alike(name: str) -> None:
    assert DECLARED[name].needs_targets == FILTERS[name].needs_targets
    assert list(DECLARED) == list(FILTERS)


def test_the_command_offers_what_is_registered() -> None:
    assert tuple(FILTERS) == NAMES


def run(capsys: pytest.CaptureFixture[str], name: str, path: Path, **row: Any) -> Done:
    path.write_text(json.dumps({"id": "a", **row}) + "\n")
    return ran(capsys, "filter", name, path, "--tokenizer", "all-MiniLM-L6-v2")


@every_plain_filter
def test_it_prints_the_numbers_that_it_keeps(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The first sentence has 8 tokens, two of them special ones, the second 9 and the last 702."""
    sentences = ["The Fed met on Tuesday.", "It decided to cut rates today.", "rates " * 700]
    target = "The board [ACT START] decided to cut rates (Cut rates) [ACT END] today."
    done = run(capsys, name, tmp_path / "sources.jsonl", sentences=sentences, targets=[target])
    selected = {"id": "a", "kept": [1], "tokens": 9}
    both = {"id": "a", "kept": [0, 1], "tokens": 17}
    assert json.loads(done.stdout) == (selected if name == "oracle-selection" else both)
    done = run(capsys, name, tmp_path / "sources.jsonl", sentences=sentences[2:], targets=["rates rates"])
    assert json.loads(done.stdout) == {"id": "a", "kept": [0], "tokens": 702}
    assert done.stderr == "sources.jsonl line 1: source 'a': the one sentence kept has 702 tokens, more than 512\n"


@every_plain_filter
def test_it_refuses_a_source_without_what_it_needs(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    done = run(capsys, name, tmp_path / "sources.jsonl", targets=["x"])
    assert done.returncode == 3
    assert 'sources.jsonl line 1: "sentences" is missing' in done.stderr
    done = run(capsys, name, tmp_path / "sources.jsonl", sentences=["x y"])
    assert ('"targets" is missing or empty' in done.stderr) == FILTERS[name].needs_targets
