"""Tokens and BIO columns by hand: what is kept, rounded, left out, and how the file says so."""

import pytest

from annotation_app.export.spans.columns import Losses, columns_of
from annotation_app.export.spans.linear_form import ExportedSpan
from annotation_app.export.spans.tokens import tokens_of
from annotation_app.export.writers.conll import block, head
from tests.export.layers import at

#       0         1         2
#       0123456789012345678901234
TEXT = "The Fed cut rates, again."


@pytest.mark.parametrize(
    ("text", "forms"),
    [
        (TEXT, ["The", "Fed", "cut", "rates", ",", "again", "."]),
        ("a_b 4.6%\r\n\tdon't", ["a_b", "4.6", "%", "don't"]),
        # Scientist: woman, joiner, microscope. A thumb with its skin tone. A heart with its variation sign.
        ("x👩‍🔬👍🏽❤\ufe0f!", ["x", "👩‍🔬", "👍🏽", "❤\ufe0f", "!"]),
        ("cafe\u0301s \u05e9\u05dc\u05d5\u05dd.", ["cafe\u0301s", "\u05e9\u05dc\u05d5\u05dd", "."]),
        ("\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", ["\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"]),
        ("a\u2028b\x85c\x1cd\u00a0e", ["a", "b", "c", "d", "e"]),
        ("", []),
        (" \n", []),
    ],
)  # fmt: skip
def test_it_cuts_text_into_tokens(text: str, forms: list[str]) -> None:
    assert [text[token.start : token.end] for token in tokens_of(text)] == forms


def test_it_gives_each_category_its_own_column() -> None:
    spans = [at(TEXT, "The Fed", "actor"), at(TEXT, "Fed cut rates", "act"), at(TEXT, "again", "act")]
    columns = columns_of(TEXT, spans, ["actor", "act", "scope"])
    assert columns.tags == {
        "actor": ["B", "I", "O", "O", "O", "O", "O"],
        "act": ["O", "B", "I", "I", "O", "B", "O"],
        "scope": ["O"] * 7,
    }
    assert (columns.left_out, columns.losses.spans, columns.losses.counts) == ([], 3, {})


def test_it_keeps_the_earlier_of_two_that_overlap_and_of_equal_starts_the_longer() -> None:
    earlier, crossing = at(TEXT, "Fed cut", "act"), at(TEXT, "cut rates", "act")
    longer, shorter = at(TEXT, "again.", "act"), at(TEXT, "again", "act")
    columns = columns_of(TEXT, [shorter, crossing, earlier, longer], ["act"])
    assert columns.tags["act"] == ["O", "B", "I", "O", "O", "B", "I"]
    assert columns.left_out == [crossing, shorter]
    assert columns.losses.counts == {"overlapping": 2}


def test_spans_of_one_category_that_touch_stay_two() -> None:
    columns = columns_of(TEXT, [at(TEXT, "The", "act"), at(TEXT, "Fed", "act")], ["act"])
    assert columns.tags["act"][:3] == ["B", "B", "O"]


def test_it_rounds_out_to_tokens_and_says_what_is_lost() -> None:
    spans = [
        ExportedSpan(5, 10, "act", "Cut"),  # "ed cu": both bounds within a token
        ExportedSpan(17, 19, "scope", None, "press-1"),  # ", ": a space at its end
        ExportedSpan(7, 8, "motive"),  # the space alone
    ]
    columns = columns_of(TEXT, spans, ["act", "scope", "motive"])
    assert columns.tags["act"] == ["O", "B", "I", "O", "O", "O", "O"]
    assert columns.tags["scope"] == ["O", "O", "O", "O", "B", "O", "O"]
    assert columns.left_out == [spans[2]]
    assert columns.losses.counts == {"rounded_out": 1, "trimmed": 1, "empty": 1, "comments": 1, "links": 1}


def test_two_halves_of_one_token_cannot_both_be_held() -> None:
    columns = columns_of(TEXT, [ExportedSpan(4, 6, "act"), ExportedSpan(6, 7, "act")], ["act"])
    assert columns.left_out == [ExportedSpan(6, 7, "act")]


def test_it_writes_the_file() -> None:
    categories = {"act": "ACT", "std_sentence": "STD SENTENCE", "old": "OLD"}
    spans = [
        at(TEXT, "cut rates", "act", "Cut"),
        at(TEXT, "rates", "act"),
        at(TEXT, "cut rates, again.", "std_sentence"),
    ]
    columns = columns_of(TEXT, spans, ["act", "std_sentence"])
    total = Losses()
    total.add(columns.losses)
    total.add(columns.losses)
    assert head(categories, total, 2) == [
        "# global.columns = ID FORM QUORUM:START QUORUM:END QUORUM:ACT QUORUM:STD_SENTENCE QUORUM:OLD",
        "# A token a line, cut at Unicode word boundaries (UAX #29): a word, or one other sign. Offsets are code",
        "# points of the item's text, end exclusive. A column a category: B begins a span, I continues it, O is none.",
        "# What these columns do not hold, of 6 spans in 2 texts:",
        "# - 2 left out: on a token that another span of the same category holds, which starts earlier or is longer "
        "(each is named before its text)",
        "# - 0 left out: whitespace alone (each is named before its text)",
        "# - 0 rounded out to whole tokens: a bound within a token",
        "# - 0 without the whitespace at their bounds",
        "# - 2 without their comment",
        "# - 0 without their link to a source document",
        "# The export of kind spans holds all of it.",
        "",
    ]  # fmt: skip
    assert list(block({"item_id": "a\nb\u2028c"}, TEXT, columns, list(categories))) == [
        '# item_id = "a\\nb\\u2028c"',
        '# dropped = {"category": "act", "start": 12, "end": 17, "quote": "rates"}',
        "1\tThe\t0\t3\tO\tO\t_",
        "2\tFed\t4\t7\tO\tO\t_",
        "3\tcut\t8\t11\tB\tB\t_",
        "4\trates\t12\t17\tI\tI\t_",
        "5\t,\t17\t18\tO\tI\t_",
        "6\tagain\t19\t24\tO\tI\t_",
        "7\t.\t24\t25\tO\tI\t_",
        "",
    ]
