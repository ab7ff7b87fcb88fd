"""Numbers, lists and days in words: pure."""

from collections.abc import Iterable, Sequence
from datetime import date


def several(n: int, one: str, many: str = "") -> str:
    """As in "1 item", "1,050 items", "0 items"."""
    return f"{n:,} {one if n == 1 else many or one + 's'}"


def listed(parts: Sequence[str]) -> str:
    """As in "a", "a and b", "a, b and c"."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} and {parts[-1]}"


def numbers(found: Sequence[int]) -> str:
    """Rising numbers, three or more in a row as a range: "1, 3 to 7 and 9"."""
    runs: list[list[int]] = []
    for number in found:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    parts = [[f"{run[0]} to {run[-1]}"] if len(run) > 2 else list(map(str, run)) for run in runs]
    return listed([part for each in parts for part in each])


def percent(part: int, whole: int) -> str:
    """With one decimal; what would be 0.0 and is not stands as less than the least."""
    share = 100 * part / whole
    return "<0.1%" if 0 < share < 0.05 else f"{share:.1f}%"


def day(when: date) -> str:
    """As in "6 April 2025"."""
    return f"{when.day} {when:%B %Y}"


def bullets(lines: Iterable[str]) -> str:
    """A list; one line alone is a paragraph."""
    said = list(lines)
    return "\n".join(f"- {line}" for line in said) if len(said) > 1 else "".join(said)


def paragraphs(parts: Iterable[str]) -> str:
    """Parts that are not empty, a blank line between."""
    return "\n\n".join(part for part in parts if part)
