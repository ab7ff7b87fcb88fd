"""Compose the statements of agreement on labels from the steps in `sql`.

Answers are counted as rating patterns, and patterns as label combinations (`bags`).
Label combinations give totals, and every statistic follows from the totals.
"""

from pathlib import Path
from typing import Literal, get_args

from annotation_app.aggregation.statements import ANSWERS, PHASES, VOTES, Phase
from annotation_app.agreement.statistics import COEFFICIENT_OF, NO_COEFFICIENT, OF_ANOTHER, STATISTICS, Statistic
from annotation_app.db.statement import Generated, Step, statement

Scope = Literal["all", "majority"]
SCOPES: tuple[Scope, ...] = get_args(Scope)
# The agreement of everyone together, of each pair, or both.
Of = Literal["all", "everyone", "pairs"]
OFS: tuple[Of, ...] = get_args(Of)

SQL = Path(__file__).parent / "sql"

# The steps to `selected_patterns`: the stored patterns, or those of revised answers. Stored counts also give
# `item_majorities`.
SELECTED_PATTERNS: dict[Phase, tuple[Step, ...]] = {
    1: (SQL / "sources" / "cached.sql",),
    2: (VOTES[2], SQL / "sources" / "current_patterns.sql", SQL / "sources" / "revised.sql"),
}


def estimates_of(*keys: str) -> tuple[Step, ...]:
    """Return the steps of these statistics, or of all, and `estimates`, which holds the rows of them together."""
    chosen = [each for each in STATISTICS if each.key in keys or not keys]
    union = "\n  UNION ALL ".join(map(estimate_of, chosen))
    text = f"-- Every statistic of the registry, one a row.\nestimates AS (\n  {union}\n)"
    return (*(SQL / "statistics" / f"{each.key}.sql" for each in chosen), Generated("the registry of statistics", text))


def estimate_of(statistic: Statistic) -> str:
    """Return the query of one statistic's rows, without values at stages that it is not for."""
    value = "(e.observed - e.expected) / nullif(1 - e.expected, 0)" if statistic.has_expected else "e.value"
    if statistic.share_of:
        fits, unfit = "true", "NULL"
    elif statistic.measure is None:
        fits, unfit = "v.measure <> 'none'", f"'{NO_COEFFICIENT}'"
    else:
        fits, unfit = f"v.measure = '{statistic.measure}'", f"'{OF_ANOTHER[statistic.measure]}'"
    return (
        f"SELECT '{statistic.key}' AS statistic, e.slice, e.bag, e.n, "
        f"CASE WHEN e.reason IS NULL AND {fits} THEN {value} END AS value, "
        f"CASE WHEN {fits} THEN e.reason ELSE coalesce(v.reason, {unfit}) END AS reason "
        f"FROM {statistic.key} e JOIN slice_totals v ON v.slice = e.slice"
    )


# The step that puts each answer beside the majority of the item's other answers.
OTHERS_MAJORITY = SQL / "details" / "others_majority.sql"
TABLE: tuple[Step, ...] = (SQL / "totals.sql", *estimates_of(), SQL / "standard_errors.sql")


def patterns_of(scope: Scope, phase: Phase) -> tuple[Step, ...]:
    """Return the steps to `patterns`, the selected patterns of a scope."""
    return (*SELECTED_PATTERNS[phase], SQL / "scope" / f"{scope}.sql")


def round_bags_in(scope: Scope, phase: Phase) -> tuple[Step, ...]:
    """Return the steps to `round_bags`, which are stored for independent answers."""
    stored, counted = SQL / "sources" / "cached_bags.sql", SQL / "expand.sql"
    return (*SELECTED_PATTERNS[1], stored) if phase == 1 else (*patterns_of(scope, phase), counted)


def recount_statement() -> str:
    """Return the statement that recounts items.

    Parameters: project, at_once. One row with the number of items that were recounted.
    """
    return statement([SQL / "sources" / "current_patterns.sql"], SQL / "recount" / "items.sql")


def waiting_statement() -> str:
    """Return the statement that tells whether a project waits for a recount.

    Parameters: project. One row with true or false.
    """
    return statement([], SQL / "recount" / "waiting.sql")


def recount_all_statement() -> str:
    """Return the statement that forgets all stored counts and queues every item for a recount. It has no parameters."""
    return statement([], SQL / "recount" / "all.sql")


def combinations_statement() -> str:
    """Return the statement that adds patterns to the label combinations.

    Parameters: project, at_once, settled. One row with the number of patterns that were added.
    """
    return statement([SQL / "expand.sql"], SQL / "recount" / "combinations.sql")


def changed_profiles_statement() -> str:
    """Return the statement that finds changed patterns.

    Parameters: project. Rows (codebook id, majorities) of the patterns that the label combinations do not reflect yet.
    """
    return statement([], SQL / "recount" / "changed_profiles.sql")


def cache_statement() -> str:
    """Return the statement that reads the cache.

    Parameters: project, view. One row (version of the counts, stamp, cached rows, whether nothing can be cached).
    """
    return statement([], SQL / "cache.sql")


def profiles_statement(phase: Phase = 1) -> str:
    """Return the statement that lists the profiles of majorities.

    Parameters: project, batches. Rows (codebook id, {stage: majority label} as text).
    """
    return statement(SELECTED_PATTERNS[phase], SQL / "profiles.sql")


