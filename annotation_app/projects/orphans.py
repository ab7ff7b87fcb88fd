"""Delete files that nobody needs any more: those in the storage that no row names, and scratch of ended jobs."""

import logging
import shutil
from datetime import timedelta
from pathlib import Path

from django.conf import settings
from django.db.models import Q
from django.utils import timezone

from annotation_app.models import Interpretation
from annotation_app.projects.lifecycle import STORED
from annotation_app.storage import store

logger = logging.getLogger(__name__)

# A file is stored a moment before its row is written; an upload takes an hour at most.
AFTER_SECONDS = 24 * 3600
# A worker has stopped so long after its job was ended.
STOPPED_SECONDS = 600
# Where files lie that a row names, and where they lie while they come. Most jobs delete their scratch themselves.
FOLDERS = ("evaluations", "imports", "interpretations", "releases", "rounds", "simulations", "test-sets", "uploads")


def files_tidy() -> list[str]:
    """Delete the files that no row names and nobody has written to for AFTER_SECONDS; return their names.

    The files are listed before the rows are read: one that is stored meanwhile is not looked at.
    """
    found = [name for folder in FOLDERS for name in store.left_alone(folder, AFTER_SECONDS)]
    named: set[str] = set()
    for model, field, _ in STORED:
        named.update(model._default_manager.filter(**{f"{field}__in": found}).values_list(field, flat=True))
    orphans = [name for name in found if name not in named]
    for name in orphans:
        store.delete(name)
        logger.warning("%s was named by no row, left by a process that was killed: it is deleted.", name)
    return orphans


def scratch_tidy() -> list[str]:
    """Delete the scratch of interpretations that will not go on: cancelled, done or removed; return their ids.

    A worker that is told to stop still writes there for a while, so one that ended just now is left for the next time.
    """
    folders = {folder.name: folder for folder in (Path(settings.RUNS_DIR) / "interpretations").glob("*")}
    going_on = (*Interpretation.WORKING_STATES, *Interpretation.STOPPED_STATES)
    just_now = Q(finished_at__gte=timezone.now() - timedelta(seconds=STOPPED_SECONDS))
    kept = Interpretation.objects.filter(Q(state__in=going_on) | just_now).values_list("uuid", flat=True)
    ended = sorted(folders.keys() - set(map(str, kept)))
    for name in ended:
        shutil.rmtree(folders[name], ignore_errors=True)
    return ended
