"""Make tables for paper of agreement, pairing, weights, scores and stability."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from al_worker.factoids.comparison import COLUMNS
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
from annotation_app.factoids.pairing_view import NO_LINK

PAPER, SUMMARIES = "Teufel and van Halteren 2004", "van Halteren and Teufel 2003"
STEPS = {"independent": "independent", "second_look": "second look"}
LINK_WORDS = {None: "strong", "A->B": "weak, A to B", "A<-B": "weak, B to A", NO_LINK: "none"}
COLUMN_WORDS = {"strong": "Strong", "A<-B": "A ← B", "A->B": "A → B", "unlinked": "Unlinked"}
RATE_WORDS = {
    "equal_strong": "equal pairs with a strong link",
    "equal_unlinked": "equal pairs without a link",
    "subsumption_linked": "subsumptions with a link",
    "strong_unrelated": "judged strong links between unrelated factoids",
    "weak_unrelated": "judged weak links between unrelated factoids",
}


def agreement_table(rows: Mapping[str, Sequence[Mapping[str, Any]]]) -> Table:
    """Make figures 1 and 3 of the paper from the rows of `set_agreement`."""
    shown = [agreement_row(kind, row) for kind in rows for row in rows[kind]]
    return Table(
        key="factoid_agreement",
        title="Agreement on factoids",
        source="figures 1 and 3",
        about=f"After {PAPER}. Annotation: an item is a factoid and a text. Definition: an item is a text, and a pair "
        "of factoids that are equal or of which one says a part of the other. P(E) pools the answers of all.",
        columns=(
            Column("kind", "Kind"),
            Column("phase", "Phase", "number"),
            Column("step", "Step"),
            Column("annotators", "Annotators"),
            Column("relation", "Relation"),
            Column("K", "K", "number", has_interval=True, has_reason=True),
            *(Column(name, title, "number") for name, title in (("N", "N"), ("k", "k"), ("n", "n"))),
            Column("P_A", "P(A)", "number"),
            Column("P_E", "P(E)", "number"),
            Column("cohen", "Cohen κ", "number"),
        ),
        rows=shown,
        notes=reasons(shown),
        missing="" if shown else "Nobody has worked on this text set yet.",
    )


def agreement_row(kind: str, row: Mapping[str, Any]) -> list[Cell]:
    bounds, why = decimal_bounds(row["low"], row["high"], 2), unended(row["reason"])
    kappa = replace(decimal(row["K"], 2, why), interval=bounds)
    if row["K"] is not None:
        # What is missing is the interval, or Cohen's kappa of more than two.
        kappa = replace(kappa, why="", unbounded="" if bounds else why)
    return [
        words(kind),
        whole(row["phase"]),
        words(STEPS[row["step"]]),
        words(", ".join(row["who"])),
        words(row["relation"] or ""),
        kappa,
        *(nothing() if row[name] is None else whole(row[name]) for name in ("N", "k", "n")),
        *(decimal(row[name], 3) for name in ("P_A", "P_E", "cohen")),
    ]


def unended(reason: str | None) -> str:
    """Return a reason without its full stop, which the notes of a table add."""
    return (reason or "").rstrip(".")


def pairing_table(view: Mapping[str, Any]) -> Table:
    """Make the list of links from `pairing_view`."""
    first, second = ({each.key: each for each in view[side]} for side in ("first_factoids", "second_factoids"))
    rows = [
        [
            *(words(text) for each in (first[link["a"]], second[link["b"]]) for text in (each.id, each.description)),
            decimal(link["f"], 3),
            words(LINK_WORDS[link["direction"]]),
            words(link["relation"] or ""),
        ]
        for link in view["links"]
    ]
    return Table(
        key="factoid_pairing",
        title="Pairs of factoids",
        source="section 4",
        about=f"After {PAPER}, with the threshold {view['threshold']:g} for a strong link. F is the F1 of sentences"
        + (f", with {view['description_weight']:g} of the descriptions' words." if view["description_weight"] else "."),
        columns=(
            Column("a", "A"),
            Column("a_description", "A's description", "long"),
            Column("b", "B"),
            Column("b_description", "B's description", "long"),
            Column("f", "F", "number"),
            Column("link", "Link"),
            Column("relation", "Relation"),
        ),
        rows=rows,
        missing="" if rows else "No two factoids of these lists are linked.",
    )


def relations_table(view: Mapping[str, Any]) -> Table:
    """Make figure 4 of the paper from `pairing_view`: relations by links."""
    table = view["comparison"]["table"]
    return Table(
        key="factoid_relations",
        title="Relations by links",
        source="figure 4",
        about=f"After {PAPER}: pairs of factoids by the relation that people gave and by their link.",
        columns=(Column("relation", "Relation"), *(Column(name, COLUMN_WORDS[name], "number") for name in COLUMNS)),
        rows=[[words(name), *(whole(counts[column]) for column in COLUMNS)] for name, counts in table.items()],
        notes=[f"{view['comparison']['n_not_judged']:,} links were not judged."],
    )


def rates_table(view: Mapping[str, Any]) -> Table:
    """Make the table of the five rates that the paper reads from figure 4."""
    rates = view["comparison"]["rates"]
    rows = [
        [words(text, key=name), decimal(rates[name], 3, "there is no such pair")] for name, text in RATE_WORDS.items()
    ]
    return Table(
        key="factoid_rates",
        title="How well links find relations",
        source="section 4",
        about=f"After {PAPER}, from the pairs that people judged.",
        columns=(Column("rate", "Share of", has_key=True), Column("value", "Value", "number", has_reason=True)),
        rows=rows,
        notes=reasons(rows),
    )


def weights_table(scores: Mapping[str, Any], descriptions: Mapping[str, str], share: float) -> Table:
    """Make the table of weights from `list_scores`, the heaviest first."""
    chosen = set(scores["consensus"])
    heaviest = sorted(scores["weights"].items(), key=lambda each: -each[1])
    rows = [
        [words(name), words(descriptions[name]), decimal(weight, 3), words("yes" if name in chosen else "no")]
        for name, weight in heaviest
    ]
    return Table(
        key="factoid_weights",
        title="Weights of factoids",
        source="section 5",
        about=f"After {SUMMARIES}: the share of the texts that have a factoid. The consensus summary has the factoids "
        f"with a weight of {share:g} or more.",
        columns=(
            Column("factoid", "Factoid"),
            Column("description", "Description", "long"),
            Column("weight", "Weight", "number"),
            Column("in_summary", "In the summary"),
        ),
        rows=rows,
        missing="" if rows else "The list has no factoid.",
    )


def scores_table(scores: Mapping[str, Any], gold: str | None) -> Table:
    """Make the table of the texts' scores from `list_scores`."""
    rows = [
        [
            words(each["text"]),
            words("system" if each["is_system"] else "people"),
            decimal(each["score"], 3, unended(each["reason"])),
            *([decimal(each["gold"], 3, unended(each["gold_reason"]))] if gold else []),
        ]
        for each in scores["scores"]
    ]
    overlap = [Column("gold", f"Overlap with {gold}", "number", has_reason=True)] if gold else []
    return Table(
        key="factoid_scores",
        title="Scores of texts",
        source="section 5",
        about=f"After {SUMMARIES}: weighted factoid recall, without a text's own vote. Systems' texts have no vote.",
        columns=(
            Column("text", "Text"),
            Column("by", "By"),
            Column("score", "Score", "number", has_reason=True),
            *overlap,
        ),
        rows=rows,
        notes=reasons(rows),
    )


def stability_table(points: Iterable[Mapping[str, Any]], draws: int, seed: int) -> Table:
    """Make the table of rank stability from `list_stability`."""
    rows = [
        [
            whole(each["m"]),
            whole(each["n"]),
            decimal(each["rho"], 3, unended(each["reason"])),
            decimal(each["sd"], 3),
        ]
        for each in points
    ]
    return Table(
        key="factoid_stability",
        title="Stability of the texts' ranking",
        source="section 5",
        about=f"After {SUMMARIES}: Spearman's ρ of the rankings by two halves of m texts, over {draws:,} draws with "
        f"the seed {seed}.",
        columns=(
            Column("m", "Texts in a half", "number"),
            Column("n", "Draws with a ρ", "number"),
            Column("rho", "Mean ρ", "number", has_reason=True),
            Column("sd", "Standard deviation", "number"),
        ),
        rows=rows,
        notes=reasons(rows),
        missing="" if rows else "Stability needs four texts that people wrote.",
    )
