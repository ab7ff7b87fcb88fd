"""Make the tables of an evaluation, after OP-FED's Tables 4, 5 and 10, and of what goes beyond them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from al_worker.formats.paper_tables import (
    Cell,
    Column,
    Table,
    decimal,
    decimal_bounds,
    nothing,
    reasons,
    whole,
    words,
)

Figures = Mapping[str, Any]
DIGITS = 2
PEOPLE_ROWS = {"lowest": "Lowest annotator", "highest": "Highest annotator"}
COMPARED = {"own": "own vote included", "others": "against the others"}


def tables_of(figures: Figures) -> list[Table]:
    """Return all tables. One that has no row is empty but for its head.

    Stages and systems stand under the titles of `figures`, where it has any.
    """
    titles = figures.get("titles", {})
    stages = [titled(stage, titles) for stage in figures["stages"]]
    made = (accuracy, macro_f1, table_10, pairs, per_label, calibration, stand_in, shares)
    return [replace(table, notes=[*table.notes, *reasons(table.rows)]) for table in (make(stages) for make in made)]


def titled(stage: Figures, titles: Mapping[str, str]) -> Figures:
    """Return the stage's figures with titles in place of its key and the systems' names; `column` is the key."""

    def called(name: str) -> str:
        return titles.get(name, name)

    return {
        **stage,
        "key": called(stage["key"]),
        "column": stage["key"],
        "systems": [{**system, "name": called(system["name"])} for system in stage["systems"]],
        "pairs": [
            {**pair, "first": called(pair["first"]), "second": called(pair["second"])} for pair in stage["pairs"]
        ],
    }


def accuracy(stages: Sequence[Figures]) -> Table:
    table = _by_stage(
        stages,
        lambda system, _: _bounded(system["accuracy"], system["accuracy_low"], system["accuracy_high"], system["n"]),
        key="accuracy",
        title="Accuracy of systems",
        source="Table 4",
        about="Intervals are Wilson's. An answer that is not compliant counts as wrong.",
    )
    return replace(table, rows=[*table.rows, *_people_rows(stages)])


def macro_f1(stages: Sequence[Figures]) -> Table:
    return _by_stage(
        stages,
        lambda system, _: _bounded(system["macro_f1"], system["macro_f1_low"], system["macro_f1_high"], system["n"]),
        key="f1",
        title="Macro-F1 of systems",
        source="Table 10",
        about="Mean F1 over the labels that occur. Intervals are percentiles of 1,000 resamples of the items.",
    )


def table_10(stages: Sequence[Figures]) -> Table:
    """Make OP-FED's Table 10: weighted F1 where there are more than two labels, micro-F1 otherwise."""
    binary = {stage["key"] for stage in stages if len(stage["labels"]) == 2}

    def cell(system: Figures, stage: Figures) -> Cell:
        if stage["key"] in binary:
            return replace(decimal(system["micro_f1"], DIGITS), n=system["n"])
        return _bounded(system["weighted_f1"], system["weighted_f1_low"], system["weighted_f1_high"], system["n"])

    table = _by_stage(
        stages,
        cell,
        key="weighted_f1",
        title="F1 of systems",
        source="Table 10",
        about="Weighted F1 where a stage has more than two labels, micro-F1 where it has two.",
    )
    return replace(table, notes=[f"Micro-F1: {', '.join(sorted(binary))}."] if binary else [])


def pairs(stages: Sequence[Figures]) -> Table:
    rows = [
        [
            words(stage["key"]),
            words(pair["first"]),
            words(pair["second"]),
            *(whole(pair[key]) for key in ("n", "first_alone", "second_alone")),
            decimal(pair["p"], 3),
            decimal(pair["p_holm"], 3),
        ]
        for stage in stages
        for pair in stage["pairs"]
    ]
    return Table(
        key="pairs",
        title="Paired comparisons",
        source="",
        about="Exact McNemar tests on the items that both systems answered, adjusted by Holm within a stage.",
        columns=(
            Column("stage", "Stage"),
            Column("first", "First"),
            Column("second", "Second"),
            Column("n", "n", "number"),
            Column("first_alone", "Only the first right", "number"),
            Column("second_alone", "Only the second right", "number"),
            Column("p", "p", "number"),
            Column("p_holm", "p (Holm)", "number"),
        ),
        rows=rows,
    )


def per_label(stages: Sequence[Figures]) -> Table:
    rows = [
        [
            words(stage["key"]),
            words(system["name"]),
            words(label["label"]),
            whole(label["n"]),
            *(decimal(label[key], DIGITS, "nothing to divide by") for key in ("precision", "recall")),
            _bounded(label["f1"], label["f1_low"], label["f1_high"], why="nothing to divide by"),
        ]
        for stage, system in _systems(stages)
        for label in system["per_label"]
    ]
    return Table(
        key="per_label",
        title="Precision, recall and F1 of each label",
        source="",
        about="Intervals are percentiles of 1,000 resamples of the items.",
        columns=(
            Column("stage", "Stage"),
            Column("system", "System"),
            Column("label", "Label"),
            Column("n", "n", "number"),
            Column("precision", "Precision", "number"),
            Column("recall", "Recall", "number"),
            Column("f1", "F1", "number", has_interval=True),
        ),
        rows=rows,
    )


