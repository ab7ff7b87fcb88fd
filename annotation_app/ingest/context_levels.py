"""Cut the context levels: the text before an utterance, counted back from its start. Pure: no I/O.

OP-FED 3.2: the five sentences before the utterance, and the fewest whole sentences before it that reach 200 words
(`count_words`: the paper's white-space tokens where a script has blanks), across speaker turns, utterances left out of
the pool included.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from al_worker.formats.words import count_words

SENTENCES, TOKENS = 5, 200


class Turn(NamedTuple):
    speaker: str
    text: str


class UtteranceText(NamedTuple):
    """Hold an utterance for cutting; the bounds of its sentences are code points into its text."""

    speaker: str
    text: str
    starts: list[int]
    ends: list[int]


class AroundItem(NamedTuple):
    """Hold the utterance of an item: its exact text before and after the item's."""

    speaker: str
    before: str
    after: str


@dataclass(frozen=True)
class Context:
    """Hold an item's context. `utterance` is None where the item is all of its utterance.

    Turns stand oldest first; an empty list means that the document starts there.
    """

    utterance: AroundItem | None = None
    minus_5_sentences: list[Turn] = field(default_factory=list)
    minus_200_tokens: list[Turn] = field(default_factory=list)


def last_sentences(earlier: Iterable[UtteranceText], count: int = SENTENCES) -> list[Turn]:
    """Return the last `count` sentences of `earlier`, whose utterances come nearest first."""
    turns: list[Turn] = []
    for said in earlier:
        if count <= 0:
            break
        turns.append(ending(said, max(0, len(said.starts) - count)))
        count -= len(said.starts)
    return turns[::-1]


def last_tokens(earlier: Iterable[UtteranceText], count: int = TOKENS) -> list[Turn]:
    """Give the fewest whole sentences at the end of `earlier` (nearest first) that hold `count` words."""
    turns: list[Turn] = []
    for said in earlier:
        if count <= 0:
            break
        first = first_sentence_for(said, count)
        turns.append(ending(said, first))
        count -= count_words(turns[-1].text)
    return turns[::-1]


def first_sentence_for(said: UtteranceText, count: int) -> int:
    """Return the last sentence from which the utterance's rest holds `count` tokens; 0 where all of it does not."""
    end = said.ends[-1]
    for number in range(len(said.starts) - 1, 0, -1):
        if count_words(said.text[said.starts[number] : end]) >= count:
            return number
    return 0


def ending(said: UtteranceText, first: int) -> Turn:
    """Return the exact text from one sentence's start to the last one's end."""
    return Turn(said.speaker, said.text[said.starts[first] : said.ends[-1]])


def around(said: UtteranceText, start: int, end: int) -> AroundItem:
    return AroundItem(said.speaker, said.text[:start], said.text[end:])


def enough(sentences: int, tokens: int) -> bool:
    """Tell whether utterances with so many tokens and sentences cover every context level."""
    return sentences >= SENTENCES and tokens >= TOKENS
