"""The report's tables and figures as files: pure."""

import csv
import io
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import pytest
from django.utils import timezone

from annotation_app.dashboards.report.agreement_batches import pair_cells, pair_columns
from annotation_app.dashboards.report.csv_text import as_csv
from annotation_app.dashboards.report.figures import Bar, Figure, Part
from annotation_app.dashboards.report.latex import as_latex, escape
from annotation_app.dashboards.report.page import as_html
from annotation_app.dashboards.report.report import Report, Section
from annotation_app.dashboards.report.svg import as_svg, ceiling
from annotation_app.dashboards.report.tables import Bounds, Cell, Column, Table, nothing, words

BOUNDS = Bounds("−0.20, 0.00", -0.2, 0.001)
TABLE = Table(
    key="table_3",
    title="Labels & agreement",
    source="Table 3",
    about="100% of <them>.",
    columns=(
        Column("label", "Label", has_key=True),
        Column("kappa", "Fleiss κ", "number", has_interval=True, has_n=True, has_reason=True),
        Column("text", "Text", "long"),
    ),
    rows=[
        [words("=HYPERLINK(1)", key="=1"), Cell("−0.12", -0.12345, interval=BOUNDS, n=1_050), words("a\nb, \"c\"")],
        [words("-5 sentences", repeats=True), nothing("no answers"), words("[sic] x_1 \\ ~")],
    ],
)  # fmt: skip
FIGURE = Figure(
    key="figure_4",
    title="Context <by> annotator",
    source="Figure 4",
    about="Shares.",
    table=TABLE,
    x_name="annotator",
    y_name="share",
    is_share=True,
    parts=[Part("s", "Sentence"), Part("u", "Utterance & more", quiet=True)],
    bars=[Bar("1", {"s": 0.25, "u": 0.75}), Bar("2", {"s": 1.0})],
    alternative="Annotator 1: a quarter.",
)


def test_csv_holds_full_values_and_starts_no_formula() -> None:
    assert list(csv.reader(io.StringIO(as_csv(TABLE), newline=""))) == [
        ["label", "label_key", "kappa", "kappa_low", "kappa_high", "kappa_n", "kappa_undefined_because", "text"],
        ["'=HYPERLINK(1)", "'=1", "-0.12345", "-0.2", "0.001", "1050", "", 'a\nb, "c"'],
        ["'-5 sentences", "", "", "", "", "", "no answers", "[sic] x_1 \\ ~"],
    ]


@pytest.mark.parametrize("text", ["=1", "+a", "-5 sentences", "@a", "\t=1", "  =1", "\r1"])
def test_csv_neutralises_whatever_a_spreadsheet_would_run(text: str) -> None:
    table = Table("t", "T", "", "", columns=(Column("a", "A"),), rows=[[words(text)]])
    assert next(iter(list(csv.reader(io.StringIO(as_csv(table), newline="")))[1:])) == [f"'{text}"]


@pytest.mark.parametrize("text", ["+1", "-1", "-0.5"])
def test_csv_leaves_numbers_as_they_are(text: str) -> None:
    table = Table("t", "T", "", "", columns=(Column("a", "A"),), rows=[[words(text)]])
    assert next(iter(list(csv.reader(io.StringIO(as_csv(table), newline="")))[1:])) == [text]


def test_latex_prints_text_as_it_is() -> None:
    assert as_latex(TABLE).splitlines() == [
        r"% Needs \usepackage{booktabs}, \usepackage{adjustbox} and \usepackage[T1]{fontenc}.",
        "% Intervals are an addition. Before the table, \\newcommand{\\interval}[1]{} leaves them out.",
        r"\providecommand{\interval}[1]{\,{\scriptsize[#1]}}",
        "% So are the numbers of items that a value stands on: \\newcommand{\\nitems}[1]{} leaves them out.",
        r"\providecommand{\nitems}[1]{\,{\scriptsize($n$ = #1)}}",
        r"\begin{table*}[t]",
        r"\centering",
        r"\small",
        r"\begin{adjustbox}{max width=\linewidth}",
        r"\begin{tabular}{lrp{0.70\linewidth}}",
        r"\toprule",
        r"\textbf{Label} & \textbf{Fleiss $\kappa$} & \textbf{Text} \\",
        r"\midrule",
        r"=HYPERLINK(1) & $-$0.12\interval{$-$0.20, 0.00}\nitems{1,050} & "
        r"a\newline b, \textquotedbl{}c\textquotedbl{} \\",
        r" & \textendash{} & {[}sic] x\_1 \textbackslash{} \textasciitilde{} \\",
        r"\bottomrule",
        r"\end{tabular}",
        r"\end{adjustbox}",
        r"\caption{\textbf{Labels \& agreement.} 100\% of \textless{}them\textgreater{}.}",
        r"\label{tab:table-3}",
        r"\end{table*}",
    ]
    assert escape("#1 {a}^2 $x$ \x07|") == r"\#1 \{a\}\textasciicircum{}2 \$x\$  \textbar{}"
    assert escape("*") == "{*}"


