"""Name the folders and files of a release: scratch space, and the ZIP in the storage. Each attempt has its own.

An attempt that was taken for dead therefore overwrites nothing of the next one, and its files are found by its number.
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
    """Return the name of the folder inside the ZIP, which is the ZIP's own name without its ending."""
    return f"{slugify(release.project.name) or 'project'}-release-{release.number}"


def scratch_folder(release: Release, attempt: int) -> Path:
    return Path(settings.RUNS_DIR) / "releases" / f"{release.uuid}-{attempt}"


def stored_name(release: Release, attempt: int) -> str:
    return f"releases/{release.uuid}/{attempt}.zip"


def earlier_attempts_remove(release: Release, lease: Lease) -> None:
    """Remove what attempts whose worker died have left."""
    for attempt in range(1, lease.attempt):
        attempt_remove(release, attempt)


def attempt_remove(release: Release, attempt: int) -> None:
    """Remove the files of a failed attempt, unless the row names its ZIP.

    Where the connection breaks in the last commit, the caller cannot know that the release is done.
    """
    shutil.rmtree(scratch_folder(release, attempt), ignore_errors=True)
    name = stored_name(release, attempt)
    if Release.objects.filter(pk=release.pk, path=name).exists():
        return
    try:
        default_storage.delete(name)
    except OSError as error:
        # The storage itself may be why the release failed, and that reason must still be reported.
        logger.warning("%s may be left in the storage: %s", name, error)


def artifact_store(release: Release, attempt: int, path: Path) -> StoredFile:
    """Store the attempt's ZIP."""
    return file_store(path, stored_name(release, attempt))
