"""The card's text, and what no words of others can do to it."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from annotation_app.models import Annotation, CodebookVersion, Item, Project
from annotation_app.releases.card import About, File, card_markdown
from annotation_app.releases.datasheet import Datasheet, Question, datasheet_answer, datasheet_read
from annotation_app.releases.markdown import code, inline, quoted, unmarked
from tests.aggregation.decided import second_look
from tests.agreement.tables import at, fill
from tests.conftest import People
from tests.releases.worked import FIRST, worked_project

HEAD = "---\nlicense: cc-by-4.0\n---"
FILES = (
    File("README.md"),
    File("data/aggregated.jsonl", 8),
    File("data/annotations.jsonl", 21),
    File("codebooks/v1.json"),
    File("SHA256SUMS", 3),
)
ABOUT = About("Board", "Three meetings.", 2, "", "ab" * 32, date(2025, 5, 2), {"items": 8}, FILES)
# What a person may write, by accident or not, to be shown as something that it is not.
HOSTILE = (
    "# A heading\n\n## Another\n\nUnderlined\n===\n\nUnderlined too\n---",
    "- # in a list\n1. ## in a numbered one\n> ### in a quotation\n> ===\n",
    "```\nnever closed",
    " ```\n# indented fence\n```\n<b>\n",
    "- ```\n<div>\n```",
    "~~~~\n```\n~~~",
    "<!-- never closed",
    "<details><summary>x</summary>",
    "</blockquote></div><script>alert(1)</script>",
    "<h1>Big</h1>\n<?php\n<![CDATA[",
    "---\nlicense: mit\n---\n",
    "| a | b |\n|---|---|\n| 1 | 2 |",
    "{{ about }} {% include 'card.md' %}",
    "words\r# after a carriage return\r\n# and after both",
    "> > > deep\n\n\n\n\nand out again",
    "\t# after a tab\n    # after four spaces",
)


def parsed(text: str) -> list[Token]:
    """With GitHub's tables; the YAML head is none of CommonMark's business."""
    return MarkdownIt("commonmark").enable("table").parse(text.removeprefix(HEAD))


def headings(tokens: list[Token]) -> list[tuple[str, str]]:
    return [(token.tag, tokens[at + 1].content) for at, token in enumerate(tokens) if token.type == "heading_open"]


def outline(tokens: list[Token]) -> list[str]:
    """What stands beside each other, but not what quotations hold."""
    return [token.type for token in tokens if token.level == 0 and token.nesting >= 0]


def html(tokens: list[Token]) -> Iterator[Token]:
    for token in tokens:
        yield from (each for each in [token, *(token.children or [])] if each.type.startswith("html"))


def answer(people: People, **answers: str) -> None:
    for question, text in answers.items():
        datasheet_answer(project=people.project, question=question, text=text, base_revision=0, actor=people.admin.user)


def card_of(project: Project, about: About = ABOUT) -> str:
    return card_markdown(about=about, sheet=datasheet_read(project=project), head=HEAD)


def test_its_minutes_are_of_the_answers_that_it_counts(people: People) -> None:
    """Fifteen answers of 2 s, as Table 8 of the report counts them; two more in a second look."""
    first = fill(people.project, people.annotators, at("opinion", FIRST))
    alice, bob, _ = people.annotators
    second_look(first, {Item.objects.get(external_id="i5"): {alice: {"opinion": "no"}, bob: {"opinion": "yes"}}})
    assert (
        "| Answers | 15 |\n| Minutes of annotation | 0.5 |\n"
        "| Answers in second looks | 2 |\n| Minutes of second looks | 0.1 |\n"
    ) in card_of(people.project)


def test_it_reads_from_its_head_to_its_tables(people: People) -> None:
    worked_project(people)
    answer(people, title="Board Stances", summary="Sentences with *stances*.")
    assert (
        card_of(people.project).split("## Agreement")[0]
        == f"""\
---
license: cc-by-4.0
---
# Board Stances

> Sentences with *stances*.

Release 2 of 2 May 2025. Content hash (SHA-256 of `SHA256SUMS`): `{"ab" * 32}`.

## At a glance

| In this release | |
|---|---:|
| Sentences | 8 |
| Documents they are from | 2 |
| Pool they were chosen from | 9 |
| Rounds | 2 |
| Annotators | 3 |
| Answers | 21 |
| Minutes of annotation | 3.6 |
| Krippendorff's α, Opinion | 0.29 |

## Use it

