"""The statements about labels, put together from the steps in `sql`."""

from pathlib import Path
from typing import Literal, get_args

from annotation_app.db.statement import Step, statement

# Which answers count: the independent ones (1), or those after the second look where somebody took one (2).
Phase = Literal[1, 2]
PHASES: tuple[Phase, ...] = get_args(Phase)
# How the names of printed statements call the phases.
ANSWERS: dict[Phase, str] = {1: "independent", 2: "revised"}

SQL = Path(__file__).parent / "sql"

# `submitted`, the annotations that count. Agreement on spans starts from them.
SUBMITTED: Step = SQL / "answers" / "submitted.sql"
# Votes: (unit, batch, rater, stage, label).
VOTES: dict[Phase, Step] = {phase: SQL / "answers" / f"{answers}.sql" for phase, answers in ANSWERS.items()}
# Everything that items come to: majorities, what was decided, whether answers are newer, whether all are in.
RESULTS: dict[Phase, tuple[Step, ...]] = {
    phase: (votes, SQL / "majorities.sql", SQL / "decisions.sql") for phase, votes in VOTES.items()
}
DECISIONS: tuple[Step, ...] = (SQL / "decisions.sql",)
DIFFERING: tuple[Step, ...] = (VOTES[1], SQL / "majorities.sql", SQL / "differing.sql")


def majority_labels_statement(phase: Phase) -> str:
    """Parameters: project, batches (null: those of the rounds), adjudicated."""
    return statement(RESULTS[phase], SQL / "majority_labels.sql")


def outcomes_statement(phase: Phase) -> str:
    """Parameters: project, batches (null: all of the rounds), phase."""
    return statement(RESULTS[phase], SQL / "outcomes.sql")


def differing_items_statement() -> str:
    """Parameters: project, batches. Rows (item id, numbers of the people who differ)."""
    return statement(DIFFERING, SQL / "differing_items.sql")


def differing_counts_statement() -> str:
    """Parameters: project, batches. Rows (batch id, number of items on which people differ)."""
    return statement(DIFFERING, SQL / "differing_counts.sql")


def named_statements() -> dict[str, str]:
    """Return every statement of this package by the name under which `print_sql` knows it."""
    return {
        **{f"aggregation.majority_labels.{ANSWERS[phase]}": majority_labels_statement(phase) for phase in PHASES},
        **{f"aggregation.outcomes.{ANSWERS[phase]}": outcomes_statement(phase) for phase in PHASES},
        "aggregation.differing_items": differing_items_statement(),
        "aggregation.differing_counts": differing_counts_statement(),
    }
