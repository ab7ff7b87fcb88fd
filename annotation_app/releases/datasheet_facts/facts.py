"""What the computed answers start from, read once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import Any

from django.db import connection

from annotation_app.aggregation.outcomes import project_outcomes
from annotation_app.aggregation.statements import read
from annotation_app.agreement.selectors import Row as AgreementRow
from annotation_app.agreement.selectors import Views, agreement_table
from annotation_app.agreement.span_selectors import SpanTable, span_agreement
from annotation_app.codebook.spans import SpanCategory
from annotation_app.codebook.stages import Codebook
from annotation_app.dashboards.report.artifacts import table_6
from annotation_app.dashboards.report.facts import Facts as ReportFacts
from annotation_app.dashboards.report.facts import facts_of, open_batch_notices
from annotation_app.models import Batch, CodebookVersion, Import, Project, TestSet
from annotation_app.releases.computed.tallies import StageTally, tallies_of
from annotation_app.releases.shape import meta_types

SQL = Path(__file__).parent / "sql"


@dataclass(frozen=True)
class Corpus:
    """All that was imported, in rows; `pool` are the items that may be handed out."""

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
class Given:
    """The items of the rounds, which a release holds. Sizes are characters, None where there is no item.

    `sentences` are items cut out of an utterance; `repeated` have a text that another has too; `dated` documents.
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
class Worked:
    """What one annotator did in batches of one kind; `role` is today's, `days` are of the project's time zone."""

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
    """A finished import, without its file's name: that often names a person. `report`: empty where there is none."""

    format: str
    unit: str
    report: Mapping[str, Any]


@dataclass(frozen=True)
class Version:
    """A published codebook version, and whether a round's batch pins it."""

    version: int
    codebook: Codebook
    compatible: bool | None
    is_used: bool


@dataclass(frozen=True)
class SheetFacts:
    """`answers` are an admin's, by question; `agreement` is over all rounds and all items, by stage.

    `decisions` is {"adjudication", "consensus", "accepted", "edited", "rejected": (items, people who decided)}.
    `columns` came with the texts.
    `artifacts` are the rows of the report's table of them: kind, name, version, sha256, what it was used for.
    """

    project: Project
    answers: Mapping[str, str]
    report: ReportFacts
    tallies: Sequence[StageTally]
    agreement: Mapping[str, AgreementRow]
    spans: SpanTable
    corpus: Corpus
    given: Given
    worked: Sequence[Worked]
    skips: Sequence[tuple[str, int]]
    marked: Mapping[str, tuple[int, int]]
    decisions: Mapping[str, tuple[int, int]]
    imports: Sequence[Imported]
    versions: Sequence[Version]
    test_sets: Sequence[TestSet]
    artifacts: Sequence[Sequence[str]]
    columns: Sequence[str]
    unused_rounds: int

    @property
    def rounds(self) -> list[Batch]:
        return self.report.rounds

    @cached_property
    def first_look(self) -> list[Worked]:
        """Annotators of the rounds, by number."""
        return [each for each in self.worked if each.kind == Batch.Kind.ROUND]

    @cached_property
    def second_look(self) -> list[Worked]:
        return [each for each in self.worked if each.kind == Batch.Kind.SECOND_LOOK]

    @cached_property
    def categories(self) -> list[SpanCategory]:
        """Of the span layer, the newest codebook's first."""
        return self.spans.categories

    @cached_property
    def still_open(self) -> list[str]:
        """A sentence for each open batch of a round."""
        return [words for words in open_batch_notices(self.report) if words.startswith("Round")]

    @property
    def has_stages(self) -> bool:
        return bool(self.report.stages)

    @property
    def has_spans(self) -> bool:
        return bool(self.categories)


def sheet_facts(project: Project, answers: Mapping[str, str]) -> SheetFacts:
    """In a number of queries that does not grow with the data."""
    report = facts_of(project)
    return SheetFacts(
        project=project,
        answers=answers,
        report=report,
        tallies=tallies_of(report.stages, project_outcomes(project=project).outcomes) if report.stages else [],
        agreement=agreement_of(project),
        spans=span_agreement(project=project),
        corpus=Corpus(*rows_of("corpus", project)[0]),
        given=Given(*rows_of("given", project)[0]),
        worked=[Worked(*row) for row in rows_of("people", project)],
        skips=rows_of("skips", project),
        marked={category: (spans, annotations) for category, spans, annotations in rows_of("marked", project)},
        decisions={kind: (items, people) for kind, items, people in rows_of("decisions", project)},
        imports=imports_of(project),
        versions=versions_of(project, report),
        test_sets=list(TestSet.objects.filter(rounds__batch__project=project).distinct().order_by("pk")),
        artifacts=[
            [cell.text if place != 3 else str(cell.value or "") for place, cell in enumerate(row)]
            for row in table_6(project).rows
        ],
        columns=sorted(meta_types(project)),
        unused_rounds=project.rounds.filter(batch__isnull=True).count(),
    )


def rows_of(name: str, project: Project) -> list[tuple[Any, ...]]:
    """All rows of sql/NAME.sql."""
    with connection.cursor() as cursor:
        cursor.execute(read(SQL / f"{name}.sql"), {"project": project.pk, "time_zone": project.time_zone})
        return cursor.fetchall()


def agreement_of(project: Project) -> dict[str, AgreementRow]:
    everyone = Views(of="everyone", round=0)
    return {row.stage: row for row in agreement_table(project=project, scope="all", views=everyone).rows}


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
