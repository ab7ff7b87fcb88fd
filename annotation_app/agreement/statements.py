"""Agreement as one statement: answers folded into patterns, patterns counted, statistics from the counts."""

from pathlib import Path
from typing import Literal, get_args

from annotation_app.aggregation.statements import FOLDED, VERDICTS, Phase, in_phase, statement

Scope = Literal["all", "majority"]
SCOPES: tuple[Scope, ...] = get_args(Scope)
STATISTICS = ("percent_agreement", "fleiss_kappa", "alpha_nominal")

SQL = Path(__file__).parent / "sql"


def parts(*names: str) -> dict[str, Path]:
    return {name: SQL / f"{name}.sql" for name in names}


PROFILES = VERDICTS | parts("profiles")
# What is under view: (batch, stage, raters, labels), one row for each item and stage.
IN_SCOPE: dict[Scope, dict[str, Path]] = {
    "all": FOLDED | {"in_scope": SQL / "scope_all.sql"},
    "majority": PROFILES | {"in_scope": SQL / "scope_majority.sql"},
}
COUNTED = parts("patterns", "present", "bags", "people", "units", "label_counts", "views")


def profiles_statement(phase: Phase) -> str:
    """Parameters: project, batches. Rows (codebook id, {stage: majority label} as text, name)."""
    return statement(in_phase(PROFILES, phase), SQL / "distinct_profiles.sql")


def rows_statement(scope: Scope, phase: Phase) -> str:
    """Parameters: project, batches, stages (keys in order) and, in the scope of majorities, settled (JSON)."""
    return statement(in_phase(IN_SCOPE[scope], phase) | COUNTED | parts(*STATISTICS), SQL / "rows.sql")
