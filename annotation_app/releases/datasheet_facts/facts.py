"""Read the facts that the computed answers of the datasheet start from, once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import Any

from django.db import connection

from annotation_app.aggregation.outcomes import project_outcomes
from annotation_app.agreement.selectors import Row as AgreementRow
from annotation_app.agreement.span_selectors import SpanTable, span_agreement
from annotation_app.codebook.spans import SpanCategory
from annotation_app.codebook.stages import Codebook
from annotation_app.dashboards.report.artifacts import table_6
from annotation_app.dashboards.report.facts import ReportFacts, of_everyone, open_batch_notices, report_facts
from annotation_app.db.statement import statement
from annotation_app.models import Batch, CodebookVersion, Import, Project, TestSet
from annotation_app.releases.datasheet_facts.tallies import StageTally, tallies_of
from annotation_app.releases.shape import meta_types, released_notes

SQL = Path(__file__).parent / "sql"


@dataclass(frozen=True)
class Corpus:
    """Count all imported rows; `pool` counts the items that may be handed out."""

    documents: int
    utterances: int
    items: int
    pool: int
    too_short: int
    too_long: int
    by_admin: int
    sources: int
    speakers: int


@dataclass(frozen=True)
class ReleasedItems:
    """Count the items of the rounds, which a release holds. Sizes are in characters, None where there is no item.

    `sentences` are items cut out of an utterance, `repeated` share their text with another item, and `dated` counts
    documents with a date.
    """

    items: int
    sentences: int
    documents: int
    utterances: int
    speakers: int
    with_speaker: int
    repeated: int
    shortest: int | None
    middle: int | None
    longest: int | None
    with_sources: int
    with_marks: int
    dated: int
    first_day: str | None
    last_day: str | None


@dataclass(frozen=True)
class AnnotatorWork:
    """Count one annotator's work in batches of one kind; `role` is today's, `days` are in the project's time zone."""

    kind: str
    number: int
    role: str
    submitted: int
    skipped: int
    surplus: int
    wall_ms: int
    active_ms: int
    comments: int
    days: Sequence[date]

    @property
    def answers(self) -> int:
        return self.submitted + self.skipped + self.surplus


@dataclass(frozen=True)
class Imported:
    """Describe a finished import, without its file's name, which often names a person. `report` may be empty."""

    format: str
    unit: str
    report: Mapping[str, Any]


@dataclass(frozen=True)
class Version:
    """Describe a published codebook version, and whether a round's batch pins it."""

    version: int
    codebook: Codebook
    compatible: bool | None
    is_used: bool


@dataclass(frozen=True)
class DatasheetFacts:
    """Hold all facts: those of the report, and those that only a datasheet asks for.

    `answers` are an admin's, by question.
    `decisions` is {"adjudication", "consensus", "accepted", "edited", "rejected": (items, people who decided)}.
    `columns` were imported beside the texts. `artifacts` are the rows of the report's table of artifacts: kind, name,
    version, sha256, and what it was used for.
    """

    project: Project
    answers: Mapping[str, str]
    report: ReportFacts
    tallies: Sequence[StageTally]
    spans: SpanTable
    corpus: Corpus
    given: ReleasedItems
    worked: Sequence[AnnotatorWork]
    skips: Sequence[tuple[str, int]]
    marked: Mapping[str, tuple[int, int]]
    decisions: Mapping[str, tuple[int, int]]
    imports: Sequence[Imported]
    versions: Sequence[Version]
    test_sets: Sequence[TestSet]
    artifacts: Sequence[Sequence[str]]
    columns: Sequence[str]
    unused_rounds: int
    # Notes to everybody who labels that hold for released batches; withdrawn ones are left out.
    notes: int

    @property
    def rounds(self) -> list[Batch]:
        return self.report.rounds

    @cached_property
    def agreement(self) -> Mapping[str, AgreementRow]:
        """Return everyone's agreement over all rounds and items, by stage."""
        return of_everyone(self.report.agreement)

    @cached_property
    def first_look(self) -> list[AnnotatorWork]:
        """Return the annotators of the rounds, by number."""
        return [each for each in self.worked if each.kind == Batch.Kind.ROUND]

    @cached_property
    def second_look(self) -> list[AnnotatorWork]:
        return [each for each in self.worked if each.kind == Batch.Kind.SECOND_LOOK]

    @cached_property
    def categories(self) -> list[SpanCategory]:
        """Return the span categories, the newest codebook's first."""
        return self.spans.categories

    @cached_property
    def still_open(self) -> list[str]:
        """Return a sentence for each open batch of a round."""
        return [words for words in open_batch_notices(self.report) if words.startswith("Round")]

    @property
    def has_stages(self) -> bool:
        return bool(self.report.questions)

    @property
    def has_spans(self) -> bool:
        return bool(self.categories)


def datasheet_facts(project: Project, answers: Mapping[str, str]) -> DatasheetFacts:
    """Read the facts, in a number of queries that does not grow with the data."""
    report = report_facts(project)
    return DatasheetFacts(
        project=project,
        answers=answers,
        report=report,
        tallies=tallies_of(report.questions, project_outcomes(project=project).outcomes) if report.questions else [],
        spans=span_agreement(project=project),
        corpus=Corpus(*fetch_rows("corpus", project)[0]),
        given=ReleasedItems(*fetch_rows("given", project)[0]),
        worked=[AnnotatorWork(*row) for row in fetch_rows("people", project)],
        skips=fetch_rows("skips", project),
        marked={category: (spans, annotations) for category, spans, annotations in fetch_rows("marked", project)},
        decisions={kind: (items, people) for kind, items, people in fetch_rows("decisions", project)},
        imports=imports_of(project),
        versions=versions_of(project, report),
        test_sets=list(TestSet.objects.filter(rounds__batch__project=project).distinct().order_by("pk")),
        artifacts=[
            [cell.text if place != 3 else str(cell.value or "") for place, cell in enumerate(row)]
            for row in table_6(project).rows
        ],
        columns=sorted(meta_types(project)),
        unused_rounds=project.rounds.filter(batch__isnull=True).count(),
        notes=released_notes(project).count(),
    )


def fetch_rows(name: str, project: Project) -> list[tuple[Any, ...]]:
    """Return all rows of sql/NAME.sql."""
    with connection.cursor() as cursor:
        cursor.execute(statement([], SQL / f"{name}.sql"), {"project": project.pk, "time_zone": project.time_zone})
        return cursor.fetchall()


def imports_of(project: Project) -> list[Imported]:
    done = project.imports.filter(state=Import.State.DONE).order_by("pk")
    return [Imported(row.format, row.options.get("unit", ""), row.report or {}) for row in done]


def versions_of(project: Project, report: ReportFacts) -> list[Version]:
    used = {batch.codebook_id for batch in report.rounds}
    rows = project.codebooks.filter(state=CodebookVersion.State.PUBLISHED).order_by("version")
    return [
        Version(row.version, report.codebooks[row.pk], row.compatible, row.pk in used)
        for row in rows.only("pk", "version", "compatible")
    ]
