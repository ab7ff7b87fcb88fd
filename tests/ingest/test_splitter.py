"""Sentences with spaCy: exact offsets, whatever the text holds, and pipelines by their installed name."""

import functools
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation_app.ingest.splitter import Splitter, SplitterMissing, splitter_installed

ROOT = Path(__file__).resolve().parents[2]


@functools.cache
def blank() -> Splitter:
    """Made once, and not while tests are collected: spaCy takes seconds to load."""
    return Splitter("blank")


def sentences(text: str, splitter: Splitter | None = None) -> list[str]:
    return [text[start:end] for start, end in (splitter or blank()).bounds([text])[0]]


def test_it_splits_as_the_sentencizer_does() -> None:
    assert sentences("It rose 4 . 6 percent. Did it? Yes!") == ["It rose 4 .", "6 percent.", "Did it?", "Yes!"]


def test_it_gives_code_points() -> None:
    assert blank().bounds(["👩‍🔬 won. Ok."]) == [[(0, 8), (9, 12)]]


def test_it_drops_whitespace_and_keeps_every_word() -> None:
    assert sentences(" \t One. \u00a0\n\n Two. \u2028 ") == ["One.", "Two."]


@settings(max_examples=150)
@given(
    st.text(
        st.one_of(st.sampled_from(" .!?\n\r\tab\u00a0\u2028'’“”()"), st.characters(exclude_categories=["Cs"])),
        max_size=80,
    )
)
def test_it_loses_nothing_but_whitespace(text: str) -> None:
    (bounds,) = blank().bounds([text])
    assert all(text[start:end] == text[start:end].strip() != "" for start, end in bounds)
    assert bounds == sorted(bounds)
    places = {place for start, end in bounds for place in range(start, end)}
    assert all(char.isspace() for place, char in enumerate(text) if place not in places)
    assert sum(end - start for start, end in bounds) == len(places)


def test_it_splits_the_same_after_it_was_made_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("annotation_app.ingest.splitter.RENEW_CHARACTERS", 40)
    splitter = Splitter("blank")
    first = splitter.pipeline
    assert [splitter.bounds(["Growth was subdued. Prices rose."]) for _ in range(3)] == [[[(0, 19), (20, 32)]]] * 3
    assert splitter.pipeline is not first


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder from which pipelines are installed: two distributions with a spaCy pipeline each."""
    monkeypatch.syspath_prepend(str(tmp_path))
    yield tmp_path
    for name in ("tiny_pipeline", "deaf_pipeline"):
        sys.modules.pop(name, None)


def install(folder: Path, name: str, *pipes: str) -> None:
    import spacy

    nlp = spacy.blank("en")
    nlp.meta.update(name=name, version="1.2.3")
    for pipe in pipes:
        nlp.add_pipe(pipe, config={"punct_chars": [";"]} if pipe == "sentencizer" else {})
    package = folder / name
    package.mkdir()
    nlp.to_disk(package / f"en_{name}-1.2.3")
    loader = "from pathlib import Path\nfrom spacy.util import load_model_from_path\n"
    data = f"Path(__file__).parent / 'en_{name}-1.2.3'"
    (package / "__init__.py").write_text(
        f"{loader}def load(**options):\n    return load_model_from_path({data}, **options)\n"
    )
    info = folder / f"{name}-1.2.3.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.2.3\n")
    # As `spacy package` writes it.
    (info / "entry_points.txt").write_text(f"[spacy_models]\n{name} = {name}\n")


def test_it_uses_an_installed_pipeline_and_records_it(installed: Path) -> None:
    install(installed, "tiny_pipeline", "sentencizer")
    assert splitter_installed("tiny_pipeline")
    splitter = Splitter("tiny_pipeline")
    assert sentences("One. Two; three.", splitter) == ["One. Two;", "three."]
    assert splitter.record() == {"name": "tiny_pipeline", "version": "1.2.3", "spacy": blank().version}
    assert splitter.max_length == 1_000_000


def test_it_refuses_a_pipeline_that_finds_no_sentences(installed: Path) -> None:
    install(installed, "deaf_pipeline")
    with pytest.raises(SplitterMissing, match="finds no sentences"):
        Splitter("deaf_pipeline")


def test_it_refuses_a_pipeline_that_is_not_installed() -> None:
    assert not splitter_installed("no_such_pipeline")
    with pytest.raises(SplitterMissing, match="not installed"):
        Splitter("no_such_pipeline")


def test_it_is_loaded_by_the_importer_only() -> None:
    """The web process answers without ever having loaded spaCy."""
    code = (
        "import django; django.setup(); import annotation_app.api.urls, annotation_app.ingest.run, sys;"
        "sys.exit('spacy' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "annotation_app.config.settings"},
        check=False,
    )
    assert done.returncode == 0