```python
from datasets import load_dataset

folder = "path/to/this/folder"  # or its name on the hub
items = load_dataset(folder, split="train")  # one record an item, with what came of its answers
answers = load_dataset(folder, "annotations", split="train")  # one record an annotator and item
```

`sha256sum -c SHA256SUMS`, run in the folder, checks that its files are whole.

## Files

| File | What it holds | Lines |
|---|---|---:|
| `README.md` | This card |  |
| `data/aggregated.jsonl` | Items with their context and what came of their answers (the default configuration) | 8 |
| `data/annotations.jsonl` | What each annotator answered (configuration `annotations`) | 21 |
| `codebooks/v1.json` | A version of the codebook, as it was published |  |
| `SHA256SUMS` | Hashes of the files, which the content hash is of | 3 |

## Labels

| Stage | Label | Items | Share |
|---|---|---:|---:|
| Opinion (`opinion`) | Yes (`yes`) | 3 | 60.0% |
|  | No (`no`) | 1 | 20.0% |
|  | Can’t tell (`ambiguous`) | 1 | 20.0% |
|  | *no label* | 3 |  |
| Monetary policy (`mp`) | Yes (`yes`) | 1 | 100.0% |
|  | No (`no`) | 0 | 0.0% |
|  | Can’t tell (`ambiguous`) | 0 | 0.0% |
|  | *no label* | 2 |  |
|  | *not applicable* | 5 |  |
| Context for monetary policy (`mp_context`) | Sentence only (`sentence`) | 0 | 0.0% |
|  | Whole turn (`utterance`) | 1 | 100.0% |
|  | Five sentences before (`minus_5_sentences`) | 0 | 0.0% |
|  | 200 words before (`minus_200_tokens`) | 0 | 0.0% |
|  | *no label* | 0 |  |
|  | *not applicable* | 7 |  |
| Stance (`stance_nli`) | Supports it (`entailment`) | 1 | 100.0% |
|  | Opposes it (`contradiction`) | 0 | 0.0% |
|  | Neither (`neutral`) | 0 | 0.0% |
|  | Can’t tell (`ambiguous`) | 0 | 0.0% |
|  | *no label* | 0 |  |
|  | *not applicable* | 7 |  |
| Context for stance (`stance_nli_context`) | Sentence only (`sentence`) | 1 | 100.0% |
|  | Whole turn (`utterance`) | 0 | 0.0% |
|  | Five sentences before (`minus_5_sentences`) | 0 | 0.0% |
|  | 200 words before (`minus_200_tokens`) | 0 | 0.0% |
|  | *no label* | 0 |  |
|  | *not applicable* | 7 |  |

Shares are of the items with a label at the stage.

"""
    )


def test_it_tells_who_answered_and_what_nobody_did(people: People) -> None:
    answer(people, funding="The *Foundation*, grant 7.", licence="cc-by-4.0\n\nTexts: public domain.")
    card = card_of(people.project)
    assert (
        card.split("### Motivation\n")[1].split("### Composition")[0]
        == """
#### Who paid for it?

> The *Foundation*, grant 7.

**Not answered:**

- What was the dataset made for?
- Who made it, and on whose behalf?

"""
    )
    assert (
        card.split("#### Was the raw data kept, and where is it?\n")[1].split("####")[0]
        == """
Nothing is imported yet.

*By the people who made it:* Not answered.

