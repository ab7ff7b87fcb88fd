"""A project with OP-FED's marginals prints the paper's rows."""

from al_worker.formats.paper_tables import Table
from annotation_app.dashboards.report.report import project_report
from tests.conftest import People
from tests.dashboards.paper import fill_paper
from tests.dashboards.reports import figure, table, texts


def counts(shown: Table) -> dict[str, str]:
    """{stage: its counts in the codebook's order of labels, no majority last}."""
    found: dict[str, list[str]] = {}
    for stage, _, n in texts(shown, 0, 1, 2):
        found.setdefault(stage, []).append(n)
    return {stage: "/".join(numbers) for stage, numbers in found.items()}


def test_it_prints_the_papers_rows(people: People) -> None:
    fill_paper(people.project, people.annotators)
    report = project_report(project=people.project)
    assert texts(table(report, "table_2")) == [
        ["Opinion", "24.5%", "49", "200", "52.3%", "546", "1,044", "2.13"],
        ["→ Monetary policy", "13.5%", "27", "200", "26.1%", "272", "1,044", "1.93"],
        ["→→ Stance", "7.5%", "15", "200", "13.5%", "141", "1,044", "1.80"],
    ]
    assert [row[-1].bracketed for row in table(report, "table_2").rows] == [
        "[1.66, 2.74]",
        "[1.34, 2.78]",
        "[1.08, 3.00]",
    ]
    labels = table(report, "table_3")
    # The codebook has contradiction before neutral; the paper prints 47, 18, 94, 15.
    assert counts(labels) == {
        "Pool": "8/1,250",
        "Opinion": "546/496/2/6",
        "Monetary policy": "272/214/1/59",
        "Context for monetary policy": "99/119/20/4/30",
        "Stance": "47/94/18/15/98",
        "Context for stance": "24/111/22/5/12",
    }
    # The paper's coefficients are of the items with a majority.
    assert [row[7].text for row in table(report, "agreement_stages").rows[:2]][1] == "0.57"
    humans = table(report, "table_4")
    # The paper prints 485 at the second stage, where 272 + 214 = 486.
    assert [column.title.split(" (")[-1] for column in humans.columns[1:]] == [
        "n = 1,042)",
        "n = 486)",
        "n = 242)",
        "n = 159)",
        "n = 162)",
    ]
    own = [row for row in texts(humans) if row[0].endswith("own vote included") or row[0] == "Majority class"]
    assert own[:3] == [
        ["Majority class", "0.52", "0.56", "0.59", "0.59", "0.85"],
        ["Lowest annotator, own vote included", "0.85", "0.85", "0.86", "0.79", "0.85"],
        ["Highest annotator, own vote included", "0.95", "0.89", "0.89", "0.89", "0.93"],
    ]
    # The other answers behind these marginals give the total of Table 7 a hair above the printed 0.567.
    assert texts(table(report, "table_7_opinion"))[-1][:3] == ["Total", "with a majority", "0.570"]
    minutes = table(report, "table_8")
    assert texts(minutes, 0, 1, 3, 5)[1] == ["2", "135", "105", "180"]
    assert texts(minutes, 1, 3, 5)[-2:] == [["815", "875", "935"], ["47", "50", "53"]]
    assert minutes.notes == [
        "All together 2,625 wall minutes for 3,150 answers: 50 seconds an item, 40 of them active.",
        "An answer, and each revision of it, counts for 24 hours at most: none was cut.",
    ]
    # Of the 49 + 27 that one person drew by chance nothing enters here: 800 answers of the rounds at this stage.
    assert sum(int(row[-1].text) for row in figure(report, "figure_4_mp_context").table.rows) == 800
