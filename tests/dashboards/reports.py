"""Reading a report in tests."""

from al_worker.formats.paper_tables import Table
from annotation_app.dashboards.report.figures import Figure
from annotation_app.dashboards.report.report import Report


def table(report: Report, key: str) -> Table:
    (found,) = [table for section in report.sections for table in section.tables if table.key == key]
    return found


def figure(report: Report, key: str) -> Figure:
    (found,) = [figure for section in report.sections for figure in section.figures if figure.key == key]
    return found


def texts(shown: Table, *places: int) -> list[list[str]]:
    """The rows as they are shown, or some of their columns."""
    assert shown.missing == ""
    return [[row[place].text for place in places or range(len(row))] for row in shown.rows]