"""
    )
    assert "The licence named at the head: cc-by-4.0." in card


def test_a_preview_says_that_it_is_one(people: People) -> None:
    card = card_of(people.project, replace(ABOUT, content_hash=None, created_on=None, files=()))
    assert "This is a preview of release 2, as it would be now. Its files are not made yet: their sizes" in card
    assert "## Files" not in card and "Content hash" not in card
    assert 'items = load_dataset(folder, split="train")' in card


@pytest.mark.parametrize("text", HOSTILE)
def test_no_answer_changes_the_card_around_it(people: People, text: str) -> None:
    keys = ("summary", "purpose", "funding", "counts", "citation", "community_norms", "data_protection")
    sheet, notes = datasheet_read(project=people.project), replace(ABOUT, notes="Plain.")
    plain = parsed(card_markdown(about=notes, sheet=written(sheet, dict.fromkeys(keys, "Plain.")), head=HEAD))
    hostile = card_markdown(
        about=replace(notes, notes=text), sheet=written(sheet, dict.fromkeys(keys, text)), head=HEAD
    )
    tokens = parsed(hostile)
    assert headings(tokens) == headings(plain)
    assert outline(tokens) == outline(plain)
    assert not list(html(tokens))
    assert hostile.startswith(f"{HEAD}\n# Board\n")


def written(sheet: Datasheet, answers: dict[str, str]) -> Datasheet:
    def answered(question: Question) -> Question:
        return replace(question, answer=answers.get(question.key, ""))

    sections = [replace(each, questions=[answered(one) for one in each.questions]) for each in sheet.sections]
    return replace(sheet, sections=sections)


def test_no_name_changes_the_card_around_it(people: People) -> None:
    """Names of the codebook stand in lists and tables, and a skip's reason; the project's is the title."""
    worked_project(people)
    plain = parsed(card_of(people.project))
    version = CodebookVersion.objects.get(project=people.project)
    nasty, nastier = "| # *x* `|` [y](z) {% now %} \n\n# y", "<b>`|\n\n# y<!--"
    Annotation.objects.exclude(skip_reason="").update(skip_reason=nastier)
    stages = [
        stage | {"title": nasty, "prompt": nasty, "labels": [label | {"name": nasty} for label in stage["labels"]]}
        for stage in version.definition["stages"]
    ]
    version.definition = version.definition | {"name": nasty, "stages": stages}
    version.save()
    tokens = parsed(card_of(people.project, replace(ABOUT, project_name=nastier)))
    assert outline(tokens) == outline(plain)
    assert headings(tokens)[1:] == headings(plain)[1:]
    assert not list(html(tokens))
    assert [token.type for token in tokens].count("td_open") == [token.type for token in plain].count("td_open")


PIECES = [
    *("#", "##", " ", "    ", "\t", "\n", "\n\n", "\r", "-", "---", "===", "*", "1.", "> ", "`", "```", "````", "~~~"),
    *("<", "<div>", "</div>", "<!--", "-->", "<?", "<https://a.b>", "|", "[a]: x", "\\", "word", "&lt;", "\u2028"),
]
texts = st.lists(st.sampled_from(PIECES), max_size=14).map("".join)


@settings(max_examples=500)
@given(texts)
def test_a_quotation_holds_whatever_is_in_it(text: str) -> None:
    tokens = parsed(f"Before.\n\n{quoted(text)}\n\n# After\n")
    shown = ["blockquote_open"] if quoted(text) else []
    assert outline(tokens) == ["paragraph_open", *shown, "heading_open"]
    assert headings(tokens) == [("h1", "After")]
    assert not list(html(tokens))


@settings(max_examples=500)
@given(texts)
def test_a_name_in_a_line_shows_its_own_characters(text: str) -> None:
    tokens = parsed(f"- {inline(text)}\n")
    shown = [child.content for token in tokens for child in token.children or []]
    assert "".join(shown) == " ".join(text.split())
    assert [token.type for token in tokens if token.nesting == 1][:2] == ["bullet_list_open", "list_item_open"]


@pytest.mark.parametrize(
    ("text", "shown"),
    [("a key", "`a key`"), ("a`b", "`` a`b ``"), ("``", "``` `` ```"), ("two\nlines", "`two lines`"), (" ", "")],
)
def test_a_code_span_holds_its_backticks(text: str, shown: str) -> None:
    assert code(text) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("# Title\nWords.", "> **Title**\n>\n> Words."),
        ("Words\n---\nmore", "> Words\n> \\---\n> more"),
        ("Words\n\n---\n\nmore", "> Words\n>\n> ---\n>\n> more"),
        ("```\n# no heading <b>\n```", "> ```\n> # no heading <b>\n> ```"),
        ("```\nopen", "> ```\n> open\n> ```"),
        ("see <https://a.b> and <b>", "> see <https://a.b> and &lt;b>"),
        ("- # x", "> - \\# x"),
        ("  \n", ""),
    ],
)
def test_a_quotation_keeps_what_does_no_harm(text: str, shown: str) -> None:
    assert quoted(text) == shown


def test_emphasis_is_no_part_of_a_name() -> None:
    assert (
        unmarked("Is it **about *policy***, or `mp_1`? 2 * 3 * 4, a*") == "Is it about policy, or mp_1? 2 * 3 * 4, a*"
    )


def test_an_empty_file_is_no_configuration(people: People) -> None:
    files = (File("data/aggregated.jsonl", 2), File("data/annotations.jsonl", 0))
    card = card_of(people.project, replace(ABOUT, files=files, notices=["Mind the dates."]))
    assert 'load_dataset(folder, split="train")' in card and '"annotations"' not in card.split("## Use it")[1]
    assert "are whole.\n\nMind the dates.\n\n## Files" in card
