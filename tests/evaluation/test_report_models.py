"""The report's section on models, from the files of an evaluation that the core made."""

import json
from pathlib import Path

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from al_worker.core.evaluation.run import evaluate
from annotation_app.dashboards.report.report import project_report
from annotation_app.models import Evaluation, EvaluationFile, Project
from tests.conftest import People

CONFIG = """
[data]
gold = "gold.jsonl"
[run]
systems = ["majority"]
[titles]
opinion = "Opinion"
majority = "Majority class"
[stages.opinion]
labels = ["yes", "no"]
"""
QUESTIONS = {"opinion": {"title": "Opinion"}}


@pytest.fixture
def figures(tmp_path: Path) -> bytes:
    """Three of four items are "no", which the majority class therefore says of all."""
    lines = [
        {"id": str(n), "stage": "opinion", "label": "yes" if n == 0 else "no", "text": f"Text {n}."} for n in range(4)
    ]
    (tmp_path / "gold.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    (tmp_path / "evaluation.toml").write_text(CONFIG)
    return evaluate(tmp_path / "evaluation.toml", tmp_path / "cache", "json").read_bytes()


def done(project: Project, figures: bytes, number: int, limit: int | None = None) -> Evaluation:
    row = Evaluation.objects.create(
        project=project,
        number=number,
        name=f"Evaluation {number}",
        state="done",
        codebook=project.codebooks.get(),
        spec={"questions": QUESTIONS, "limit": limit},
        created_by=project.created_by,
    )
    path = default_storage.save(f"evaluations/{row.uuid}/1/figures.json", ContentFile(figures))
    EvaluationFile.objects.create(evaluation=row, name="figures.json", path=path, sha256="", size=len(figures))
    return row


def models_section(project: Project) -> list[tuple[str, list[str], list[str]]]:
    """The tables' keys, and the first row and the first note of each."""
    sections = [each for each in project_report(project=project).sections if each.key == "models"]
    return [
        (table.key, [cell.text for cell in table.rows[0]], list(table.notes)[:1])
        for section in sections
        for table in section.tables
    ]


def test_a_project_without_an_evaluation_has_no_such_section(people: People) -> None:
    assert models_section(people.project) == []


def test_it_has_the_tables_of_the_newest_one_that_is_done(people: People, figures: bytes) -> None:
    done(people.project, figures, 1)
    done(people.project, figures, 2)
    # A dry run says nothing of the model.
    done(people.project, figures, 3, limit=5)
    (key, row, notes), *others = models_section(people.project)
    assert (key, row) == ("evaluation_accuracy", ["Majority class", "0.75"])
    assert notes == ["From evaluation 2, “Evaluation 2”."]
    assert [key for key, *_ in others] == ["evaluation_f1", "evaluation_weighted_f1"]
