"""Targets as the platform exports them make instances."""

import json
from pathlib import Path

import pytest

from al_worker.equivalence.instances import make_instances
from al_worker.equivalence.parts import Rules
from al_worker.equivalence.targets import read_targets
from annotation_app.export.options import ExportOptions
from tests.conftest import People
from tests.equivalence.worlds import evaluation
from tests.export.layers import at
from tests.export.span_rows import exported, mark, open_articles, span_codebook

pytestmark = pytest.mark.django_db(transaction=True)

TEXT = "Yes. It cut rates. No."


@pytest.mark.parametrize("style", ["spaces", "underscores"])
def test_an_export_of_targets_makes_instances(people: People, tmp_path: Path, style: str) -> None:
    """The only item stands for a source, so its split is test. Its categories have keys, and its markers names."""
    codebook = span_codebook(people.project)
    (article,) = open_articles(people.project, codebook, [TEXT], people.annotators[:1])
    spans = [at(TEXT, "It cut rates.", "std_sentence"), at(TEXT, "cut rates", "act", "Loosened (policy)")]
    mark(article, people.annotators[0], spans)
    (line,) = exported(ExportOptions(people.project, style=style), "targets")
    assert (line["split"], line["spans"][1]["category"]) == ("test", "act")
    path = tmp_path / "targets.jsonl"
    path.write_text(json.dumps(line) + "\n", encoding="utf-8")
    given = [evaluation("act labels", ["Loosened (policy)"], ["Held"])]
    instances, _ = make_instances(given, read_targets(path), Rules())
    assert [(each.target, each.prefix, each.positive, each.negative) for each in instances] == [
        (line["id"], "[STD SENTENCE START] It [ACT START] cut rates", "(Loosened (policy))", "(Held)")
    ]
