"""Write a table as LaTeX with booktabs."""

import re
import unicodedata
from collections.abc import Iterator
from textwrap import wrap

from al_worker.formats.paper_tables import Cell, Column, Table

# In a text whose encoding is T1; what is not named here stands as it is, in UTF-8.
SPECIAL = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "`": r"\textasciigrave{}",
    "–": r"\textendash{}",
    "—": r"\textemdash{}",
    "…": r"\ldots{}",
    "−": "$-$",
    "→": r"$\rightarrow$",
    "←": r"$\leftarrow$",
    "↑": r"$\uparrow$",
    "↓": r"$\downarrow$",
    "⇒": r"$\Rightarrow$",
    "×": r"$\times$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "≠": r"$\neq$",
    "≈": r"$\approx$",
    "∞": r"$\infty$",
    "√": r"$\surd$",
    "∑": r"$\sum$",
    "\u00a0": "~",
    "\u2009": r"\,",
    "\u202f": r"\,",
}
GREEK_NAMES = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho varsigma sigma tau upsilon phi "
    "chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega"
)
GREEK = {
    letter: rf"$\{name}$"
    for letter, name in zip("αβγδεζηθικλμνξπρςστυφχψωΓΔΘΛΞΠΣΦΨΩ", GREEK_NAMES.split(), strict=True)
}
# Those without a command look like these.
LATIN = dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧο", "ABEZHIKMNOPTYXo", strict=True))
PRINTED = SPECIAL | GREEK | LATIN
LINE_ENDS = re.compile(r"\r\n|[\u2028\u2029]")
CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]+")
# Marks that have no width: they would stop LaTeX.
UNSEEN = re.compile(r"[\u00ad\u200b-\u200f\u2060\ufe0e\ufe0f\ufeff]")
# Two of them side by side would be printed as one other sign.
LIGATURES = re.compile(r"(?<=[-',])(?=[-',])")
# Letters in a line: of a head; of a column of the paper, beyond which a table takes both; of a text that is broken.
HEAD, ONE_COLUMN, LONG = 16, 44, 40
INTERVAL = r"""% Intervals are an addition. Before the table, \newcommand{\interval}[1]{} leaves them out.
\providecommand{\interval}[1]{\,{\scriptsize[#1]}}"""
NUMBERS = r"""% So are the numbers of items that a value stands on: \newcommand{\nitems}[1]{} leaves them out.
\providecommand{\nitems}[1]{\,{\scriptsize($n$ = #1)}}"""


def escape(text: str, *, lines: str = " ") -> str:
    """Return text that prints as it is; `lines` stands between its lines.

    A star or bracket in front is kept from being read as an option of the line break before it.
    """
    plain = unicodedata.normalize("NFC", UNSEEN.sub("", CONTROL.sub(" ", LINE_ENDS.sub("\n", text)))).strip()
    done = "".join(PRINTED.get(character, character) for character in LIGATURES.sub("\0", plain))
    done = done.replace("\0", "{}").replace("\n", lines)
    return f"{{{done[0]}}}{done[1:]}" if done[:1] in ("*", "[") else done


def as_latex(table: Table) -> str:
    """Write a floating table with caption, label, head and rows.

    A wide table spans both columns of a paper, and is shrunk where it is wider still. It needs the packages that its
    first line names.
    """
    n_long = sum(column.kind == "long" for column in table.columns)
    wide = "table*" if sum(letters(table)) > ONE_COLUMN else "table"
    lines = [
        r"% Needs \usepackage{booktabs}, \usepackage{adjustbox} and \usepackage[T1]{fontenc}.",
        *([INTERVAL] if any(cell.interval for row in table.rows for cell in row) else []),
        *([NUMBERS] if any(cell.basis for row in table.rows for cell in row) else []),
        rf"\begin{{{wide}}}[t]",
        r"\centering",
        r"\small",
        r"\begin{adjustbox}{max width=\linewidth}",
        rf"\begin{{tabular}}{{{''.join(align(column, n_long) for column in table.columns)}}}",
        r"\toprule",
        row_text([head(column) for column in table.columns]),
        r"\midrule",
        *(row_text([body(*each) for each in zip(table.columns, row, strict=True)]) for row in table.rows),
        r"\bottomrule",
        r"\end{tabular}",
        r"\end{adjustbox}",
        rf"\caption{{\textbf{{{escape(table.title)}.}} {escape(' '.join([table.about, *table.notes]))}}}",
        rf"\label{{tab:{re.sub('[^a-z0-9]+', '-', table.key.lower())}}}",
        rf"\end{{{wide}}}",
    ]
    return "\n".join(lines) + "\n"


def letters(table: Table) -> Iterator[int]:
    """Return the width of each column in letters."""
    for place, column in enumerate(table.columns):
        shown = [row[place] for row in table.rows]
        widest = max((len(cell.text) + len(cell.bracketed) + len(cell.basis) for cell in shown), default=0)
        yield LONG if column.kind == "long" else max(widest, *map(len, head_lines(column)))


def align(column: Column, n_long: int) -> str:
    """Return the column alignments; long texts share the width beside an id and some labels."""
    if column.kind == "long":
        return rf"p{{{0.7 / n_long:.2f}\linewidth}}"
    return {"text": "l", "number": "r"}[column.kind]


def head_lines(column: Column) -> list[str]:
    return wrap(column.title, HEAD, break_long_words=False, break_on_hyphens=False) or [""]


def head(column: Column) -> str:
    lines = [rf"\textbf{{{escape(line)}}}" for line in head_lines(column)]
    if len(lines) == 1:
        return lines[0]
    side = "r" if column.kind == "number" else "l"
    broken = r"\\".join(lines)
    return rf"\shortstack[{side}]{{{broken}}}"


def body(column: Column, cell: Cell) -> str:
    if cell.repeats:
        return ""
    text = escape(cell.text, lines=r"\newline " if column.kind == "long" else " ")
    interval = rf"\interval{{{escape(cell.interval.text)}}}" if cell.interval else ""
    return text + interval + ("" if cell.n is None else rf"\nitems{{{cell.n:,}}}")


def row_text(cells: list[str]) -> str:
    return " & ".join(cells) + r" \\"
