"""Make the table of a system's most confident errors at a stage, with their causes (OP-FED, Table 13)."""

from collections import Counter
from collections.abc import Sequence

from al_worker.formats.paper_tables import Cell, Column, Table, decimal, words
from annotation_app.evaluation.gold import votes_of
from annotation_app.evaluation.predictions import PredictionView, confident_errors
from annotation_app.models import Evaluation

NO_ERRORS = "The system made no error at this stage."
COLUMNS = (
    Column("gold", "Gold"),
    Column("predicted", "Predicted"),
    Column("item", "Item"),
    Column("text", "Sentence", "long"),
    Column("confidence", "Confidence", "number"),
    Column("votes", "Votes"),
    Column("explanation", "Explanation", "long"),
    Column("cause", "Cause"),
)


def error_table(*, evaluation: Evaluation, system: str, stage: str, k: int) -> Table:
    """Return the k most confident errors from each gold label to each predicted one."""
    errors = confident_errors(evaluation, system=system, stage=stage, k=k)
    votes = votes_of(evaluation, stage, [error.row.item_id for error in errors])
    called = evaluation.title_of
    return Table(
        key=f"errors_{stage}_{system}",
        title=f"Most confident errors of {called(system)}: {called(stage)}",
        source="Table 13",
        about=f"At most {k} errors from each gold label to each predicted one, the most confident first.",
        columns=COLUMNS,
        rows=[error_row(error, votes.get(error.row.item_id, {})) for error in errors],
        notes=cause_notes(errors),
        missing="" if errors else NO_ERRORS,
    )


def error_row(error: PredictionView, votes: dict[str, int]) -> list[Cell]:
    row = error.row
    return [
        words(error.gold or ""),
        words(row.label or ""),
        words(row.item.external_id),
        words(row.item.text),
        decimal(row.confidence, 2),
        words(", ".join(f"{label} {n}" for label, n in sorted(votes.items()))),
        words(row.explanation),
        words(error.cause.name if error.cause else ""),
    ]


def cause_notes(errors: Sequence[PredictionView]) -> list[str]:
    """Count the errors by cause, the most frequent first."""
    causes = Counter(error.cause.name for error in errors if error.cause)
    return [f"Causes: {', '.join(f'{name} {n}' for name, n in causes.most_common())}."] if causes else []
