"""Count the sentences of texts, by the splitter that imports use by default."""

import threading
from collections.abc import Iterable
from functools import cache
from itertools import islice
from uuid import UUID

from annotation_app.ingest.options import BLANK
from annotation_app.ingest.splitter import Splitter

AT_ONCE = 20
# Texts never change, and numbers are small: what was counted is kept for as long as the process lives.
_cache: dict[UUID, int] = {}
_lock = threading.Lock()


@cache
def splitter() -> Splitter:
    return Splitter(BLANK)


def counted(ids: Iterable[UUID]) -> dict[UUID, int]:
    """Return the cached counts of the texts."""
    return {id_: _cache[id_] for id_ in ids if id_ in _cache}


def count_sentences(texts: Iterable[tuple[UUID, str]]) -> None:
    """Count a stream of (id, text); `counted` returns the numbers afterwards. A process's first call takes seconds."""
    stream = iter(texts)
    while some := list(islice(stream, AT_ONCE)):
        with _lock:
            bounds = splitter().bounds([text for _, text in some])
        _cache.update({id_: len(found) for (id_, _), found in zip(some, bounds, strict=True)})
