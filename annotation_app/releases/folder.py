"""Write a folder of files, each hashed while it is written."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from annotation_app.export.stream import chunked

SUMS, CARD, ABOUT = "SHA256SUMS", "README.md", "release.json"
# What was published to everybody beside the codebook, where anything was.
NOTES = "codebooks/notes.json"
# Every release's, beside its records and codebooks, in the order in which they are listed.
DOCUMENTS = ("rounds.json", "agreement.json", "datasheet.json", SUMS, CARD, ABOUT)
# The earliest that a ZIP can tell: one folder gives one file, whenever it is packed.
EPOCH = (1980, 1, 1, 0, 0, 0)
COPIED_AT_ONCE = 1024 * 1024


@dataclass(frozen=True)
class Written:
    """Describe one file: its path in the folder, and its lines where it is made of records, else None."""

    path: str
    bytes: int
    sha256: str
    lines: int | None = None


class Folder:
    """Create a folder at `root`, which must not exist yet."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.files: list[Written] = []
        root.mkdir(parents=True)

    def write(self, path: str, parts: Iterable[bytes], *, records: bool = False) -> Written:
        """Write a file from parts. With `records` each part is a line, and lines are counted."""
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        digest, size, count = hashlib.sha256(), 0, 0

        def counted() -> Iterable[bytes]:
            nonlocal count
            for part in parts:
                count += 1
                yield part

        with target.open("xb") as file:
            for chunk in chunked(iter(counted())):
                digest.update(chunk)
                size += file.write(chunk)
        written = Written(path, size, digest.hexdigest(), count if records else None)
        self.files.append(written)
        return written

    def sums(self, left_out: Iterable[str]) -> Written:
        """Write what `sha256sum -c` reads, sorted by path."""
        files = sorted((file for file in self.files if file.path not in left_out), key=lambda file: file.path)
        return self.write(SUMS, (f"{file.sha256}  {file.path}\n".encode() for file in files))


def listed(files: Iterable[Written]) -> list[dict[str, Any]]:
    return [vars(file) for file in files]


def folder_zip(folder: Folder, target: Path, *, root: str) -> None:
    """Pack the folder's files in order under `root`, a piece at a time."""
    with ZipFile(target, "x", ZIP_DEFLATED) as packed:
        for file in folder.files:
            info = ZipInfo(f"{root}/{file.path}", EPOCH)
            info.compress_type = ZIP_DEFLATED
            info.external_attr = 0o644 << 16
            info.file_size = file.bytes
            with (folder.root / file.path).open("rb") as source, packed.open(info, "w") as out:
                while piece := source.read(COPIED_AT_ONCE):
                    out.write(piece)
