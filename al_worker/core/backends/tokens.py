"""Cache the token ids of every text that a tokenizer has seen, in memory-mapped files, found by the text's hash.

Rounds share almost all of their texts, and so do projects on one corpus. Each distinct text is tokenised once.
A folder holds segments that are written whole and never changed, so several processes may use it at once.
It can be deleted at any time.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b, sha256
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from al_worker.core.run.files import folder_aside, publish_folder

KEY_BYTES = 16
SEGMENT_TEXTS = 32_768
BATCH_TEXTS = 1024

Tokenize = Callable[[Sequence[str]], list[list[int]]]


@dataclass(frozen=True, slots=True)
class Segment:
    """Hold the tokens of several texts end to end in `ids`. Text i is ids[offsets[i]:offsets[i + 1]]."""

    ids: NDArray[np.int32]
    offsets: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class TokenTable:
    """Hold the tokens of n texts in the order asked for.

    Text i is segments[segment_of[i]].ids from starts[i] on, for lengths[i] tokens.
    `lengths` (n,) includes special tokens. `n_new` counts the texts that had to be tokenised.
    """

    segments: list[Segment]
    segment_of: NDArray[np.intp]
    starts: NDArray[np.int64]
    lengths: NDArray[np.int64]
    keys: list[bytes]
    n_new: int

    def row(self, index: int) -> NDArray[np.int32]:
        """Return the token ids of one text."""
        start = self.starts[index]
        return self.segments[self.segment_of[index]].ids[start : start + self.lengths[index]]

    def joined(self, rows: NDArray[np.intp]) -> NDArray[np.int32]:
        """Return the token ids of several texts, end to end. There must be one text or more."""
        lengths = self.lengths[rows]
        ends = np.cumsum(lengths)
        places = np.repeat(self.starts[rows] - ends + lengths, lengths) + np.arange(ends[-1])
        segment_of = self.segment_of[rows]
        found = np.empty(len(places), dtype=np.int32)
        for number in np.unique(segment_of):
            inside = np.repeat(segment_of == number, lengths)
            found[inside] = self.segments[number].ids[places[inside]]
        return found


class TokenCache:
    """Keep the tokens of one tokenizer and one maximum length; `identity` names both."""

    def __init__(self, folder: Path, identity: str, tokenize: Tokenize) -> None:
        self.folder = folder / "tokens" / identity
        self.tokenize = tokenize

    def table(self, texts: Sequence[str], on_batch: Callable[[int, int], None]) -> TokenTable:
        """Return the tokens of the texts, tokenising those that are new.

        `on_batch(done, new)` is called with the number of new texts that are done, and of all new texts.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        keys = [text_digest(text) for text in texts]
        names, index = self._load_index()
        new = {key: text for key, text in zip(keys, texts, strict=True) if key not in index}
        for name, part in self._tokenize_new(new, on_batch):
            index.update({key: (len(names), place) for place, key in enumerate(part)})
            names.append(name)
        segments = [_open(self.folder / name) for name in names]
        found = np.array([index[key] for key in keys], dtype=np.int64).reshape(-1, 2)
        starts, ends = np.empty((2, len(keys)), dtype=np.int64)
        for number in np.unique(found[:, 0]):
            inside = found[:, 0] == number
            places, offsets = found[inside, 1], segments[number].offsets
            starts[inside], ends[inside] = offsets[places], offsets[places + 1]
        return TokenTable(segments, found[:, 0], starts, ends - starts, keys, len(new))

    def _load_index(self) -> tuple[list[str], dict[bytes, tuple[int, int]]]:
        names = sorted(path.name for path in self.folder.iterdir() if not path.name.startswith("."))
        index: dict[bytes, tuple[int, int]] = {}
        for number, name in enumerate(names):
            packed = (self.folder / name / "keys.bin").read_bytes()
            for place in range(len(packed) // KEY_BYTES):
                index.setdefault(packed[place * KEY_BYTES : (place + 1) * KEY_BYTES], (number, place))
        return names, index

    def _tokenize_new(
        self, new: dict[bytes, str], on_batch: Callable[[int, int], None]
    ) -> Iterator[tuple[str, list[bytes]]]:
        keys = list(new)
        for start in range(0, len(keys), SEGMENT_TEXTS):
            part = keys[start : start + SEGMENT_TEXTS]
            rows: list[list[int]] = []
            for first in range(0, len(part), BATCH_TEXTS):
                rows += self.tokenize([new[key] for key in part[first : first + BATCH_TEXTS]])
                on_batch(start + len(rows), len(keys))
            yield self._write(part, rows), part

    def _write(self, keys: list[bytes], rows: list[list[int]]) -> str:
        packed = b"".join(keys)
        name = sha256(packed).hexdigest()[:24]
        temporary = folder_aside(self.folder, name)
        offsets = np.concatenate([[0], np.cumsum([len(row) for row in rows])]).astype(np.int64)
        ids = np.concatenate([np.asarray(row, dtype=np.int32) for row in rows])
        np.save(temporary / "offsets.npy", offsets)
        np.save(temporary / "ids.npy", ids)
        (temporary / "keys.bin").write_bytes(packed)
        publish_folder(temporary, self.folder / name)
        return name


def text_digest(text: str) -> bytes:
    """Return 128 bits of the text's hash. Among 10^9 texts the probability of a collision is about 10^-21."""
    return blake2b(text.encode(), digest_size=KEY_BYTES).digest()


def _open(folder: Path) -> Segment:
    # A plain view is used, because slices of a memory map are slow.
    return Segment(np.asarray(np.load(folder / "ids.npy", mmap_mode="r")), np.load(folder / "offsets.npy"))