def calibration(stages: Sequence[Figures]) -> Table:
    rows = []
    for stage, system in _systems(stages):
        if found := system["calibration"]:
            again = found["recalibrated"]
            rows.append(
                [
                    words(stage["key"]),
                    words(system["name"]),
                    _bounded(found["ece"], found["ece_low"], found["ece_high"], found["n"]),
                    decimal(found["adaptive_ece"], DIGITS),
                    decimal(found["brier"], DIGITS),
                    *(decimal(again.get(key), DIGITS, again.get("reason", "")) for key in ("ece", "brier")),
                ]
            )
    return Table(
        key="calibration",
        title="Calibration of stated confidences",
        source="Table 5",
        about="Expected calibration error over 20 bins of equal width. Recalibrated: Platt's scaling, cross-fitted.",
        columns=(
            Column("stage", "Stage"),
            Column("system", "System"),
            Column("ece", "ECE", "number", has_interval=True, has_n=True),
            Column("adaptive_ece", "ECE, equal mass", "number"),
            Column("brier", "Brier score", "number"),
            Column("ece_recalibrated", "ECE, recalibrated", "number"),
            Column("brier_recalibrated", "Brier score, recalibrated", "number"),
        ),
        rows=rows,
    )


def stand_in(stages: Sequence[Figures]) -> Table:
    rows = []
    for stage, system in _systems(stages):
        test = system["stand_in"]
        if "reason" in test:
            told: list[Cell] = [nothing(test["reason"])] * 4
        else:
            told = [
                decimal(test["winning_rate"], DIGITS),
                decimal(test["advantage"], DIGITS),
                decimal(test["epsilon"], DIGITS),
                words("yes" if test["passes"] else "no"),
            ]
        rows.append([words(stage["key"]), words(system["name"]), *told])
    return Table(
        key="stand_in",
        title="Can a system stand in for an annotator?",
        source="",
        about="The alternative annotator test (Calderon et al. 2025): it passes from a winning rate of 0.5 on.",
        columns=(
            Column("stage", "Stage"),
            Column("system", "System"),
            Column("winning_rate", "Winning rate", "number", has_reason=True),
            Column("advantage", "Average advantage probability", "number"),
            Column("epsilon", "Epsilon", "number"),
            Column("passes", "Passes"),
        ),
        rows=rows,
    )


def shares(stages: Sequence[Figures]) -> Table:
    rows = []
    for stage, system in _systems(stages):
        if isinstance(system["shares"], dict):
            missing = nothing(system["shares"]["reason"])
            rows.append([words(stage["key"]), words(system["name"]), nothing(), missing, nothing(), nothing()])
            continue
        for share in system["shares"]:
            both = (share["prediction_powered"], share["classical"])
            estimates = [_bounded(each["share"], each["low"], each["high"]) for each in both]
            named = (words(stage["key"]), words(system["name"]), words(share["label"]))
            rows.append([*named, estimates[0], estimates[1], whole(share["n_pool"])])
    return Table(
        key="shares",
        title="Shares of labels in the pool",
        source="",
        about="Prediction-powered (Angelopoulos et al. 2023) and from gold labels alone.",
        columns=(
            Column("stage", "Stage"),
            Column("system", "System"),
            Column("label", "Label"),
            Column("prediction_powered", "Prediction-powered", "number", has_interval=True, has_reason=True),
            Column("classical", "Classical", "number", has_interval=True),
            Column("n_pool", "Pool", "number"),
        ),
        rows=rows,
    )


def _by_stage(
    stages: Sequence[Figures],
    cell: Callable[[Figures, Figures], Cell],
    *,
    key: str,
    title: str,
    source: str,
    about: str,
) -> Table:
    """Make a table of systems by stages."""
    names = dict.fromkeys(system["name"] for _, system in _systems(stages))
    found = {(stage["key"], system["name"]): (system, stage) for stage, system in _systems(stages)}
    rows = [
        [
            words(name),
            *(
                nothing("no answer at this stage") if (both := found.get((stage["key"], name))) is None else cell(*both)
                for stage in stages
            ),
        ]
        for name in names
    ]
    columns = [
        Column(stage["column"], f"{stage['key']} (n = {stage['n']:,})", "number", has_interval=True, has_n=True)
        for stage in stages
    ]
    return Table(
        key=key, title=title, source=source, about=about, columns=(Column("system", "System"), *columns), rows=rows
    )


def _people_rows(stages: Sequence[Figures]) -> Iterator[list[Cell]]:
    for compared, how in COMPARED.items():
        people = [(stage["humans"] or {}).get(compared) or {} for stage in stages]
        if any(people):
            for key, title in PEOPLE_ROWS.items():
                yield [words(f"{title}, {how}"), *(decimal(each.get(key), DIGITS) for each in people)]


def _systems(stages: Sequence[Figures]) -> Iterator[tuple[Figures, Figures]]:
    for stage in stages:
        for system in stage["systems"]:
            yield stage, system


def _bounded(value: float | None, low: float | None, high: float | None, n: int | None = None, why: str = "") -> Cell:
    return replace(decimal(value, DIGITS, why), interval=decimal_bounds(low, high, DIGITS), n=n)
