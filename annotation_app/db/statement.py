"""Compose one SQL statement from files of named relations.

A *step file* holds relations in reading order: `name AS (SELECT ...)`, separated by commas.
An *output file* holds the final SELECT, which may begin with its own WITH. Comments may stand anywhere.
A relation is read where its name follows FROM, JOIN, USING or UPDATE: write `FROM a CROSS JOIN b`, never `FROM a, b`.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

TOKEN = re.compile(
    r"""
    (?P<comment>--[^\n]*|/\*.*?\*/)
    | '(?:[^']|'')*' | "(?:[^"]|"")*"
    | %\(\w+\)s
    | \w+
    | \S
    """,
    re.DOTALL | re.VERBOSE,
)
READS = {"FROM", "JOIN", "USING", "UPDATE"}
WRITES = {"INSERT", "UPDATE", "DELETE", "MERGE"}


class StatementInvalid(ValueError):
    """A step or output file is malformed, or two files of a statement define the same relation."""


@dataclass(frozen=True)
class Generated:
    """Relations that code writes, in the form of a step file. `name` is what messages call them."""

    name: str
    text: str


# Relations come from a step file, or from code.
Step = Path | Generated


@dataclass(frozen=True)
class Relation:
    """Hold `text`, which is `name AS (...)` with the comments before it, and `source`, the file where it stands.

    `reads` are the names that it reads; `writes` tells whether it changes data.
    """

    name: str
    text: str
    source: str
    reads: frozenset[str]
    writes: bool


@dataclass(frozen=True)
class Output:
    """Hold an output file.

    `head` has the comments before the WITH, `relations` are the file's own, and `select` is what follows them.
    """

    head: str
    relations: tuple[Relation, ...]
    select: str


def statement(steps: Iterable[Step], output: Path) -> str:
    """Return `output`, preceded by the relations of `steps` that it needs, each after those that it reads.

    A relation that changes data is always kept, because PostgreSQL runs it whether it is read or not.
    Values stay out of the text: the caller binds them by name. Raises StatementInvalid.
    """
    return _composed(tuple(steps), output)


def whole_statements(prefix: str, folder: Path, *, but: Collection[str] = ()) -> dict[str, str]:
    """Return the statements of a folder by `prefix.NAME`, without the files that `but` names.

    Files that need steps must be named there.
    """
    files = (path for path in sorted(folder.glob("*.sql")) if path.stem not in but)
    return {f"{prefix}.{path.stem}": statement([], path) for path in files}


def relations_in(step: Step) -> tuple[Relation, ...]:
    """Return the relations of a step file, or of a generated step, in reading order. Raises StatementInvalid."""
    if isinstance(step, Generated):
        return _relations_of_step(step.text, step.name)
    return _relations_in_file(step)


@cache
def _composed(steps: tuple[Step, ...], output: Path) -> str:
    final = output_in(output)
    named = _by_name([relation for step in steps for relation in relations_in(step)] + list(final.relations))
    kept = list(_in_order(named, _reads(_tokens(final.select))))
    if not kept:
        return _lines(final.head, final.select)
    relations = ",\n\n".join(relation.text for relation in kept)
    return _lines(final.head, f"WITH\n{relations}\n", final.select)


def _by_name(relations: Sequence[Relation]) -> dict[str, Relation]:
    named: dict[str, Relation] = {}
    for relation in relations:
        if (other := named.setdefault(relation.name, relation)) is not relation:
            raise StatementInvalid(f"{relation.name} is defined twice: in {other.source} and in {relation.source}.")
    return named


def _in_order(relations: dict[str, Relation], read_at_the_end: Iterable[str]) -> Iterator[Relation]:
    """Yield the relations that are needed, in reading order unless a relation reads a later one."""
    needed = _needed(relations, read_at_the_end)
    given: set[str] = set()

    def give(relation: Relation) -> Iterator[Relation]:
        if relation.name in given:
            return
        given.add(relation.name)
        for name, other in relations.items():
            if name in relation.reads:
                yield from give(other)
        yield relation

    for name, relation in relations.items():
        if name in needed:
            yield from give(relation)


def _needed(relations: dict[str, Relation], read_at_the_end: Iterable[str]) -> set[str]:
    waiting = [*read_at_the_end, *(name for name, relation in relations.items() if relation.writes)]
    needed: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name in relations and name not in needed:
            needed.add(name)
            waiting.extend(relations[name].reads)
    return needed


@cache
def _relations_in_file(path: Path) -> tuple[Relation, ...]:
    return _relations_of_step(path.read_text(encoding="utf-8"), str(path))


def _relations_of_step(text: str, source: str) -> tuple[Relation, ...]:
    relations, end = _relations_from(text, 0, source)
    if _tokens(text[end:]):
        raise StatementInvalid(f"{source}: the relations end before {text[end:].strip()[:40]!r}. Is a comma missing?")
    return relations


@cache
def output_in(path: Path) -> Output:
    """Return the parts of an output file. Raises StatementInvalid."""
    text = path.read_text(encoding="utf-8").strip()
    tokens = _tokens(text)
    if not tokens or tokens[0].group().upper() != "WITH":
        return Output("", (), text)
    relations, end = _relations_from(text, tokens[0].end(), str(path))
    return Output(text[: tokens[0].start()].strip(), relations, text[end:].strip())


def _relations_from(text: str, start: int, source: str) -> tuple[tuple[Relation, ...], int]:
    """Read the relations that begin at `start`. Return them and the offset after the last one."""
    tokens = [token for token in _tokens(text) if token.start() >= start]
    found: list[Relation] = []
    while True:
        opening = next((at for at, token in enumerate(tokens[:6]) if token.group() == "("), None)
        words = [token.group().upper() for token in tokens[: opening or 0]]
        if opening is None or words[1:] not in (["AS"], ["AS", "MATERIALIZED"], ["AS", "NOT", "MATERIALIZED"]):
            raise StatementInvalid(f"{source}: `name AS (` is expected at {text[start:].strip()[:40]!r}.")
        closing = _closing(tokens, opening, source)
        found.append(_relation(text[start : tokens[closing].end()], tokens[: closing + 1], opening, source))
        start, tokens = tokens[closing].end(), tokens[closing + 1 :]
        if not tokens or tokens[0].group() != ",":
            return tuple(found), start
        start, tokens = tokens[0].end(), tokens[1:]


def _relation(text: str, tokens: Sequence[re.Match[str]], opening: int, source: str) -> Relation:
    body = tokens[opening + 1 : -1]
    return Relation(tokens[0].group(), text.strip(), source, _reads(body), _writes(body))


def _closing(tokens: Sequence[re.Match[str]], opening: int, source: str) -> int:
    depth = 0
    for at, token in enumerate(tokens[opening:], opening):
        depth += {"(": 1, ")": -1}.get(token.group(), 0)
        if depth == 0:
            return at
    raise StatementInvalid(f"{source}: {tokens[0].group()} has no closing bracket.")


def _tokens(text: str) -> list[re.Match[str]]:
    return [token for token in TOKEN.finditer(text) if token["comment"] is None]


def _reads(tokens: Sequence[re.Match[str]]) -> frozenset[str]:
    words = [token.group() for token in tokens]
    return frozenset(word for before, word in pairwise(words) if before.upper() in READS)


def _writes(body: Sequence[re.Match[str]]) -> bool:
    """Return whether the verb of a relation changes data. The verb stands first, or after the relation's own WITH."""
    depth, before = 0, ")"
    for token in body:
        word = token.group()
        if depth == 0 and before == ")" and word.upper() in WRITES:
            return True
        depth += {"(": 1, ")": -1}.get(word, 0)
        before = word
    return False


def _lines(*parts: str) -> str:
    return "\n".join(part for part in parts if part)
