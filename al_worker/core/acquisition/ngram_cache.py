"""Keep n-grams between rounds, memory-mapped, and find them by the texts' hashes.

A pool shrinks by what is handed out, and those texts then stand among the texts read.
So the texts stay the same from round to round.
An index is built once for a set of texts and serves every subset of it. Texts that no index covers get a new one.
An index is written aside, renamed, and never changed, so several processes may use the folder at once.
It can be deleted at any time: results are the same without it.
"""

import os
import shutil
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from al_worker.core.acquisition.ngrams import Ngrams, NgramSettings, NgramTable, ngrams_of
from al_worker.core.backends.tokens import KEY_BYTES, text_digest
from al_worker.core.run.files import folder_aside, publish_folder, value_hash
from al_worker.formats.words import TOKEN_RULE

# Room for several projects or simulated data sets on one machine. An index of 4.5 million tokens takes 60 MB.
MOST_INDEXES = 8
FORMAT = 1

Keys = NDArray[np.bytes_]


class NgramCache:
    """Keep n-grams in a folder.

    `outcome` says what the last call found: "found", "built", or why the index was not kept.
    """

    def __init__(self, folder: Path) -> None:
        self.root = folder / "grams"
        self.outcome = ""

    def table(self, texts: Sequence[str], settings: NgramSettings) -> NgramTable:
        """Return the same table as `make_table`, from an index if one covers the texts.

        Rows are in the order of the texts' hashes.
        """
        folder = self.root / _identity(settings)
        wanted = _packed([text_digest(text) for text in texts])
        with suppress(PermissionError):  # another user's cache: neither read nor written
            for index in _newest_first(folder):
                found = _read(index, wanted)
                if found is not None:
                    self.outcome = "found"
                    _used(index)
                    return found
        keys, first = np.unique(wanted, return_index=True)
        ngrams = ngrams_of([texts[place] for place in first], settings)
        self.outcome = "built"
        try:
            _write(folder, keys, ngrams)
        except OSError as error:
            self.outcome = f"built, not kept in {self.root}: {error.strerror}"
        return NgramTable(ngrams, np.searchsorted(keys, wanted))


def _identity(settings: NgramSettings) -> str:
    # How letters are lowercased depends on the Unicode data of this Python.
    words = {"words": TOKEN_RULE, "unicode": unicodedata.unidata_version}
    return value_hash({**asdict(settings), **words, "format": FORMAT})[:24]


def _newest_first(folder: Path) -> list[Path]:
    ages: list[tuple[float, Path]] = []
    for path in _indexes(folder):
        with suppress(FileNotFoundError):  # dropped by another process a moment ago
            ages.append((path.stat().st_mtime, path))
    return [path for _, path in sorted(ages, reverse=True)]


def _indexes(folder: Path) -> Iterator[Path]:
    if folder.is_dir():
        yield from (path for path in folder.iterdir() if not path.name.startswith("."))


def _read(index: Path, wanted: Keys) -> NgramTable | None:
    """Return the index if it covers all wanted texts. An incomplete index is deleted."""
    try:
        keys = _packed([(index / "keys.bin").read_bytes()])
        if len(keys) == 0:
            raise ValueError("no texts")
        places = np.searchsorted(keys, wanted)
        if not bool((keys[np.minimum(places, len(keys) - 1)] == wanted).all()):
            return None
        # A plain view is used, because slices of a memory map are slow.
        data = np.asarray(np.load(index / "data.npy", mmap_mode="r"))
        ngrams = Ngrams(data, np.load(index / "offsets.npy"), np.load(index / "lengths.npy"))
        if not len(ngrams.lengths) == len(keys) == len(ngrams.offsets) - 1 or ngrams.offsets[-1] != len(ngrams.data):
            raise ValueError("its files do not belong together")
    except (FileNotFoundError, ValueError, EOFError):
        shutil.rmtree(index, ignore_errors=True)
        return None
    return NgramTable(ngrams, places)


def _used(index: Path) -> None:
    with suppress(OSError):  # the time only decides which index is dropped last
        os.utime(index)


def _write(folder: Path, keys: Keys, ngrams: Ngrams) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    packed = keys.tobytes()
    name = sha256(packed).hexdigest()[:24]
    temporary = folder_aside(folder, name)
    (temporary / "keys.bin").write_bytes(packed)
    np.save(temporary / "data.npy", ngrams.data)
    np.save(temporary / "offsets.npy", ngrams.offsets)
    np.save(temporary / "lengths.npy", ngrams.lengths)
    publish_folder(temporary, folder / name)
    for surplus in _newest_first(folder)[MOST_INDEXES:]:
        shutil.rmtree(surplus, ignore_errors=True)


def _packed(keys: Sequence[bytes]) -> Keys:
    return np.frombuffer(b"".join(keys), dtype=f"S{KEY_BYTES}")
