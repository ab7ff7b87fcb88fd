"""Agreement as named parts of SQL: answers folded into patterns, patterns counted, statistics from the counts."""

from pathlib import Path
from typing import Literal, get_args

from annotation_app.aggregation.statements import FOLDED, Phase, in_phase, statement
from annotation_app.aggregation.statements import SQL as AGGREGATION

Scope = Literal["all", "majority"]
SCOPES: tuple[Scope, ...] = get_args(Scope)
# Whose agreement: of everyone together, of each pair, or both.
Of = Literal["all", "everyone", "pairs"]
OFS: tuple[Of, ...] = get_args(Of)
STATISTICS = (
    "percent_agreement",
    "item_agreement",
    "fleiss_kappa",
    "fleiss_kappa_general",
    "alpha_nominal",
    "alpha_ordinal",
    "cohen_kappa",
    "ac1",
)

SQL = Path(__file__).parent / "sql"


def parts(*names: str) -> dict[str, Path]:
    return {name: SQL / f"{name}.sql" for name in names}


FOLD = {
    "queued": SQL / "queued.sql",
    "asked": SQL / "asked_queued.sql",
    "assigned": SQL / "assigned_by_index.sql",
    "submitted": AGGREGATION / "submitted.sql",
    "votes": SQL / "votes_by_index.sql",
    "folded": SQL / "folded_in_order.sql",
    **parts("fresh", "counted_before", "recounted", "placed", "changed"),
}
# Patterns put into the bags of the people under view.
BAG = {"patterns": SQL / "patterns_changed.sql", **parts("expanded", "bagged", "marked")}
# The patterns that are kept up, or those of the answers after second looks.
CHOSEN: dict[Phase, dict[str, Path]] = {
    1: parts("chosen"),
    2: in_phase(FOLDED, 2)
    | {"folded": SQL / "folded_in_order.sql", "fresh": SQL / "fresh.sql", "chosen": SQL / "chosen_second.sql"},
}
# What each item of the rounds came to, once the counts are up to date.
KEPT_BY_UNIT = {"by_unit": SQL / "by_unit_kept.sql"}
# Each answer beside the majority of the item's other answers.
OTHERS = parts("others_majority")
# Where patterns come from: (stage, round, raters, labels, n), raters by number.
PATTERNS: dict[Scope, Path] = {"all": SQL / "patterns_all.sql", "majority": SQL / "patterns_majority.sql"}
# Bags by round from patterns, whatever those come from.
COUNTED = parts("expanded", "counted")
VIEWED = parts("margins", "said", "people", "joint")
ORDERED = parts("label_places", "placed_labels", "coincidences")
TOTALS = VIEWED | parts("alone", "bags", "bag_labels", "ratings", "label_counts", "views", "samples")
TABLE = TOTALS | ORDERED | parts(*STATISTICS, "estimates", "t_quantiles", "intervals")


# One view a batch, of everyone, with what a line over the batches shows.
TREND = {
    "counted": SQL / "counted_trend.sql",
    **TOTALS,
    **parts("percent_agreement", "alpha_nominal"),
    "estimates": SQL / "estimates_trend.sql",
    **parts("t_quantiles", "intervals"),
}


def fold_statement() -> str:
    """Parameters: project, at_once. One row with the number of items that were counted again."""
    return statement(FOLD, SQL / "fold.sql")


def bag_statement() -> str:
    """Parameters: project, at_once, settled. One row with the number of patterns that were put into the bags."""
    return statement(BAG, SQL / "bag.sql")


def profiles_statement(phase: Phase = 1) -> str:
    """Parameters: project, batches. Rows (codebook id, {stage: majority label} as text)."""
    return statement(CHOSEN[phase], SQL / "distinct_profiles.sql")


def patterns_of(scope: Scope, phase: Phase = 1) -> dict[str, Path]:
    return CHOSEN[phase] | {"patterns": PATTERNS[scope]}


def counted_in(scope: Scope, phase: Phase) -> dict[str, Path]:
    """Of phase 1 the bags are kept up."""
    return {"counted": SQL / "counted_kept.sql"} if phase == 1 else patterns_of(scope, phase) | COUNTED


def rows_statement(scope: Scope, phase: Phase = 1) -> str:
    """Parameters: project, batches, scope, stages (keys in order), which views (stage, rounds, of, pair); as JSON
    orders ({ordinal stage: [label, ...]}) and names ({stage: {label: name}}), and, of majorities in phase 2, settled
    ({"<codebook id> <majorities>": [stage, ...]})."""
    return statement(counted_in(scope, phase) | TABLE, SQL / "rows.sql")


def trend_statement() -> str:
    """Parameters: batches, stage, and as rows_statement with the batches as rounds. Rows (batch id, alpha, low, high,
    percent agreement, n_units, reason)."""
    return statement(TREND, SQL / "trend.sql")


def confusion_statement(scope: Scope, phase: Phase = 1) -> str:
    """Parameters: as rows_statement, of one stage and round (0: all together). Rows (a, b, a's label, b's label, n)."""
    return statement(counted_in(scope, phase) | VIEWED, SQL / "confusion.sql")


def shares_statement(scope: Scope, phase: Phase = 1) -> str:
    """Parameters: as rows_statement, of one stage and round. Rows (rater, label, n, share)."""
    return statement(counted_in(scope, phase) | parts("margins", "said"), SQL / "label_shares.sql")


def habits_statement(scope: Scope, phase: Phase = 1) -> str:
    """Parameters: as rows_statement, with stage and round. Rows (rater, label, n, own, others, standard error), shares
    over the rater's items with another's answer; a label that none of them got has no row."""
    return statement(patterns_of(scope, phase), SQL / "label_habits.sql")


def against_statement(phase: Phase = 1) -> str:
    """Parameters: project, batches, stage, round, settled, ambiguous (labels), lowest (label or None).

    Rows (rater, n, n_right, accuracy, n_collapsed, collapsed, n_circular, reason); rater 0 is the number of items.
    """
    return statement(CHOSEN[phase] | parts("golds"), SQL / "against_majority.sql")


def leave_one_out_statement(phase: Phase = 1) -> str:
    """Parameters and rows as of against_statement, without rater 0 and whatever is settled."""
    return statement(CHOSEN[phase] | OTHERS, SQL / "leave_one_out.sql")
