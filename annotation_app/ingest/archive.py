"""Open the files of an archive: a folder, or a zip archive, which is read in place and never unpacked to disk."""

import hashlib
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, BinaryIO, cast

from annotation_app.ingest.damage import DAMAGE, told_as
from annotation_app.ingest.rows import BadLine, Unreadable, printable

if TYPE_CHECKING:
    from annotation_app.ingest.source import Source

Member = Path | zipfile.ZipInfo
# What macOS and Windows leave in folders and archives.
SYSTEM_FILES = ("__MACOSX", ".DS_Store", "Thumbs.db", "desktop.ini")
UTF8_NAME, ENCRYPTED = 0x800, 0x1


class Archive:
    """Hold the files of an archive by their names, such as `speeches/may.txt`. No name of a zip becomes a path."""

    def __init__(self, source: "Source", members: Mapping[str, Member], zipped: zipfile.ZipFile | None = None) -> None:
        self.source, self.members, self._zipped = source, members, zipped

    @property
    def kind(self) -> str:
        return "folder" if self._zipped is None else "archive"

    def within(self, folder: PurePosixPath) -> "Archive":
        """Return the files that lie right in a folder of it, by their own names."""
        inner = {PurePosixPath(name).name: each for name, each in self.members.items() if at(name) == folder}
        return Archive(self.source, inner, self._zipped)

    def open(self, name: str) -> BinaryIO:
        """Open a file. Raises Unreadable where it is damaged, or protected by a password."""
        member = self.members[name]
        if isinstance(member, Path):
            return member.open("rb")
        if member.flag_bits & ENCRYPTED:
            raise Unreadable(self.source.fault("Protected by a password: unlock the archive first.", name))
        with told_as(
            self._fault("The archive's member cannot be read", name), *DAMAGE, RuntimeError, ValueError, OSError
        ):
            return cast(BinaryIO, cast(zipfile.ZipFile, self._zipped).open(member))

    @contextmanager
    def reading(self, name: str) -> Iterator[BinaryIO]:
        """Open a file for as long as it is read. Raises Unreadable as `open` does, also for damage further on."""
        with told_as(self._fault("The archive's member is damaged", name), *DAMAGE, OSError), self.open(name) as stream:
            yield stream

    def read(self, name: str, most: int) -> bytes:
        """Return the first `most` bytes of a file. Raises Unreadable as `reading` does."""
        with self.reading(name) as stream:
            return stream.read(most)

    def _fault(self, words: str, name: str) -> Callable[[Exception], BadLine]:
        return lambda error: self.source.fault(f"{words}: {error}.", name)

    def size(self, name: str) -> int:
        member = self.members[name]
        return member.stat().st_size if isinstance(member, Path) else member.file_size


def at(name: str) -> PurePosixPath:
    return PurePosixPath(name).parent


@contextmanager
def archive_opened(source: "Source") -> Iterator[Archive]:
    """Open a folder or zip archive. Raises Unreadable where the archive is damaged."""
    if source.folder is not None:
        yield Archive(source, folder_members(source.folder))
        return

    def damaged(error: Exception) -> BadLine:
        return source.fault(f"The zip archive is damaged or ends early: {error}.")

    with told_as(damaged, *DAMAGE, ValueError, OSError):
        zipped = zipfile.ZipFile(source.file)
    with zipped:
        yield Archive(source, zip_members(zipped, source), zipped)


def folder_members(folder: Path) -> dict[str, Member]:
    found = {path.relative_to(folder).as_posix(): path for path in sorted(folder.rglob("*")) if path.is_file()}
    return {name: path for name, path in found.items() if not is_system_file(name)}


def zip_members(zipped: zipfile.ZipFile, source: "Source") -> dict[str, Member]:
    """Return the files by name. Raises Unreadable where two have one name: the first would be lost."""
    found: dict[str, Member] = {}
    for info in zipped.infolist():
        name = member_name(info)
        # A name may be empty in a damaged archive, which ZipInfo.is_dir does not expect.
        if not name or name.endswith("/") or is_system_file(name):
            continue
        if name in found:
            raise Unreadable(source.fault(f"The archive holds two files named {printable(name)[:100]}."))
        found[name] = info
    return found


def member_name(info: zipfile.ZipInfo) -> str:
    """Return the name with slashes. macOS writes UTF-8 without saying so, which Python then takes for code page 437."""
    name = info.filename
    if not info.flag_bits & UTF8_NAME:
        with suppress(UnicodeError):
            name = name.encode("cp437").decode("utf-8")
    return name.replace("\\", "/")


def is_system_file(name: str) -> bool:
    return any(part in SYSTEM_FILES or part.startswith("._") for part in PurePosixPath(name).parts)


def folder_hash(folder: Path) -> str:
    """Return the SHA-256 of a folder's files: of a line for each, with the SHA-256 of its bytes and its name."""
    digest = hashlib.sha256()
    for name, path in folder_members(folder).items():
        with cast(Path, path).open("rb") as stream:
            digest.update(f"{hashlib.file_digest(stream, 'sha256').hexdigest()}  {name}\n".encode())
    return digest.hexdigest()
