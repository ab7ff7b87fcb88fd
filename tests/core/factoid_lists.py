"""Factoid lists for tests, and the command on them."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

from al_worker.core.__main__ import main
from al_worker.factoids.lists import FactoidList
from al_worker.factoids.reading import factoid_list
from annotation_app.demo.paths import FACTOIDS

DEMO_A, DEMO_B, DEMO_RELATIONS = (FACTOIDS / name for name in ("list_a.json", "list_b.json", "relations.json"))


def list_json(texts: Iterable[str], sentences: Mapping[str, Iterable[str]], annotator: str = "A") -> dict[str, Any]:
    """A list in the form of its file, from {factoid: its sentences}."""
    factoids = [{"id": name, "description": "", "sentences": list(own)} for name, own in sentences.items()]
    return {"annotator": annotator, "texts": list(texts), "factoids": factoids}


def list_of(texts: Iterable[str], sentences: Mapping[str, Iterable[str]], annotator: str = "A") -> FactoidList:
    return factoid_list(list_json(texts, sentences, annotator), f"{annotator}.json")


def list_in_texts(texts: Iterable[str], own: Mapping[str, Iterable[str]], annotator: str = "A") -> FactoidList:
    """A list whose texts have one sentence each, from {factoid: its texts}."""
    return list_of(texts, {name: [f"{text}-1" for text in of] for name, of in own.items()}, annotator)


def write(path: Path, value: Any) -> Path:
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def answer(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> Any:
    """Return what `factoids ARGUMENTS` prints."""
    assert main(["factoids", *map(str, arguments)]) == 0
    return json.loads(capsys.readouterr().out)


def refusal(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> str:
    """Return what `factoids ARGUMENTS` refuses with, where that is the only thing it says."""
    assert main(["factoids", *map(str, arguments)]) == 3
    out, err = capsys.readouterr()
    assert out == ""
    name, _, message = err.rstrip("\n").partition(": ")
    assert name == "FactoidsInvalid"
    return message
