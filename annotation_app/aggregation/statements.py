"""SQL kept in files: one relation a file, put together into one statement of named parts."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Literal, get_args

# Which answers count: the independent ones (1), or those after the second look where somebody took one (2).
Phase = Literal[1, 2]
PHASES: tuple[Phase, ...] = get_args(Phase)

SQL = Path(__file__).parent / "sql"

# What agreement on spans starts from too.
SUBMITTED = {name: SQL / f"{name}.sql" for name in ("asked", "assigned", "submitted")}
# What every statement about labels starts from: the answers that count, folded by item and stage.
FOLDED = SUBMITTED | {"votes": SQL / "votes.sql", "folded": SQL / "folded.sql"}
VERDICTS = FOLDED | {"verdicts": SQL / "verdicts.sql"}
BY_UNIT = VERDICTS | {"by_unit": SQL / "by_unit.sql"}
# What was decided beside the votes; needs no other part.
DECIDED = {"decided": SQL / "decided.sql"}
# Whether answers are newer than what was decided; needs `decided`, and the number of the phase.
REVISED = {"revised": SQL / "revised.sql"}
# Which items have all answers that they need; needs no other part.
FINISHED = {"finished": SQL / "finished.sql"}
VOTES: dict[Phase, Path] = {1: SQL / "votes.sql", 2: SQL / "votes_second.sql"}


def in_phase(parts: Mapping[str, Path], phase: Phase) -> dict[str, Path]:
    """The same parts over the answers of that phase."""
    return {**parts, "votes": VOTES[phase]}


@cache
def read(path: Path) -> str:
    return path.read_text(encoding="utf-8").strip()


def statement(parts: Mapping[str, Path], last: Path) -> str:
    """`last` with `parts` before it as named relations, each seeing those that stand before it.

    Values stay out of the text: the caller binds them by name.
    """
    named = ",\n".join(f"{name} AS (\n{read(path)}\n)" for name, path in parts.items())
    return f"WITH {named}\n{read(last)}"
