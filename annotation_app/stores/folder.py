"""Keep files in a folder, which all processes of an installation must see."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from django.core.files.storage import FileSystemStorage


class Folder(FileSystemStorage):
    """Hold QUORUM_MEDIA_DIR."""

    # What an operator looks at when the storage does not do what it should.
    REMEDY = "Give this user the right to write there (QUORUM_MEDIA_DIR)."

    def opened_once(self, name: str) -> tuple[IO[bytes], int]:
        """Open a file to be read once from its beginning; return it with its size in bytes."""
        file = self.open(name)
        return file, file.size

    def left_alone(self, folder: str, seconds: float) -> Iterator[str]:
        """Yield the names of a folder's files that nobody has written to for so long, those of its folders too."""
        root, before = Path(self.location), time.time() - seconds
        for path in sorted((root / folder).rglob("*")):
            try:
                if path.is_file() and not path.is_symlink() and path.stat().st_mtime < before:
                    yield path.relative_to(root).as_posix()
            except FileNotFoundError:
                # It went while the folder was read.
                continue
