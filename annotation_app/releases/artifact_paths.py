"""Where a release lies: while it is made, and for good. Each attempt has places of its own.

So an attempt that was taken for dead overwrites nothing of the next one, and what it left is found by its number.
"""

import logging
import shutil
from pathlib import Path

from django.conf import settings
from django.core.files.storage import default_storage
from django.utils.text import slugify

from annotation_app.models import Lease, Release
from annotation_app.storage import StoredFile, file_store

logger = logging.getLogger(__name__)


def root_name(release: Release) -> str:
    """Of the folder, and of the ZIP without its ending."""
    return f"{slugify(release.project.name) or 'project'}-release-{release.number}"


def scratch(release: Release, attempt: int) -> Path:
    return Path(settings.RUNS_DIR) / "releases" / f"{release.uuid}-{attempt}"


def stored_name(release: Release, attempt: int) -> str:
    return f"releases/{release.uuid}/{attempt}.zip"


def earlier_remove(release: Release, lease: Lease) -> None:
    """What attempts whose worker died have left."""
    for attempt in range(1, lease.attempt):
        remove(release, attempt)


def remove(release: Release, attempt: int) -> None:
    """Of an attempt that came to nothing. A file that the row names stays, whatever the caller believes: where the
    connection breaks in the last commit, it is not told that the release is done.
    """
    shutil.rmtree(scratch(release, attempt), ignore_errors=True)
    name = stored_name(release, attempt)
    if Release.objects.filter(pk=release.pk, path=name).exists():
        return
    try:
        default_storage.delete(name)
    except OSError as error:
        # The reason why the release failed may be the storage itself, and must still be told.
        logger.warning("%s may be left in the storage: %s", name, error)


def store(release: Release, attempt: int, path: Path) -> StoredFile:
    """Put the attempt's ZIP into the storage."""
    return file_store(path, stored_name(release, attempt))
