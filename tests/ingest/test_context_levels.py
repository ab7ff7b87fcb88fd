"""The context levels, worked by hand and against a naive reading of the rule."""

import re
from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from annotation_app.ingest.context_levels import Turn, UtteranceText, last_sentences, last_tokens

Reached = Callable[[int, list[Turn]], bool]


def said(speaker: str, text: str) -> UtteranceText:
    """Sentences end with a full stop, question mark, or the text."""
    found = [match.span() for match in re.finditer(r"\S[^.?]*[.?]?", text)]
    return UtteranceText(speaker, text, [start for start, _ in found], [end for _, end in found])


def words(n: int) -> str:
    return " ".join(["w"] * (n - 1) + ["end."])


def nearest_first(*turns: UtteranceText) -> list[UtteranceText]:
    return list(reversed(turns))


def test_it_goes_five_sentences_back_across_turns() -> None:
    before = nearest_first(said("A", "Zero. One. Two."), said("B", "Three."), said("A", " Four!  Really? Five. "))
    assert last_sentences(before) == [
        Turn("A", "One. Two."),
        Turn("B", "Three."),
        Turn("A", "Four!  Really? Five."),
    ]


def test_it_gives_the_exact_text_between_sentences() -> None:
    before = [said("A", "No. One.\r\n\tTwo.  Three. Four. Five. ")]
    assert last_sentences(before) == [Turn("A", "One.\r\n\tTwo.  Three. Four. Five.")]


def test_it_stops_where_the_document_starts() -> None:
    before = nearest_first(said("A", "Good day."), said("B", "Hello."))
    both = [Turn("A", "Good day."), Turn("B", "Hello.")]
    assert last_sentences(before) == last_tokens(before) == both
    assert last_sentences([]) == last_tokens([]) == []


def test_it_goes_200_tokens_back_and_completes_the_sentence() -> None:
    first = f"{words(40)} {words(50)} {words(60)}"
    before = nearest_first(said("A", first), said("B", words(3)), said("C", words(100)))
    # 100 + 3 + 60 = 163 are too few, 213 reach.
    assert last_tokens(before) == [Turn("A", f"{words(50)} {words(60)}"), Turn("B", words(3)), Turn("C", words(100))]


def test_it_takes_no_sentence_more_than_needed() -> None:
    before = nearest_first(said("A", words(9)), said("B", f"{words(7)} {words(120)} {words(80)}"))
    assert last_tokens(before) == [Turn("B", f"{words(120)} {words(80)}")]
    before = nearest_first(said("A", words(9)), said("B", f"{words(7)} {words(120)} {words(79)}"))
    assert last_tokens(before) == [Turn("B", f"{words(7)} {words(120)} {words(79)}")]


def test_it_takes_one_sentence_that_is_longer_than_200_tokens() -> None:
    before = [said("A", f"{words(10)} {words(300)}")]
    assert last_tokens(before) == [Turn("A", words(300))]


def test_it_counts_words_of_sentences_without_space_between_them_once() -> None:
    before = [said("A", f"No. {'w ' * 198}w.w")]
    assert [turn.text.split()[0] for turn in last_tokens(before)] == ["No."]


def naive(before: list[UtteranceText], reached: Reached) -> list[Turn]:
    """Every sentence in one flat list; the shortest ending that `reached` accepts, cut into turns."""
    flat = [(n, i) for n, turn in enumerate(before) for i in reversed(range(len(turn.starts)))]
    for count in range(len(flat) + 1):
        firsts = dict(flat[:count])
        turns = [
            Turn(before[n].speaker, before[n].text[before[n].starts[i] : before[n].ends[-1]]) for n, i in firsts.items()
        ]
        if reached(count, turns):
            break
    return turns[::-1]


sentence = st.integers(1, 90).map(words)
utterance = st.builds(
    lambda speaker, sentences, gap, edge: said(speaker, edge + gap.join(sentences) + edge),
    st.sampled_from("AB"),
    st.lists(sentence, min_size=1, max_size=6),
    st.sampled_from([" ", "  ", "\n", "\u00a0"]),
    st.sampled_from(["", " ", "\t"]),
)


@given(st.lists(utterance, max_size=12))
def test_it_agrees_with_the_naive_reading(before: list[UtteranceText]) -> None:
    assert last_sentences(before) == naive(before, lambda count, turns: count == 5)
    tokens = naive(before, lambda count, turns: sum(len(turn.text.split()) for turn in turns) >= 200)
    assert last_tokens(before) == tokens
