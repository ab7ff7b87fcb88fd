"""Write the report as one HTML file: no script, nothing loaded from elsewhere, light and dark, with downloads."""

from pathlib import Path
from typing import Any

from django.template import Context, Engine

from al_worker.formats.drawing import MEDIA_TYPES, data_address
from al_worker.formats.paper_csv import as_csv
from al_worker.formats.paper_latex import as_latex
from al_worker.formats.paper_tables import Table
from annotation_app.dashboards.report.drawing import figure_files
from annotation_app.dashboards.report.figures import Figure
from annotation_app.dashboards.report.report import Report, Section

ENGINE = Engine(dirs=[str(Path(__file__).parent / "templates")])


def as_html(report: Report, *, paper: bool = False) -> str:
    """Return the file. The template escapes everything: what people wrote into a codebook or a corpus is text here.

    With `paper` each table and figure names the one of the OP-FED paper that it follows.
    """
    context = {
        "report": report,
        "made": report.made_at.strftime("%Y-%m-%d %H:%M UTC"),
        "sections": [section_context(section) for section in report.sections],
        "paper": paper,
    }
    return ENGINE.get_template("report.html").render(Context(context))


def section_context(section: Section) -> dict[str, Any]:
    figures = [figure_context(figure) for figure in section.figures]
    return vars(section) | {"figures": figures, "tables": [table_context(table) for table in section.tables]}


def figure_context(figure: Figure) -> dict[str, Any]:
    files = {} if figure.missing else figure_files(figure)
    shown = [
        file_context(f"{figure.key}.{kind}", MEDIA_TYPES[kind], data, kind.upper()) for kind, data in files.items()
    ]
    return vars(figure) | {"files": shown, "table": table_context(figure.table)}


def table_context(table: Table) -> dict[str, Any]:
    rows = [list(zip(table.columns, row, strict=True)) for row in table.rows]
    files = [
        file_context(f"{table.key}.csv", "text/csv;charset=utf-8", as_csv(table).encode(), "CSV"),
        file_context(f"{table.key}.tex", "application/x-tex;charset=utf-8", as_latex(table).encode(), "LaTeX"),
    ]
    return vars(table) | {"rows": rows, "files": files}


def file_context(name: str, media_type: str, data: bytes, words: str) -> dict[str, str]:
    return {"name": name, "address": data_address(media_type, data), "words": words}
