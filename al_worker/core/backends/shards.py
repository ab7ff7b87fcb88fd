"""Keep finished parts of a scan as files, with locks by which several processes share the work.

A scan is named by everything that its numbers depend on.
A process may use another's result only under the same name.
"""

import fcntl
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from al_worker.core.errors import NothingToJoin, ScanMismatch
from al_worker.core.run.files import drop_folder, value_hash
from al_worker.core.scoring.predictions import write_arrays
from al_worker.formats.run_directory import SCAN, read_json, write_json

Arrays = tuple[NDArray[np.float32], NDArray[np.float32] | None]


def scan_begin(scratch: Path, parts: Mapping[str, Any]) -> "Shards":
    """Return the shards of the scan that `parts` identify. Shards of other scans are deleted."""
    shards = Shards(scratch, value_hash(parts)[:24])
    for folder in scratch.iterdir() if scratch.is_dir() else ():
        if folder.is_dir() and folder != shards.folder:
            drop_folder(folder)
    shards.folder.mkdir(parents=True, exist_ok=True)
    write_json(scratch / SCAN, {"scan": shards.key, "parts": dict(parts)})
    return shards


def scan_join(scratch: Path, parts: Mapping[str, Any]) -> "Shards":
    """Return the shards of the scan under way.

    Raises NothingToJoin, and ScanMismatch, which names what differs here.
    """
    if not (scratch / SCAN).is_file():
        raise NothingToJoin(
            f"no scan is under way in {scratch.parent}; start score (or round) there, and join once it scores"
        )
    theirs, shards = read_json(scratch / SCAN), Shards(scratch, value_hash(parts)[:24])
    if theirs["scan"] != shards.key:
        here, there = _flat(parts), _flat(theirs["parts"])
        found = [f"{name} is {here.get(name)} here and {there.get(name)} there" for name in sorted(here | there)
                 if here.get(name) != there.get(name)]  # fmt: skip
        raise ScanMismatch(
            f"this process would not give the numbers that the scan under way gives: {'; '.join(found)}; "
            "use the same files, settings, library versions and hardware"
        )
    return shards


class Shards:
    """Share a scan among processes. Shard n is the scan folder's file `n.npz`; its worker holds `n.lock` meanwhile."""

    def __init__(self, scratch: Path, key: str) -> None:
        self.key, self.folder = key, scratch / key

    def numbers(self) -> set[int]:
        """Return the numbers of the shards that have a file, whole or not."""
        return {int(path.stem) for path in self.folder.glob("*.npz") if path.stem.isdigit()}

    def has(self, number: int) -> bool:
        return self._path(number).is_file()

    @contextmanager
    def claim(self, number: int) -> Iterator[bool]:
        """Yield whether this process alone may compute the shard.

        The system releases the lock when the process ends.
        """
        with (self.folder / f"{number:06d}.lock").open("a") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                yield False
                return
            yield True

    def write(self, number: int, rows: NDArray[np.intp], shard: Arrays) -> None:
        """Write the shard, all or nothing, with a checksum over its content and the scan that it belongs to."""
        arrays: dict[str, NDArray] = {"rows": rows, "logits": shard[0], "checksum": self._checksum(rows, shard)}
        write_arrays(self._path(number), arrays if shard[1] is None else arrays | {"vectors": shard[1]})

    def read(self, number: int, rows: NDArray[np.intp]) -> Arrays | None:
        """Return the shard if it is whole, of these rows and of this scan.

        Otherwise return None: it must be computed.
        """
        if not self.has(number):
            return None
        try:
            with np.load(self._path(number), allow_pickle=False) as archive:
                stored = {name: archive[name] for name in archive.files}
            shard = stored["logits"], stored.get("vectors")
            whole = np.array_equal(stored["rows"], rows) and len(shard[0]) == len(rows)
            return shard if whole and np.array_equal(stored["checksum"], self._checksum(rows, shard)) else None
        except (KeyError, ValueError, OSError, EOFError, zipfile.BadZipFile):
            return None

    def _path(self, number: int) -> Path:
        return self.folder / f"{number:06d}.npz"

    def _checksum(self, rows: NDArray[np.intp], shard: Arrays) -> NDArray[np.uint8]:
        digest = blake2b(self.key.encode(), digest_size=16)
        for array in (rows, *shard):
            if array is not None:
                digest.update(f"{array.dtype.str}{array.shape}".encode() + array.tobytes())
        return np.frombuffer(digest.digest(), dtype=np.uint8)


def _flat(parts: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in parts.items():
        found |= _flat(value, f"{name}.") if isinstance(value, Mapping) else {prefix + name: value}
    return found