def rows_statement(scope: Scope, phase: Phase = 1) -> str:
    """Return the statement of the agreement table.

    Parameters: project, batches, scope, stages (keys in order), and which slices: stage, rounds, of, pair.
    As JSON: measures ({stage: measure}, nominal where left out), orders ({ordinal stage: [label, ...]}) and names
    ({stage: {label: name}}).
    For majorities in phase 2 also settled ({"<codebook id> <majorities>": [stage, ...]}), as JSON.
    """
    return statement((*round_bags_in(scope, phase), *TABLE), SQL / "table.sql")


def file_rows_statement() -> str:
    """Return the statement of the agreement table of the answers in the temporary table `agreement_file`.

    Parameters and rows are those of rows_statement.
    But annotators and round_names (in their order) take the place of project, batches, scope and stage.
    """
    return statement((SQL / "sources" / "file.sql", SQL / "expand.sql", *TABLE), SQL / "table.sql")


def trend_statement(coefficient: str) -> str:
    """Return the statement of the trend over batches, with one coefficient beside percent agreement.

    Parameters: batches, stage, and those of rows_statement with the batches as rounds.
    Rows (batch id, coefficient, its standard error, the items behind that, percent agreement, n_units, reason).
    """
    steps = (SQL / "totals.sql", *estimates_of("percent_agreement", coefficient), SQL / "standard_errors.sql")
    return statement(steps, SQL / "trend.sql")


def beside_others_statement() -> str:
    """Return the statement of each person's agreement with the others, by the coefficient that fits a stage.

    Parameters: those of rows_statement, with raters' numbers as rounds, for everyone.
    Rows (stage, rater, items, values, reasons, errors), the last three as JSON by statistic.
    """
    source = (*patterns_of("all", 1), SQL / "sources" / "beside_others.sql", SQL / "totals.sql")
    estimated = estimates_of("percent_agreement", *COEFFICIENT_OF.values())
    return statement((*source, *estimated, SQL / "standard_errors.sql"), SQL / "beside_others.sql")


def confusion_statement(scope: Scope, phase: Phase = 1) -> str:
    """Return the statement of the confusion matrices.

    Parameters: those of rows_statement, for one stage and round (0: all together).
    Rows (a, b, a's label, b's label, n).
    """
    return statement((*round_bags_in(scope, phase), SQL / "totals.sql"), SQL / "details" / "confusion.sql")


def shares_statement(scope: Scope, phase: Phase = 1) -> str:
    """Return the statement of label shares.

    Parameters: those of rows_statement, for one stage and round. Rows (rater, label, n, share).
    """
    return statement((*round_bags_in(scope, phase), SQL / "totals.sql"), SQL / "details" / "label_shares.sql")


def habits_statement(scope: Scope, phase: Phase = 1) -> str:
    """Return the statement of label habits.

    Parameters: those of rows_statement, with stage and round.
    Rows (rater, label, n, own, others, standard error).
    Shares are over the rater's items that somebody else answered too; a label that none of these got has no row.
    """
    return statement(patterns_of(scope, phase), SQL / "details" / "label_habits.sql")


def against_statement(phase: Phase = 1) -> str:
    """Return the statement that compares each rater with the majority.

    Parameters: project, batches, stage, round, settled, ambiguous (labels), lowest (label or None).
    Rows (rater, n, n_right, accuracy, n_collapsed, collapsed, n_circular, reason).
    The row of rater 0 counts the items.
    """
    return statement(SELECTED_PATTERNS[phase], SQL / "details" / "against_majority.sql")


def leave_one_out_statement(phase: Phase = 1) -> str:
    """Return the statement that compares each rater with the majority of the others.

    Parameters and rows are those of against_statement, without rater 0 and without `settled`.
    """
    return statement((*SELECTED_PATTERNS[phase], OTHERS_MAJORITY), SQL / "details" / "leave_one_out.sql")


def named_statements() -> dict[str, str]:
    """Return every statement of this module by the name under which `print_sql` knows it."""
    named = {
        "agreement.recount.items": recount_statement(),
        "agreement.recount.waiting": waiting_statement(),
        "agreement.recount.all": recount_all_statement(),
        "agreement.recount.changed_profiles": changed_profiles_statement(),
        "agreement.recount.combinations": combinations_statement(),
        "agreement.cache": cache_statement(),
        "agreement.table.file": file_rows_statement(),
        "agreement.beside_others": beside_others_statement(),
        **{f"agreement.trend.{key}": trend_statement(key) for key in COEFFICIENT_OF.values()},
    }
    for phase in PHASES:
        answers = ANSWERS[phase]
        named[f"agreement.profiles.{answers}"] = profiles_statement(phase)
        named[f"agreement.against_majority.{answers}"] = against_statement(phase)
        named[f"agreement.leave_one_out.{answers}"] = leave_one_out_statement(phase)
        for scope in SCOPES:
            named[f"agreement.table.{scope}.{answers}"] = rows_statement(scope, phase)
            named[f"agreement.confusion.{scope}.{answers}"] = confusion_statement(scope, phase)
            named[f"agreement.label_shares.{scope}.{answers}"] = shares_statement(scope, phase)
            named[f"agreement.label_habits.{scope}.{answers}"] = habits_statement(scope, phase)
    return named