def test_latex_breaks_long_heads_and_keeps_a_narrow_table_in_one_column() -> None:
    head = Column("n", "Context for monetary policy", "number")
    lines = as_latex(Table("t", "T", "", "", columns=(head,), rows=[[words("1")]])).splitlines()
    assert r"\begin{table}[t]" in lines
    assert r"\shortstack[r]{\textbf{Context for}\\\textbf{monetary policy}} \\" in lines


@pytest.mark.parametrize(
    ("text", "latex"),
    [
        ("--", "-{}-"),
        ("it''s ,,so", "it'{}'s ,{},so"),
        ("?`", r"?\textasciigrave{}"),
        ("µ ≤ σ", "µ $\\leq$ $\\sigma$"),
        ("a\u200bb\u00adc\ufeff", "abc"),
        ("e\u0301", "é"),
        ("\n first\nsecond\u2028third\n", "first second third"),
    ],
)
def test_latex_has_no_ligatures_of_signs_and_nothing_that_stops_it(text: str, latex: str) -> None:
    """Each was compiled with pdfTeX: `--` is a dash there, and a mark without width an error."""
    assert escape(text) == latex


def test_svg_stands_by_itself_and_says_what_it_shows() -> None:
    root = ElementTree.fromstring(as_svg(FIGURE))
    name = "{http://www.w3.org/2000/svg}"
    assert root.get("role") == "img"
    assert [root.findtext(f"{name}{tag}") for tag in ("title", "desc")] == [FIGURE.title, FIGURE.alternative]
    drawn = [rect for rect in root.iter(f"{name}rect") if rect.get("stroke")]
    # 300 units stand for a whole: a quarter and three quarters, then a whole; nothing is drawn for nothing.
    assert [float(str(rect.get("height"))) for rect in drawn] == [75, 225, 300]
    assert [rect.get("fill") for rect in drawn] == ["#0067a8", "#8d9096", "#0067a8"]
    assert "Utterance & more" in [text.text for text in root.iter(f"{name}text")]


@pytest.mark.parametrize(("most", "top"), [(3, 5), (5, 5), (6, 10), (24, 25), (26, 50), (150, 250), (1050, 2500)])
def test_svg_has_a_round_scale(most: int, top: int) -> None:
    figure = Figure("f", "F", "", "", TABLE, bars=[Bar("1", {"a": most - 1, "b": 1})])
    assert ceiling(figure) == top


def test_the_page_is_one_file_that_asks_for_nothing() -> None:
    sections = [Section("labels", "Labels", "What?", tables=[TABLE], figures=[FIGURE])]
    project = SimpleNamespace(name="<script>alert(1)</script>")
    text = as_html(Report(project, timezone.now(), ["Round 1 is open."], sections, [], [], None, None))  # type: ignore[arg-type]
    assert "<script" not in text
    assert "http://" not in text.replace("http://www.w3.org/2000/svg", "").replace("http%3A//www.w3.org/2000/svg", "")
    assert "https://" not in text
    assert 'download="table_3.csv"' in text
    assert 'download="figure_4.svg"' in text
    assert "100% of &lt;them&gt;." in text
    assert "Round 1 is open." in text
    assert "OP-FED" not in text
    report = Report(project, timezone.now(), [], sections, [], [], None, None)  # type: ignore[arg-type]
    assert "in OP-FED: Table 3" in as_html(report, paper=True)
    assert '<th scope="row" class="text"><span class="heard">-5 sentences</span></th>' in text


def test_cohen_stands_beside_each_pair() -> None:
    row: Any = SimpleNamespace(
        values={"fleiss_kappa": 7 / 15, "cohen_kappa": 0.5},
        reason={},
        ci={"cohen_kappa": (-0.25, 1)},
        fleiss_items=1_050,
        general_items=1_050,
    )
    columns = pair_columns([(1, 2), (2, 3)])
    assert [column.title for column in columns] == ["1 and 2", "C 1, 2", "2 and 3", "C 2, 3"]
    assert [cell.text for cell in pair_cells(row)] == ["0.467", "0.500"]
    assert [cell.bracketed for cell in pair_cells(row)] == ["", "[−0.250, 1.000]"]
    assert [cell.basis for cell in pair_cells(row)] == ["n = 1,050", ""]
    assert [cell.why for cell in pair_cells(None)] == ["no answers"] * 2
