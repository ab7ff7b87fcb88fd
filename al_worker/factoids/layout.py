"""Lay out a pairing for people to read, as Teufel and van Halteren (2004, 4) print it. Pure."""

from collections.abc import Iterator

from al_worker.factoids.lists import Factoid, FactoidList, natural_key
from al_worker.factoids.pairing import Link, Pairing


def pairing_text(pairing: Pairing, first: FactoidList, second: FactoidList) -> str:
    """Return a block for each strong link, then for each weak one, then a line for each factoid without a link."""
    blocks = ["\n".join(_block(link, first, second)) for link in (*pairing.strong, *pairing.weak)]
    rows = (("<", first, pairing.unlinked_a), (">", second, pairing.unlinked_b))
    alone = [f"UNLINKED {sign} [{name}] {of.by_id[name].description}" for sign, of, names in rows for name in names]
    return "\n\n".join((*blocks, *alone))


def marks(a: Factoid, b: Factoid) -> list[tuple[str, str]]:
    """Return (mark, sentence) for the sentences of two factoids: "=" in both, "<" only of A, ">" only of B."""
    groups = (("=", a.sentences & b.sentences), ("<", a.sentences - b.sentences), (">", b.sentences - a.sentences))
    return [(mark, sentence) for mark, group in groups for sentence in sorted(group, key=natural_key)]


def _block(link: Link, first: FactoidList, second: FactoidList) -> Iterator[str]:
    a, b = first.by_id[link.a], second.by_id[link.b]
    if link.direction is None:
        head = f"PAIRED [{a.id}] [{b.id}]"
    elif link.direction == "A->B":
        head = f"UNPAIRED < [{a.id}] BEST > [{b.id}]"
    else:
        head = f"UNPAIRED > [{b.id}] BEST < [{a.id}]"
    yield f"{head} | {link.f:.6f}"
    yield f"< {a.id} {a.description}"
    yield f"> {b.id} {b.description}"
    yield from (f"{mark} {sentence}" for mark, sentence in marks(a, b))
