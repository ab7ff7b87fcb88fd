"""Recognise the marks that other tools write where an answer is missing.

All files of labels share one list and rule.
"""

import csv
import io
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field

from al_worker.formats.plurals import several

# Written by R, pandas and Excel (NA and its like), Python (None), SQL and JSON (null), SPSS, SAS and Stata (a point),
# and surveys (-99); a blank cell is a mark too. Labels must equal a mark, but numbers may have decimals, as in -99.0.
MARKS = (
    "",
    *("NA", "na", "N/A", "n/a", "#N/A", "#NA", "<NA>", "NaN", "nan", "NAN", "-nan", "-NaN", "NaT"),
    *("None", "null", "NULL", "Null", "#NULL!", "."),
    *("-99", "-999", "-9999"),
)
# These may mean that an answer is missing, but as often they are labels. They stay labels, and a notice tells.
DOUBTFUL = ("none", "NONE", "Na", "N/a", "missing", "Missing", "MISSING", "-", "--", "..", "?", "-9", "999", "9999")


def mark_in(label: str, marks: Collection[str]) -> str | None:
    """Return the mark that the label is, or None where it is a label. White space around it is ignored."""
    plain = label.strip()
    if plain in marks:
        return plain
    number, point, decimals = plain.partition(".")
    is_whole = bool(point) and bool(number) and not decimals.strip("0")
    return number if is_whole and number.lstrip("-").isdigit() and number in marks else None


# A notice names this many lines and counts the rest.
NAMED = 20
NAME_THEM = (
    "Give --missing with the marks that you use, separated by commas; --missing '' where all of them are labels."
)
MAY_BE_MARKS = "If they mean that there is no answer, name them with --missing."


class MissingInvalid(Exception):
    """Signal marks that cannot be read, or that an order contradicts. The message says which, and the remedy."""


def marks_read(given: str | None, ordered: Collection[str] = ()) -> frozenset[str]:
    """Return the marks: for `a,b,c` those three, for an empty text none, and for None the documented ones.

    `ordered` are the labels that the orders name. They are labels, whatever they look like. Raises MissingInvalid.
    """
    if given is None:
        return frozenset(MARKS) - set(ordered)
    try:
        marks = {mark.strip() for cells in csv.reader([given], skipinitialspace=True) for mark in cells}
    except csv.Error:
        raise MissingInvalid(f"--missing {given}: give one line of marks with commas between them.") from None
    if both := sorted(marks & set(ordered)):
        raise MissingInvalid(f"--missing {given}: --order names {both[0]!r} as a label. Leave it out of one.")
    return frozenset(marks)


def marks_written(marks: Collection[str]) -> str:
    """Return the text that `marks_read` reads as these marks."""
    line = io.StringIO()
    if marks:
        csv.writer(line, lineterminator="").writerow(sorted(marks))
    return line.getvalue()


@dataclass
class Missing:
    """Collect the lines of a file that hold a mark, and count the labels that may be meant as one.

    `name_them` and `may_be_marks` are the remedies that its notices end with.
    """

    marks: frozenset[str]
    name_them: str = NAME_THEM
    may_be_marks: str = MAY_BE_MARKS
    lines: list[int] = field(default_factory=list)
    found: Counter[str] = field(default_factory=Counter)
    doubtful: Counter[str] = field(default_factory=Counter)

    def takes(self, line: int, label: str) -> bool:
        """Return True where the label is a mark, and remember the line."""
        mark = mark_in(label, self.marks)
        if mark is None:
            if mark_in(label, MARKS) is not None or label in DOUBTFUL:
                self.doubtful[label] += 1
            return False
        self.found[mark] += 1
        if len(self.lines) < NAMED:
            self.lines.append(line)
        return True

    @property
    def notices(self) -> list[str]:
        """Return notices: how many lines were left out and which, and which labels look like marks."""
        said = []
        if n := self.found.total():
            marks = ", ".join(f"{named(mark)}: {times:,}" for mark, times in sorted(self.found.items()))
            more = f" and {n - NAMED:,} more" if n > NAMED else ""
            said.append(
                f"{lines_words(n)} a mark for missing ({marks}) and {'is' if n == 1 else 'are'} left out: "
                f"{'line' if n == 1 else 'lines'} {', '.join(map(str, self.lines))}{more}. {self.name_them}".rstrip()
            )
        if self.doubtful:
            counted = ", ".join(f"{named(label)} on {several(n, 'line')}" for label, n in sorted(self.doubtful.items()))
            said.append(f"Counted as labels, though they look like marks for missing: {counted}. {self.may_be_marks}")
        return said


def lines_words(n: int) -> str:
    return f"{several(n, 'line')} {'holds' if n == 1 else 'hold'}"


def named(mark: str) -> str:
    """Return the mark as notices name it."""
    return mark or "a blank cell"
