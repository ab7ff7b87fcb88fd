"""Make Table 8: minutes by annotator and batch, and seconds an item."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass

from al_worker.formats.paper_tables import Cell, Column, Table, nothing, words
from al_worker.formats.plurals import several
from annotation_app.annotation.submission import DAY_MS
from annotation_app.dashboards.report.facts import NO_ROUNDS, ReportFacts, batch_words
from annotation_app.dashboards.report.statements import rows_of
from annotation_app.models import Project

ABOUT = (
    "Minutes that each annotator spent on a batch: wall time from opening an item to its answer, revisions included. "
    "Beside it active time, with idle and hidden-tab time taken out."
)
NO_ANSWERS = "Nothing has been answered yet: time is counted with the answers."


@dataclass(frozen=True)
class Spent:
    """Hold milliseconds, assignments answered or skipped, revisions with a capped time, and assignments skipped."""

    wall: int = 0
    active: int = 0
    done: int = 0
    cut: int = 0
    skipped: int = 0

    def __add__(self, other: "Spent") -> "Spent":
        return Spent(*(mine + its for mine, its in zip(astuple(self), astuple(other), strict=True)))


# By (batch id, annotator).
Times = Mapping[tuple[int, int], Spent]


def table_8(facts: ReportFacts) -> Table:
    """Make the table with wall minutes, as OP-FED Table 8 prints them, and never active time instead."""
    times = times_of(facts.project) if facts.rounds else {}
    people = sorted({number for _, number in times})
    missing = "" if times else NO_ANSWERS if facts.rounds else NO_ROUNDS
    return Table(
        key="table_8",
        title="Time to annotate, in minutes",
        source="Table 8",
        about=ABOUT,
        columns=(Column("batch", "Batch"), *(column for number in people for column in columns_of(number))),
        rows=[] if missing else rows(facts, times, people),
        notes=[] if missing else [overall(times), cut_words(times)],
        missing=missing,
    )


def times_of(project: Project, batches: Sequence[int] | None = None) -> Times:
    """Return what everyone spent on the rounds, or on the batches with these ids."""
    rows_ = rows_of("minutes", project, {"most": DAY_MS, "batches": None if batches is None else list(batches)})
    return {(batch, number): Spent(*spent) for batch, number, *spent in rows_}


def columns_of(number: int) -> tuple[Column, Column]:
    return (
        Column(f"wall_{number}", f"Annotator {number}", "number"),
        Column(f"active_{number}", f"{number}, active", "number"),
    )


def rows(facts: ReportFacts, times: Times, people: Sequence[int]) -> list[list[Cell]]:
    totals = {number: total(spent for (_, other), spent in times.items() if other == number) for number in people}
    return [
        *(
            [
                Cell(batch_words(batch), batch.number),
                *(cell for number in people for cell in minute_cells(times.get((batch.pk, number)))),
            ]
            for batch in facts.rounds
        ),
        [words("Total"), *(cell for number in people for cell in minute_cells(totals[number]))],
        [words("Seconds an item"), *(cell for number in people for cell in second_cells(totals[number]))],
    ]


def total(spent: Iterable[Spent]) -> Spent:
    return sum(spent, Spent())


def minute_cells(spent: Spent | None) -> tuple[Cell, Cell]:
    if spent is None:
        return nothing(), nothing()
    return rounded(spent.wall / 60_000), rounded(spent.active / 60_000)


def second_cells(spent: Spent) -> tuple[Cell, Cell]:
    return rounded(spent.wall / 1_000 / spent.done), rounded(spent.active / 1_000 / spent.done)


def rounded(value: float) -> Cell:
    return Cell(rounded_words(value), value)


def rounded_words(value: float) -> str:
    """Return whole numbers as the paper has them; short times have a digit more."""
    return f"{value:,.0f}" if value >= 10 else f"{value:.1f}"


def overall(times: Times) -> str:
    every = total(times.values())
    wall, active = (rounded_words(part / 1_000 / every.done) for part in (every.wall, every.active))
    minutes = f"All together {rounded_words(every.wall / 60_000)} wall minutes for {several(every.done, 'answer')}"
    return f"{minutes}: {wall} seconds an item, {active} of them active."


def cut_words(times: Times) -> str:
    """Say how a page left open for days was counted."""
    n = total(times.values()).cut
    cut = f"{n:,} {'was' if n == 1 else 'were'} cut to that" if n else "none was cut"
    return f"An answer, and each revision of it, counts for {DAY_MS // 3_600_000} hours at most: {cut}."
