"""A project with OP-FED's marginals prints the paper's rows."""

import pytest

from annotation_app.dashboards.report.report import Report, project_report
from annotation_app.dashboards.report.tables import Table
from tests.conftest import People
from tests.dashboards.paper import fill_paper


@pytest.fixture
def report(people: People) -> Report:
    fill_paper(people.project, people.annotators)
    return project_report(project=people.project)


def table(report: Report, key: str) -> Table:
    found = [table for section in report.sections for table in section.tables if table.key == key]
    assert len(found) == 1, key
    assert found[0].missing == ""
    return found[0]


def texts(shown: Table) -> list[list[str]]:
    return [[cell.text for cell in row] for row in shown.rows]


def test_it_prints_the_papers_tables(report: Report) -> None:
    for row in texts(table(report, "table_2")):
        print(row)
    for row in texts(table(report, "table_3")):
        print(row)
    for row in texts(table(report, "table_4")):
        print(row)
    for row in texts(table(report, "table_7_opinion")):
        print(row)
    for row in texts(table(report, "table_8")):
        print(row)
    assert 0
