"""Compare a pairing with the relations that people gave (Teufel and van Halteren 2004, figure 4). Pure."""

from collections.abc import Mapping, Sequence
from typing import Any

from al_worker.factoids.lists import EQUAL, RELATIONS, SUBSUMED, SUBSUMES, UNRELATED, Relations
from al_worker.factoids.pairing import Pairing

STRONG, FROM_B, FROM_A, UNLINKED = "strong", "A<-B", "A->B", "unlinked"
COLUMNS = (STRONG, FROM_B, FROM_A, UNLINKED)
# {relation: {column: number of pairs}}
Table = Mapping[str, Mapping[str, int]]


def comparison(pairing: Pairing, relations: Relations) -> dict[str, Any]:
    """Return the table of relations by links, its five rates, and the number of links that nobody judged.

    A pair of factoids without a relation is in no cell.
    """
    links = {(link.a, link.b): link.direction or STRONG for link in (*pairing.strong, *pairing.weak)}
    table = {relation: dict.fromkeys(COLUMNS, 0) for relation in RELATIONS}
    for ends, relation in relations.items():
        table[relation][links.get(ends, UNLINKED)] += 1
    return {"table": table, "rates": rates(table), "n_not_judged": len(links.keys() - relations.keys())}


def rates(table: Table) -> dict[str, float | None]:
    """Return the five shares that the paper reads from its table; None where a share is of nothing.

    Three are of pairs: equal ones with a strong link, equal ones without a link, and subsumptions with a link.
    Two are of links: strong ones and weak ones between what is unrelated.
    """
    weak = (FROM_B, FROM_A)
    subsumptions = (SUBSUMES, SUBSUMED)
    return {
        "equal_strong": _share(table, (EQUAL,), (STRONG,), (EQUAL,), COLUMNS),
        "equal_unlinked": _share(table, (EQUAL,), (UNLINKED,), (EQUAL,), COLUMNS),
        "subsumption_linked": _share(table, subsumptions, (STRONG, *weak), subsumptions, COLUMNS),
        "strong_unrelated": _share(table, (UNRELATED,), (STRONG,), RELATIONS, (STRONG,)),
        "weak_unrelated": _share(table, (UNRELATED,), weak, RELATIONS, weak),
    }


def _share(
    table: Table, rows: Sequence[str], columns: Sequence[str], all_rows: Sequence[str], all_columns: Sequence[str]
) -> float | None:
    n = _sum(table, all_rows, all_columns)
    return _sum(table, rows, columns) / n if n else None


def _sum(table: Table, rows: Sequence[str], columns: Sequence[str]) -> int:
    return sum(table[row][column] for row in rows for column in columns)
