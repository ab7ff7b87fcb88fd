"""Write the report as one HTML file: no script, nothing loaded from elsewhere, light and dark, with downloads."""

from collections.abc import Iterable
from html import escape
from urllib.parse import quote

from annotation_app.dashboards.report.csv_text import as_csv
from annotation_app.dashboards.report.figures import Figure
from annotation_app.dashboards.report.latex import as_latex
from annotation_app.dashboards.report.report import Report, Section
from annotation_app.dashboards.report.svg import as_svg
from annotation_app.dashboards.report.tables import Cell, Column, Table

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
STYLE = """
:root { color-scheme: light dark; --ink: #1c1e21; --mute: #5d636b; --line: #d9d9d4; --bg: #fff; --link: #2f5bd0; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8e8e6; --mute: #a3a8b0; --line: #3a3f47; --bg: #15171a; --link: #8ab0ff; }
}
body { margin: 0 auto; padding: 1.5rem 1rem 4rem; max-width: 66rem; background: var(--bg); color: var(--ink);
  font: 1rem/1.5 system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
h1, h2, h3 { line-height: 1.25; } h2 { margin-top: 3rem; } h3 { margin-bottom: 0.25rem; }
a { color: var(--link); } .mute { color: var(--mute); } small, .small { font-size: 0.875rem; }
nav ul { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; padding: 0; list-style: none; }
.scroll { overflow-x: auto; } .scroll:focus-visible { outline: 2px solid var(--link); }
table { border-collapse: collapse; border-block: 2px solid var(--ink); font-size: 0.9375rem; }
caption { text-align: start; padding-block: 0.25rem; color: var(--mute); }
th, td { padding: 0.25rem 0.75rem; text-align: start; vertical-align: top; }
thead th { border-bottom: 1px solid var(--ink); vertical-align: bottom; } th { font-weight: 600; }
tbody th { font-weight: 500; } .number { text-align: end; font-variant-numeric: tabular-nums; }
td.number { white-space: nowrap; } tbody th { min-width: 6.5rem; }
.interval { display: block; color: var(--mute); font-size: 0.8125rem; }
.long { min-width: 18rem; white-space: pre-line; overflow-wrap: anywhere; }
figure { margin: 1rem 0; } figure svg { max-width: 100%; height: auto; border: 1px solid var(--line); }
.heard { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.scroll { position: relative; }
.missing { padding: 0.75rem 1rem; border-inline-start: 4px solid var(--line); }
"""


def as_html(report: Report, *, paper: bool = False) -> str:
    """Escape everything: what people wrote into a codebook or a corpus is text here.

    With `paper` each table and figure names the one of the OP-FED paper that it follows.
    """
    name = escape(report.project.name)
    made = report.made_at.strftime("%Y-%m-%d %H:%M UTC")
    return "\n".join(
        [
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{escape(POLICY)}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>Report: {name}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>",
            f"<h1>Report: {name}</h1>",
            f"<p class='mute'>Tables and figures of this study, made {made}. Annotators stand by number.</p>",
            *(f"<p class='missing'>{escape(notice)}</p>" for notice in report.notices),
            contents(report.sections),
            *(section_html(section, paper) for section in report.sections),
            "</main>\n</body>\n</html>\n",
        ]
    )


def contents(sections: Iterable[Section]) -> str:
    links = "".join(f'<li><a href="#{section.key}">{escape(section.title)}</a></li>' for section in sections)
    return f'<nav aria-label="Sections"><ul>{links}</ul></nav>'


def section_html(section: Section, paper: bool) -> str:
    parts = [figure_html(figure, paper) for figure in section.figures]
    parts += [table_html(table, paper) for table in section.tables]
    head = f'<h2 id="{section.key}-title">{escape(section.title)}</h2>\n<p class="mute">{escape(section.question)}</p>'
    return f'<section id="{section.key}" aria-labelledby="{section.key}-title">\n{head}\n{"".join(parts)}</section>'


def head_html(title: str, about: str, source: str | None) -> str:
    said = f"<p class='small mute'>{escape(about)}</p>" if about else ""
    follows = f" <small class='mute'>in OP-FED: {escape(source)}</small>" if source else ""
    return f"<h3>{escape(title)}{follows}</h3>\n{said}"


def figure_html(figure: Figure, paper: bool) -> str:
    head = head_html(figure.title, figure.about, figure.source if paper else None)
    if figure.missing:
        return f"{head}\n{missing_html(figure.missing)}"
    drawing = as_svg(figure)
    link = download(f"{figure.key}.svg", "image/svg+xml", drawing, "SVG", figure.title)
    table = f"<details><summary>The numbers</summary>\n{grid(figure.table)}{links(figure.table)}</details>"
    return f"{head}\n<figure>{drawing}</figure>\n{notes_html(figure.notes)}<p class='small'>{link}</p>\n{table}"


def table_html(table: Table, paper: bool) -> str:
    head = head_html(table.title, table.about, table.source if paper else None)
    if table.missing:
        return f"{head}\n{missing_html(table.missing)}"
    return f"{head}\n{grid(table)}{notes_html(table.notes)}{links(table)}"


def missing_html(words: str) -> str:
    return f"<p class='missing'>{escape(words)}</p>\n"


def notes_html(notes: Iterable[str]) -> str:
    return "".join(f"<p class='small mute'>{escape(note)}</p>\n" for note in notes)


def grid(table: Table) -> str:
    title = escape(table.title)
    head = "".join(f'<th scope="col" class="{column.kind}">{escape(column.title)}</th>' for column in table.columns)
    rows = "\n".join(f"<tr>{cells(table.columns, row)}</tr>" for row in table.rows)
    body = f"<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}\n</tbody>"
    return f'<div class="scroll" role="group" aria-label="{title}" tabindex="0"><table>{body}</table></div>\n'


def cells(columns: Iterable[Column], row: Iterable[Cell]) -> str:
    return "".join(
        f'<th scope="row" class="{column.kind}">{shown(cell)}</th>'
        if place == 0
        else f'<td class="{column.kind}">{shown(cell)}</td>'
        for place, (column, cell) in enumerate(zip(columns, row, strict=True))
    )


def shown(cell: Cell) -> str:
    """Return a cell whose repetition is hidden from sight but not from screen readers."""
    if cell.repeats:
        return f'<span class="heard">{escape(cell.text)}</span>'
    beside = "".join(f' <span class="interval">{part}</span>' for part in (cell.bracketed, cell.basis) if part)
    return escape(cell.text) + beside


def links(table: Table) -> str:
    files = [
        download(f"{table.key}.csv", "text/csv;charset=utf-8", as_csv(table), "CSV", table.title),
        download(f"{table.key}.tex", "application/x-tex;charset=utf-8", as_latex(table), "LaTeX", table.title),
    ]
    return f"<p class='small'>{' · '.join(files)}</p>\n"


def download(name: str, media_type: str, text: str, words: str, title: str) -> str:
    address = f"data:{media_type},{quote(text)}"
    return f'<a download="{escape(name)}" href="{address}" aria-label="{words}: {escape(title)}">{words}</a>'
