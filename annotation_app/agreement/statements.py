"""Agreement as one statement: answers folded into patterns, patterns counted, statistics from the counts."""

from pathlib import Path
from typing import Literal, get_args

from annotation_app.aggregation.statements import TALLIES, VOTES, statement

Scope = Literal["all", "majority"]
SCOPES: tuple[Scope, ...] = get_args(Scope)
STATISTICS = ("percent_agreement", "fleiss_kappa", "alpha_nominal")

SQL = Path(__file__).parent / "sql"


def parts(*names: str) -> dict[str, Path]:
    return {name: SQL / f"{name}.sql" for name in names}


PROFILES = TALLIES | parts("profiles")
# Where the answers come from. What follows needs `answers` only: (unit, batch, rater, stage, label).
ANSWERS: dict[Scope, dict[str, Path]] = {
    "all": VOTES | {"answers": SQL / "answers_all.sql"},
    "majority": PROFILES | parts("settled") | {"answers": SQL / "answers_majority.sql"},
}
FOLD = parts("folded", "patterns", "present", "bags", "people", "units", "label_counts", "views")


def profiles_statement() -> str:
    """Parameters: project, batches. Rows (codebook id, {stage: majority label} as text)."""
    return statement(PROFILES, SQL / "distinct_profiles.sql")


def rows_statement(scope: Scope) -> str:
    """Parameters: project, batches, stages (keys in order) and, in the scope of majorities, settled (JSON)."""
    return statement(ANSWERS[scope] | FOLD | parts(*STATISTICS), SQL / "rows.sql")
