"""Delete files that a process killed at the wrong moment has left in the storage, named by no row."""

import logging
import time
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings
from django.core.files.storage import default_storage

from annotation_app.projects.lifecycle import STORED

logger = logging.getLogger(__name__)

# A file is stored a moment before its row is written; an upload takes an hour at most.
AFTER_SECONDS = 24 * 3600
# Where files lie that a row names, and where they lie while they come. The scratch of jobs has owners of its own.
FOLDERS = ("evaluations", "imports", "interpretations", "releases", "rounds", "simulations", "test-sets", "uploads")


def files_tidy() -> list[str]:
    """Delete the files that no row names and nobody has written to for AFTER_SECONDS; return their names.

    The files are listed before the rows are read: one that is stored meanwhile is not looked at.
    """
    found = [name for folder in FOLDERS for name in left_alone(folder)]
    named: set[str] = set()
    for model, field, _ in STORED:
        named.update(model._default_manager.filter(**{f"{field}__in": found}).values_list(field, flat=True))
    orphans = [name for name in found if name not in named]
    for name in orphans:
        default_storage.delete(name)
        logger.warning("%s was named by no row, left by a process that was killed: it is deleted.", name)
    return orphans


def left_alone(folder: str) -> Iterator[str]:
    """Yield the names in the storage of a folder's old files, those of its folders too."""
    root = Path(settings.MEDIA_ROOT)
    before = time.time() - AFTER_SECONDS
    for path in sorted((root / folder).rglob("*")):
        try:
            if path.is_file() and not path.is_symlink() and path.stat().st_mtime < before:
                yield path.relative_to(root).as_posix()
        except FileNotFoundError:
            # It went while the folder was read.
            continue
