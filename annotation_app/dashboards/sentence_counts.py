"""Find and count the sentences of texts, by the splitter that imports use by default."""

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import islice
from uuid import UUID

from annotation_app.cached import Cache
from annotation_app.ingest.options import BLANK
from annotation_app.ingest.splitter import Bounds, Splitter

AT_ONCE = 20
# By the text's id, as texts never change.
sentence_counts_cache: Cache[UUID, int] = Cache(200_000)
_lock = threading.Lock()


@cache
def splitter() -> Splitter:
    return Splitter(BLANK)


def sentence_bounds(texts: Sequence[str]) -> list[Bounds]:
    """Return the sentences of each text, as code points. One thread at a time splits.

    A process's first call takes seconds.
    """
    with _lock:
        return splitter().bounds(texts)


def sentence_counts(ids: Iterable[UUID], texts: Callable[[list[UUID]], Iterable[tuple[UUID, str]]]) -> dict[UUID, int]:
    """Return the numbers by text id. `texts` streams (id, text) of those that are not cached."""
    return sentence_counts_cache.read(ids, lambda missing: dict(sentences_counted(texts(missing))))


def sentences_counted(texts: Iterable[tuple[UUID, str]]) -> Iterator[tuple[UUID, int]]:
    stream = iter(texts)
    while some := list(islice(stream, AT_ONCE)):
        bounds = sentence_bounds([text for _, text in some])
        yield from ((id_, len(found)) for (id_, _), found in zip(some, bounds, strict=True))
