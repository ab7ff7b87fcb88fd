"""Make the tables of an interpretation, after Tables 3 to 9 of Marfurt et al. (2022), and of what goes beyond them."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from al_worker.formats.interpretation import FILTERS, KINDS
from al_worker.formats.paper_tables import (
    Bounds,
    Cell,
    Column,
    Table,
    decimal,
    decimal_words,
    nothing,
    percent_words,
    whole,
    words,
)

Figures = Mapping[str, Any]
MEASURES = {"rouge1": "ROUGE-1", "rouge2": "ROUGE-2", "rougeLsum": "ROUGE-L"}
BERTSCORE = "BERTScore F1 "
INTERVAL_OF_TARGETS = "In brackets, 95% intervals that know that several instances come from one target."
INTERVAL_OF_TEXTS = "In brackets, 95% percentile intervals over the texts."
WITH_MARKERS = "ROUGE is computed on texts with their markers."


def tables_of(figures: Figures) -> list[Table]:
    """Return all tables. Those of equivalence classes are left out where there is no evaluation."""
    tested = any(system["equivalence"] for system in figures["systems"])
    made = [accuracy(figures, in_depth=False)] if tested else []
    made += [generation(figures), categories(figures)]
    made += [accuracy(figures, in_depth=True)] if tested else []
    made += [by_parameters(figures), by_filter(figures), by_input(figures)]
    return [*made, *([comparisons(figures)] if figures["comparisons"] else [])]


def evaluation_title(annotation: str, evaluation: str) -> str:
    """Return what an evaluation is called beside those of other categories."""
    title = evaluation if annotation.casefold() in evaluation.casefold() else f"{annotation}: {evaluation}"
    return title[:1].upper() + title[1:]


def accuracy(figures: Figures, *, in_depth: bool) -> Table:
    """Make Table 3 of the evaluations that are not in depth, or Table 6 of those that are."""
    systems = [system for system in figures["systems"] if system["equivalence"]]
    found = {
        (each["annotation"], each["evaluation"]): each
        for system in systems
        for each in system["equivalence"]["evaluations"]
        if each["in_depth"] == in_depth
    }
    mean = "in_depth_mean" if in_depth else "main_mean"
    rows = []
    for system in systems:
        own = {(each["annotation"], each["evaluation"]): each for each in system["equivalence"]["evaluations"]}
        cells = [_accuracy_cell(own[key]) for key in found]
        rows.append([words(system["title"], key=system["name"]), *cells, _percent(system["equivalence"][mean])])
    columns = [
        Column(
            f"{annotation}_{evaluation}".replace(" ", "_"),
            f"{evaluation_title(annotation, evaluation)} (n = {each['n']:,})",
            "number",
            has_interval=True,
            has_n=True,
        )
        for (annotation, evaluation), each in found.items()
    ]
    which = "in-depth" if in_depth else "main"
    return Table(
        key="accuracy-in-depth" if in_depth else "accuracy",
        title=f"Accuracy of {which} equivalence classes evaluations",
        source="Table 6" if in_depth else "Table 3",
        about=f"Instances of the split {figures['split']}; chance is right in half of them. {INTERVAL_OF_TARGETS}",
        columns=(Column("system", "Model", has_key=True), *columns, Column("mean", "Mean", "number")),
        rows=rows,
        notes=[] if found else ["No evaluation of this sort has an instance."],
    )


def generation(figures: Figures) -> Table:
    """Make Table 4. The first row is of the references, whose novel bigrams are those of the first system's sources."""
    title = _bertscore_title(figures)
    references = figures["references"]
    dash = [nothing() for _ in (*MEASURES, *([title] if title else []))]
    rows = [[words("References"), *dash, whole(references["distinct_bigrams"]), _share(references["novel_bigrams"])]]
    for system in figures["systems"]:
        metrics = system["metrics"]
        rows.append([
            words(system["title"], key=system["name"]),
            *_text_cells(metrics, title),
            whole(metrics["distinct_bigrams"]),
            _share(metrics["novel_bigrams"]),
        ])  # fmt: skip
    columns = (
        Column("system", "Model", has_key=True),
        *_text_columns(title),
        Column("distinct_bigrams", "Distinct bigrams", "number"),
        Column("novel_bigrams", "Novel bigrams", "number", has_interval=True, has_n=True),
    )
    about = f"One text for each test source. {WITH_MARKERS} {INTERVAL_OF_TEXTS}"
    return Table("generation", "Text generation", "Table 4", about, columns, rows)


