"""A table as LaTeX with booktabs."""

import re
import unicodedata

from annotation_app.dashboards.report.tables import Cell, Column, Table

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
# A table for the width of the page, where the paper has two columns.
MANY_COLUMNS = 6
INTERVAL = r"""% Intervals are an addition. Before the table, \newcommand{\interval}[1]{} leaves them out.
\providecommand{\interval}[1]{\,{\scriptsize[#1]}}"""


def escape(text: str, *, lines: str = " ") -> str:
    """Text that prints as it is; `lines` stands between its lines. A star or bracket in front is kept from being read
    as an option of the line break before it.
    """
    plain = unicodedata.normalize("NFC", UNSEEN.sub("", CONTROL.sub(" ", LINE_ENDS.sub("\n", text)))).strip()
    done = "".join(PRINTED.get(character, character) for character in LIGATURES.sub("\0", plain))
    done = done.replace("\0", "{}").replace("\n", lines)
    return f"{{{done[0]}}}{done[1:]}" if done[:1] in ("*", "[") else done


def as_latex(table: Table) -> str:
    """A floating table: caption, label, head and rows. Needs the package booktabs and fonts in the encoding T1."""
    n_long = sum(column.kind == "long" for column in table.columns)
    wide = "table*" if n_long or len(table.columns) > MANY_COLUMNS else "table"
    lines = [
        r"% Needs \usepackage{booktabs} and \usepackage[T1]{fontenc}.",
        *([INTERVAL] if any(cell.interval for row in table.rows for cell in row) else []),
        rf"\begin{{{wide}}}[t]",
        r"\centering",
        r"\small",
        rf"\begin{{tabular}}{{{''.join(align(column, n_long) for column in table.columns)}}}",
        r"\toprule",
        row_text([head(column) for column in table.columns]),
        r"\midrule",
        *(row_text([body(*each) for each in zip(table.columns, row, strict=True)]) for row in table.rows),
        r"\bottomrule",
        r"\end{tabular}",
        rf"\caption{{\textbf{{{escape(table.title)}.}} {escape(' '.join([table.about, *table.notes]))}}}",
        rf"\label{{tab:{re.sub('[^a-z0-9]+', '-', table.key.lower())}}}",
        rf"\end{{{wide}}}",
    ]
    return "\n".join(lines) + "\n"


def align(column: Column, n_long: int) -> str:
    """Long texts share the width that is left beside an id and some labels."""
    if column.kind == "long":
        return rf"p{{{0.7 / n_long:.2f}\linewidth}}"
    return {"text": "l", "number": "r"}[column.kind]


def head(column: Column) -> str:
    return rf"\textbf{{{escape(column.title)}}}"


def body(column: Column, cell: Cell) -> str:
    if cell.repeats:
        return ""
    text = escape(cell.text, lines=r"\newline " if column.kind == "long" else " ")
    return rf"{text}\interval{{{escape(cell.interval.text)}}}" if cell.interval else text


def row_text(cells: list[str]) -> str:
    return " & ".join(cells) + r" \\"
