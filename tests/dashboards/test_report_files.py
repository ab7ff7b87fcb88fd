"""The report's tables and figures as files: pure."""

import csv
import io
import re
import subprocess
import sys
from base64 import b64decode
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import pytest
from django.utils import timezone
from matplotlib import rc_context

from al_worker.formats.paper_csv import as_csv
from al_worker.formats.paper_latex import as_latex, escape
from al_worker.formats.paper_tables import Bounds, Cell, Column, Table, nothing, words
from annotation_app.dashboards.report.agreement_batches import pair_cells, pair_columns
from annotation_app.dashboards.report.drawing import figure_files
from annotation_app.dashboards.report.figures import Bar, Figure, Part
from annotation_app.dashboards.report.page import as_html
from annotation_app.dashboards.report.report import Report, Section

ROOT = Path(__file__).parents[2]
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
    parts=[Part("s", "Sentence"), Part("u", "_Utterance & $more^", quiet=True)],
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
    root = ElementTree.fromstring(figure_files(FIGURE, ["svg"])["svg"])
    name = "{http://www.w3.org/2000/svg}"
    assert root.findtext(f"{name}title") == FIGURE.title
    assert root.findtext(".//{http://purl.org/dc/elements/1.1/}description") == FIGURE.alternative
    assert {"Sentence", "_Utterance & $more^", "share", "100%"} <= {text.text for text in root.iter(f"{name}text")}
    # A quarter and three quarters, then a whole: each bar's height as a share of the tallest, by tone.
    heights = [(tone, height) for tone in ("#0067a8", "#8d9096") for height in bar_heights(root, tone) if height]
    whole = max(height for _, height in heights)
    assert [(tone, round(height / whole, 4)) for tone, height in heights] == [
        ("#0067a8", 0.25),
        ("#0067a8", 1),
        ("#8d9096", 0.75),
    ]


def bar_heights(root: ElementTree.Element, tone: str) -> list[float]:
    """The heights of the bars in the axes; the key's squares lie outside of them and have no clip path."""
    paths = [path for path in root.iter("{http://www.w3.org/2000/svg}path") if tone in path.get("style", "")]
    drawn = [path.get("d", "").split() for path in paths if path.get("clip-path")]
    ys = [
        [float(part[2]) for part in zip(found, found[1:], found[2:], strict=False) if part[0] in "ML"]
        for found in drawn
    ]
    return [max(each) - min(each) for each in ys]


@pytest.mark.parametrize(("kind", "start"), [("svg", b"<?xml"), ("png", b"\x89PNG"), ("pdf", b"%PDF")])
def test_each_file_is_the_same_again(kind: str, start: bytes) -> None:
    once = figure_files(FIGURE, [kind])[kind]
    assert once.startswith(start)
    # Several requests at a time, on a machine that has settings of its own.
    with rc_context({"font.size": 20, "savefig.facecolor": "red"}), ThreadPoolExecutor(3) as threads:
        assert set(threads.map(lambda _: figure_files(FIGURE, [kind])[kind], range(3))) == {once}


def test_pdf_holds_its_letters() -> None:
    """Type 42 is TrueType; publishers refuse Type 3."""
    pdf = figure_files(FIGURE, ["pdf"])["pdf"]
    assert b"/FontFile2" in pdf and b"/Type3" not in pdf


def test_nothing_is_drawn_with_before_it_is_asked_for() -> None:
    code = (
        "import sys, django; django.setup(); import annotation_app.config.wsgi; "
        "sys.exit('matplotlib' in sys.modules or 'scipy.stats' not in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0


def test_the_page_is_one_file_that_asks_for_nothing() -> None:
    text = page([Section("labels", "Labels", "What?", tables=[TABLE], figures=[FIGURE])], notices=["Round 1 is open."])
    assert "http://" not in text and "https://" not in text
    assert 'download="table_3.csv"' in text
    for kind in ("svg", "png", "pdf"):
        (data,) = re.findall(f'download="figure_4.{kind}" href="data:[^,]*;base64,([^"]*)"', text)
        assert b64decode(data) == figure_files(FIGURE, [kind])[kind]
    assert "100% of &lt;them&gt;." in text
    assert "Round 1 is open." in text
    assert "OP-FED" not in text
    assert '<th scope="row" class="text"><span class="heard">-5 sentences</span></th>' in text


def test_the_page_names_the_paper_where_that_is_asked_for() -> None:
    text = page([Section("labels", "Labels", "What?", tables=[TABLE])], paper=True)
    assert "in OP-FED: Table 3" in text


def test_the_page_escapes_what_people_wrote() -> None:
    """Names, labels, texts and notices, in elements and in attributes."""
    hostile = "<script>alert(1)</script>\"' onload='x' {{ made }} {% now %}&amp;"
    table = Table(
        hostile,
        hostile,
        hostile,
        hostile,
        columns=(Column("a", hostile, has_key=True), Column("b", hostile)),
        rows=[[words(hostile, key=hostile), words(hostile, repeats=True)]],
        notes=[hostile],
    )
    figure = replace(
        FIGURE, key=hostile, title=hostile, about=hostile, alternative=hostile, notes=[hostile], table=table
    )
    missing = replace(table, missing=hostile)
    text = page(
        [Section("s", hostile, hostile, [table, missing], [figure])], name=hostile, notices=[hostile], paper=True
    )
    found = Found()
    found.feed(text)
    assert not found.tags & {"script", "object", "iframe"}
    assert not [name for name in found.attributes if name.startswith("on")]
    # Twice as the page's name, and with each part above: read back, every one is the text that was given.
    assert found.texts.count(hostile) >= 15
    assert hostile in found.values


class Found(HTMLParser):
    """What a browser makes of a page: elements, attributes, and texts by themselves."""

    def __init__(self) -> None:
        super().__init__()
        self.tags, self.attributes = set[str](), set[str]()
        self.values, self.texts = set[str | None](), list[str]()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes.update(name for name, _ in attrs)
        self.values.update(value for _, value in attrs)

    def handle_data(self, data: str) -> None:
        self.texts.append(data.strip().removeprefix("Report: "))


def page(sections: list[Section], *, name: str = "Board", notices: Sequence[str] = (), paper: bool = False) -> str:
    project: Any = SimpleNamespace(name=name)
    nothing_: Any = None
    return as_html(Report(project, timezone.now(), notices, sections, [], [], nothing_, nothing_), paper=paper)


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