def categories(figures: Figures) -> Table:
    """Make Table 5: mean and standard deviation of each category's spans in a text."""
    described = [("References", "", figures["references"])]
    described += [(system["title"], system["name"], system["metrics"]) for system in figures["systems"]]
    names = sorted({name for _, _, each in described for name in each["categories"]})
    rows = []
    for title, key, each in described:
        cells = [_count_cell(each["categories"].get(name)) for name in names]
        rows.append([words(title, key=key), *cells, _share(each["closed_correctly"])])
    beside = ("population_sd", "sample_sd")
    columns = [Column(name.replace(" ", "_").lower(), name, "number", beside=beside) for name in names]
    closed = Column("closed_correctly", "Closed correctly", "number", has_interval=True, has_n=True)
    return Table(
        key="categories",
        title="Mean and standard deviation of category counts",
        source="Table 5",
        about=f"Deviations are of the population, as in the paper; CSV also has the sample's. {INTERVAL_OF_TEXTS}",
        columns=(Column("system", "Model", has_key=True), *columns, closed),
        rows=rows,
    )


def by_parameters(figures: Figures) -> Table:
    """Make Table 7, in the order of the models' sizes."""
    return _selected(
        sorted(figures["systems"], key=lambda system: system["parameters"]),
        _bertscore_title(figures),
        key="sizes",
        title="Selected metrics by model size",
        source="Table 7",
        columns=[Column("parameters", "Parameters", "number")],
        cells=lambda system: [Cell(f"{system['parameters'] / 1e6:,.1f}M", system["parameters"])],
    )


def by_filter(figures: Figures) -> Table:
    """Make Table 8, in the order of kind, model, budget and filter."""
    order = list(FILTERS)

    def place(system: Figures) -> tuple[Any, ...]:
        return list(KINDS).index(system["kind"]), system["model"], system["budget"], order.index(system["filter"])

    return _selected(
        sorted(figures["systems"], key=place),
        _bertscore_title(figures),
        key="filters",
        title="Selected metrics by filter",
        source="Table 8",
        columns=[Column("filter", "Filter", has_key=True)],
        cells=lambda system: [_filter_cell(system)],
    )


def by_input(figures: Figures) -> Table:
    """Make Table 9, in the order of kind, model, filter and budget."""
    order = list(FILTERS)

    def place(system: Figures) -> tuple[Any, ...]:
        return list(KINDS).index(system["kind"]), system["model"], order.index(system["filter"]), system["budget"]

    return _selected(
        sorted(figures["systems"], key=place),
        _bertscore_title(figures),
        key="budgets",
        title="Selected metrics by input tokens",
        source="Table 9",
        columns=[Column("filter", "Filter", has_key=True), Column("input_tokens", "Input tokens", "number")],
        cells=lambda system: [_filter_cell(system), whole(system["budget"])],
    )


def comparisons(figures: Figures) -> Table:
    """Make a table of the paired tests of all pairs of systems."""
    titles = {system["name"]: system["title"] for system in figures["systems"]}
    rows = [
        [
            words(titles[pair["first"]], key=pair["first"]),
            words(titles[pair["second"]], key=pair["second"]),
            words(evaluation_title(each["annotation"], each["evaluation"])),
            whole(each["first_alone"]),
            whole(each["second_alone"]),
            decimal(each["p"], 3),
            decimal(each["p_holm"], 3),
        ]
        for pair in figures["comparisons"]
        for each in pair["evaluations"]
    ]
    return Table(
        key="comparisons",
        title="Paired comparisons",
        source="",
        about="Exact tests of the differences in right instances, over targets. Holm's adjustment is for the "
        "evaluations of a pair.",
        columns=(
            Column("first", "First", has_key=True),
            Column("second", "Second", has_key=True),
            Column("evaluation", "Evaluation"),
            Column("first_alone", "Only the first right", "number"),
            Column("second_alone", "Only the second right", "number"),
            Column("p", "p", "number"),
            Column("p_holm", "p (Holm)", "number"),
        ),
        rows=rows,
    )


