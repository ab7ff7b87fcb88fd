"""Determine the keys of a release's records: every record has them all, so that readers may look at a few."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.db import connection
from django.db.models import QuerySet

from annotation_app.annotation.suggestions import has_suggestions
from annotation_app.codebook.definition import codebook_of
from annotation_app.codebook.question_types.stage import ExportedType, Stage
from annotation_app.codebook.stages import Codebook
from annotation_app.db.statement import statement
from annotation_app.models import Batch, CodebookNote, CodebookVersion, Membership, Project

SQL = Path(__file__).parent / "sql"
# By what values a column holds; null is none. Whole numbers of up to 15 digits are integers.
META = {("string",): "string", ("boolean",): "bool", ("integer",): "int64", ("float", "integer"): "float64"} | {
    ("float",): "float64",
    (): "string",
}
JSON_TEXT = "json"
# Prototypes and practice stay out of a release.
RELEASED = (Batch.Kind.ROUND, Batch.Kind.SECOND_LOOK)


@dataclass(frozen=True)
class StageShape:
    """Hold the labels whose votes are counted, and the type of an answer as it is written, of a list that of its parts.

    A stage that offers no labels, such as one for numbers, has none here, and its records no votes. `questions` are the
    versions of the stage.
    """

    labels: tuple[str, ...]
    type: ExportedType
    questions: tuple[Stage, ...]

    @property
    def has_median(self) -> bool:
        return any(each.is_number for each in self.questions)

    def votes_for(self, label: str, given: Mapping[str, int]) -> int:
        """Count the people whose answer is the label, or a set with it. `given` is how many gave each answer."""
        return sum(n for answer, n in given.items() if any(label in each.labels_of(answer) for each in self.questions))


@dataclass(frozen=True)
class Shape:
    """Hold the keys.

    `stages` are the questions and `markers` the text form's names of categories, over all versions. The newest
    version's come first. `annotators` are the pseudonyms of those who annotated. Without any stage, no record has
    labels; `has_spans` tells whether a version has a span layer, `has_suggestions` whether annotators were shown a
    model's. `meta` are the types of the imported columns, by name.
    """

    stages: Mapping[str, StageShape]
    annotators: tuple[str, ...]
    markers: tuple[str, ...]
    has_spans: bool
    has_suggestions: bool = False
    meta: Mapping[str, str] = field(default_factory=dict)


def released_codebooks(project: Project) -> list[CodebookVersion]:
    """Return the versions that the released batches pin, newest first."""
    pinned = Batch.objects.filter(project=project, kind__in=RELEASED).values("codebook_id")
    return list(CodebookVersion.objects.filter(pk__in=pinned).order_by("-version"))


def released_notes(project: Project) -> QuerySet[CodebookNote]:
    """Return the notes to everybody that hold for a released batch, the oldest first, without withdrawn ones."""
    newest = max((version.version for version in released_codebooks(project)), default=0)
    notes = CodebookNote.objects.filter(codebook__project=project, codebook__version__lte=newest, withdrawn_at=None)
    return notes.select_related("codebook").order_by("pk")


def shape_of(project: Project, versions: Iterable[CodebookVersion]) -> Shape:
    codebooks = [codebook_of(version) for version in versions]
    layers = [codebook.span_layer for codebook in codebooks if codebook.span_layer is not None]
    markers = dict.fromkeys(category.marker for layer in layers for category in layer.categories)
    return Shape(
        stages=stages_of(codebooks),
        annotators=annotators_of(project),
        markers=tuple(markers),
        has_spans=bool(layers),
        has_suggestions=has_suggestions(project),
        meta=meta_types(project),
    )


def meta_types(project: Project) -> dict[str, str]:
    """Return the type of each imported column of the items given out.

    A column has a scalar type where all its values have it, else it is JSON text.
    """
    with connection.cursor() as cursor:
        cursor.execute(statement([], SQL / "meta_types.sql"), {"project": project.pk})
        return {key: META.get(tuple(sorted(kinds)), JSON_TEXT) for key, kinds in cursor.fetchall()}


def stages_of(codebooks: Iterable[Codebook]) -> dict[str, StageShape]:
    """Return each stage's labels over all versions. Answers of two types are written as JSON text."""
    found: dict[str, list[Stage]] = {}
    for codebook in codebooks:
        for stage in codebook.stages:
            found.setdefault(stage.key, []).append(stage)
    return {
        key: StageShape(
            labels=tuple(dict.fromkeys(label for stage in stages for label in stage.offered)),
            type=stages[0].exported_type if len({stage.exported_type for stage in stages}) == 1 else JSON_TEXT,
            questions=tuple(stages),
        )
        for key, stages in found.items()
    }


def annotators_of(project: Project) -> tuple[str, ...]:
    annotated: dict[str, Any] = {
        "assignments__current__isnull": False,
        "assignments__batch_item__batch__kind__in": RELEASED,
        "assignments__batch_item__is_check": False,
    }
    numbers = Membership.objects.filter(project=project, **annotated).values_list("number", flat=True)
    return tuple(f"annotator {number}" for number in numbers.distinct().order_by("number"))
