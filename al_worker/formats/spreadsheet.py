"""Neutralize text so that a spreadsheet shows it and never runs it. `frontend/src/text/csv.ts` has the same rule."""

import re

# What a spreadsheet reads as the start of a formula.
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n")
# A plain decimal number, such as -1 or +0.5, cannot be run.
NUMBER = re.compile(r"[-+]?[0-9]+(?:\.[0-9]*)?")


def neutral(text: str) -> str:
    """Put an apostrophe before what would start a formula; blanks before it do not hide it. A number stays one."""
    starts = text.startswith(FORMULA_STARTS) or text.lstrip().startswith(FORMULA_STARTS)
    return f"'{text}" if starts and not NUMBER.fullmatch(text) else text
