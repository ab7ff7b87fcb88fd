"""Read the context of items from the database: of a few for a screen, or of all for an export."""

from collections import deque
from collections.abc import Sequence

from django.db import connection

from annotation_app.ingest.context_levels import (
    SENTENCES,
    TOKENS,
    AroundItem,
    Context,
    Turn,
    UtteranceText,
    around,
    enough,
    last_sentences,
    last_tokens,
)
from annotation_app.models import Item, Utterance

# For each utterance the ones before it, nearest first, as far as the context levels reach. Every utterance holds a
# token, so that no more than 200 are looked at; only the few that are taken have their text read.
EARLIER = """
    SELECT own.id, near.speaker, near.text, near.sentence_starts, near.sentence_ends
    FROM annotation_app_utterance own
    CROSS JOIN LATERAL (
        SELECT sized.id, sized.position FROM (
            SELECT u.id, u.position,
                   sum(u.n_tokens) OVER nearer AS tokens, sum(cardinality(u.sentence_starts)) OVER nearer AS sentences
            FROM annotation_app_utterance u
            WHERE u.document_id = own.document_id
              AND u.position < own.position AND u.position >= own.position - %(tokens)s
            WINDOW nearer AS (ORDER BY u.position DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
        ) sized
        WHERE coalesce(sized.tokens, 0) < %(tokens)s OR coalesce(sized.sentences, 0) < %(sentences)s
    ) taken
    JOIN annotation_app_utterance near ON near.id = taken.id
    WHERE own.id = ANY(%(utterances)s)
    ORDER BY own.id, near.position DESC
"""


def context_for(items: Sequence[Item]) -> dict[int, Context]:
    """Return the context of each item by its id, in two queries; meant for the few items of a screen."""
    utterances = {item.utterance_id for item in items}
    own = {
        pk: utterance_text(rest)
        for pk, *rest in Utterance.objects.filter(pk__in=utterances).values_list(
            "pk", "speaker", "text", "sentence_starts", "sentence_ends"
        )
    }
    before = earlier_of(sorted(utterances))
    levels = {pk: (last_sentences(before.get(pk, [])), last_tokens(before.get(pk, []))) for pk in utterances}
    return {item.pk: Context(around_item(own[item.utterance_id], item), *levels[item.utterance_id]) for item in items}


def utterance_text(values: Sequence[object]) -> UtteranceText:
    speaker, text, starts, ends = values
    return UtteranceText(str(speaker), str(text), list(starts), list(ends))  # type: ignore[call-overload]


def earlier_of(utterances: list[int]) -> dict[int, list[UtteranceText]]:
    """Return the utterances before each utterance, nearest first."""
    found: dict[int, list[UtteranceText]] = {}
    with connection.cursor() as cursor:
        cursor.execute(EARLIER, {"utterances": utterances, "tokens": TOKENS, "sentences": SENTENCES})
        for pk, *rest in cursor:
            found.setdefault(pk, []).append(utterance_text(rest))
    return found


def around_item(said: UtteranceText, item: Item) -> AroundItem | None:
    return None if item.number is None else around(said, item.start, item.end)


class Walk:
    """Hold a reader's position in a document, with the utterances before it as far as the context levels reach."""

    def __init__(self) -> None:
        self.document = self.utterance = 0
        self.said = UtteranceText("", "", [], [])
        # Nearest first: (utterance, its tokens); and the sums over all of them.
        self.earlier: deque[tuple[UtteranceText, int]] = deque()
        self.n_tokens = self.sentences = self.tokens = 0
        self.levels: tuple[list[Turn], list[Turn]] | None = None

    def step(self, row: Utterance) -> None:
        if row.document_id != self.document:
            self.document = row.document_id
            self.earlier.clear()
            self.sentences = self.tokens = 0
        else:
            self.remember()
        self.utterance, self.n_tokens, self.levels = row.pk, row.n_tokens, None
        self.said = UtteranceText(row.speaker, row.text, row.sentence_starts, row.sentence_ends)

    def remember(self) -> None:
        """Keep the utterance just left, and drop the farthest ones that the nearer make needless."""
        self.earlier.appendleft((self.said, self.n_tokens))
        self.sentences += len(self.said.starts)
        self.tokens += self.n_tokens
        while self.earlier:
            said, n_tokens = self.earlier[-1]
            if not enough(self.sentences - len(said.starts), self.tokens - n_tokens):
                return
            self.earlier.pop()
            self.sentences -= len(said.starts)
            self.tokens -= n_tokens

    def context(self, item: Item) -> Context:
        if self.levels is None:
            before = [said for said, _ in self.earlier]
            self.levels = (last_sentences(before), last_tokens(before))
        return Context(around_item(self.said, item), *self.levels)
