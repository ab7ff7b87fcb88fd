"""Write lists, shares and days in words. Pure: no I/O."""

from collections.abc import Iterable, Sequence
from datetime import date


def listed(parts: Sequence[str]) -> str:
    """Return a list such as "a", "a and b", "a, b and c"."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} and {parts[-1]}"


def numbers(found: Sequence[int]) -> str:
    """Return rising numbers, three or more in a row as a range: "1, 3 to 7 and 9"."""
    runs: list[list[int]] = []
    for number in found:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    parts = [[f"{run[0]} to {run[-1]}"] if len(run) > 2 else list(map(str, run)) for run in runs]
    return listed([part for each in parts for part in each])


def percent(part: int, whole: int) -> str:
    """Return a percentage with one decimal; a small share is written as less than the least one."""
    share = 100 * part / whole
    return "<0.1%" if 0 < share < 0.05 else f"{share:.1f}%"


def day(when: date) -> str:
    """Return a day such as "6 April 2025"."""
    return f"{when.day} {when:%B %Y}"


def bullets(lines: Iterable[str]) -> str:
    """Return a Markdown list; one line alone is a paragraph."""
    said = list(lines)
    return "\n".join(f"- {line}" for line in said) if len(said) > 1 else "".join(said)


def paragraphs(parts: Iterable[str]) -> str:
    """Join the parts that are not empty with blank lines."""
    return "\n\n".join(part for part in parts if part)
