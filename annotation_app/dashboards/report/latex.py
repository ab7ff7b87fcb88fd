"""A table as LaTeX with booktabs."""

import re

from annotation_app.dashboards.report.tables import Cell, Column, Table

# In a text of LaTeX's default encoding (UTF-8 since 2018); what is not named here stands as it is.
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
    '"': "''",
    "κ": r"$\kappa$",
    "α": r"$\alpha$",
    "→": r"$\rightarrow$",
    "−": "$-$",
    "×": r"$\times$",
    "–": "--",
    "—": "---",
    "…": r"\ldots{}",
    "\u00a0": "~",
    "\n": r"\newline ",
}
CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f]+")
ALIGN = {"text": "l", "number": "r", "long": r"p{0.6\linewidth}"}


def escape(text: str) -> str:
    """Text that prints as it is. A star or bracket in front is kept from being read as an option of the line break."""
    plain = CONTROL.sub(" ", text.replace("\r\n", "\n"))
    done = "".join(SPECIAL.get(character, character) for character in plain)
    return f"{{{done[0]}}}{done[1:]}" if done[:1] in ("*", "[") else done


def as_latex(table: Table) -> str:
    """A floating table: caption, label, head and rows. Needs the package booktabs."""
    align = "".join(ALIGN[column.kind] for column in table.columns)
    lines = [
        r"% Needs \usepackage{booktabs}.",
        r"\begin{table}[t]",
        r"\centering",
        r"\small",
        rf"\begin{{tabular}}{{{align}}}",
        r"\toprule",
        row_text([head(column) for column in table.columns]),
        r"\midrule",
        *(row_text([body(cell) for cell in row]) for row in table.rows),
        r"\bottomrule",
        r"\end{tabular}",
        rf"\caption{{\textbf{{{escape(table.title)}.}} {escape(' '.join([table.about, *table.notes]))}}}",
        rf"\label{{tab:{re.sub('[^a-z0-9]+', '-', table.key.lower())}}}",
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def head(column: Column) -> str:
    return rf"\textbf{{{escape(column.title)}}}"


def body(cell: Cell) -> str:
    return "" if cell.repeats else escape(cell.text)


def row_text(cells: list[str]) -> str:
    return " & ".join(cells) + r" \\"