def _selected(
    systems: Sequence[Figures],
    bertscore: str,
    *,
    key: str,
    title: str,
    source: str,
    columns: Sequence[Column],
    cells: Callable[[Figures], list[Cell]],
) -> Table:
    """Make one of Tables 7 to 9: systems with something that tells them apart, and selected metrics."""
    rows = [
        [
            words(system["title"], key=system["name"]),
            *cells(system),
            _percent(system["equivalence"]["main_mean"] if system["equivalence"] else None),
            *_text_cells(system["metrics"], bertscore),
            whole(system["metrics"]["distinct_bigrams"]),
        ]
        for system in systems
    ]
    return Table(
        key=key,
        title=title,
        source=source,
        about=f"EQ mean: unweighted mean accuracy of the main evaluations. {WITH_MARKERS} {INTERVAL_OF_TEXTS}",
        columns=(
            Column("system", "Model", has_key=True),
            *columns,
            Column("eq_mean", "EQ mean", "number"),
            *_text_columns(bertscore),
            Column("distinct_bigrams", "Distinct bigrams", "number"),
        ),
        rows=rows,
    )


def _text_columns(bertscore: str) -> list[Column]:
    columns = [Column(name, title, "number", has_interval=True, has_n=True) for name, title in MEASURES.items()]
    return [*columns, *([Column("bertscore", bertscore, "number", has_interval=True, has_n=True)] if bertscore else [])]


def _text_cells(metrics: Figures, bertscore: str) -> list[Cell]:
    rouge = metrics["rouge"]["with_markers"]
    cells = [_hundredths(rouge[measure]) for measure in MEASURES]
    return [*cells, *([_hundredths(metrics[bertscore])] if bertscore else [])]


def _bertscore_title(figures: Figures) -> str:
    """Return the name of BERTScore with its encoder, or "" where it was not computed."""
    return next((key for key in figures["systems"][0]["metrics"] if key.startswith(BERTSCORE)), "")


def _accuracy_cell(found: Figures) -> Cell:
    share = found["accuracy"]
    bounds = Bounds(f"{percent_words(share['low'])}, {percent_words(share['high'])}", share["low"], share["high"])
    return Cell(_percent_2(share["value"]), share["value"], interval=bounds, n=found["n"])


def _percent(share: float | None) -> Cell:
    return nothing() if share is None else Cell(_percent_2(share), share)


def _percent_2(share: float) -> str:
    """Return a percentage with the paper's two decimals."""
    return f"{decimal_words(100 * share, 2)}%"


def _share(found: Figures | None) -> Cell:
    """Return a mean share as a percentage with its interval."""
    if found is None:
        return nothing()
    bounds = Bounds(f"{percent_words(found['low'])}, {percent_words(found['high'])}", found["low"], found["high"])
    return Cell(_percent_2(found["mean"]), found["mean"], interval=bounds, n=found["n"])


def _hundredths(found: Figures | None) -> Cell:
    """Return a mean of scores from 0 to 1 times 100, as papers print ROUGE; files have the score itself."""
    if found is None:
        return nothing()
    low, high = found["low"], found["high"]
    bounds = Bounds(f"{decimal_words(100 * low, 1)}, {decimal_words(100 * high, 1)}", low, high)
    return Cell(decimal_words(100 * found["mean"], 2), found["mean"], interval=bounds, n=found["n"])


def _count_cell(found: Figures | None) -> Cell:
    if found is None:
        return Cell(f"{decimal_words(0, 2)} (±{decimal_words(0, 2)})", 0, beside=(0, 0))
    text = f"{decimal_words(found['mean'], 2)} (±{decimal_words(found['population_sd'], 2)})"
    return Cell(text, found["mean"], beside=(found["population_sd"], found["sample_sd"]))


def _filter_cell(system: Figures) -> Cell:
    return words(FILTERS[system["filter"]].title, key=system["filter"])
