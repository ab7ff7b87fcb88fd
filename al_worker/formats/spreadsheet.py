"""Neutralize text so that a spreadsheet shows it and never runs it."""

# What a spreadsheet reads as the start of a formula.
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n")


def neutral(text: str) -> str:
    """Put an apostrophe before what would start a formula; blanks before it do not hide it. A number stays one."""
    starts = text.startswith(FORMULA_STARTS) or text.lstrip().startswith(FORMULA_STARTS)
    return f"'{text}" if starts and not is_number(text) else text


def is_number(text: str) -> bool:
    """Tell whether the text is a plain decimal number, such as -1 or +0.5, which cannot be run."""
    digits = text.removeprefix("-").removeprefix("+") if text[:2] not in ("-+", "+-") else text
    whole, _, part = digits.partition(".")
    return digits.isascii() and whole.isdigit() and (not part or part.isdigit())
