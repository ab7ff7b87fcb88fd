"""Bring the counts that agreement is computed from up to date with the answers."""

from typing import Any

from django.db import connection
from django.db.backends.utils import CursorWrapper

from annotation_app.aggregation.planner import INDEXED, planned
from annotation_app.agreement.settled import settled_stages
from annotation_app.agreement.statements import (
    changed_profiles_statement,
    combinations_statement,
    recount_statement,
    waiting_statement,
)
from annotation_app.codebook.definition import codebook_of
from annotation_app.db.statistics import analyze
from annotation_app.models import (
    Annotation,
    Answer,
    AnswerPattern,
    Assignment,
    CodebookVersion,
    CountedItem,
    LabelCombination,
    Project,
)

# The number of items in one statement. It takes some seconds at most, so that no reader waits long for another.
AT_ONCE = 5_000
# So many items at once are a bulk fill, after which the planner's statistics of these tables are far from the truth.
MANY = 1_000
FILLED = (Assignment, Annotation, Answer, AnswerPattern, LabelCombination, CountedItem)
# The number of patterns in one statement. Each has as many label combinations as there are pairs of people.
PATTERNS_AT_ONCE = 10_000
# Only one transaction at a time counts a project's items, so that none is subtracted or added twice.
LOCK = "SELECT pg_advisory_xact_lock(hashtext('annotation_app agreement'), %s)"


def patterns_refresh(*, project: Project) -> None:
    """Recount the items whose answers changed. Whatever was committed before the call is in the counts after it."""
    if patterns_waiting(project):
        # A short batch means that the queue was drained. New answers may already be arriving.
        counted = AT_ONCE
        while counted == AT_ONCE:
            counted = patterns_count(project)
            if counted >= MANY:
                analyze(*FILLED)


def patterns_waiting(project: Project) -> bool:
    """Return whether the project has items to recount, or patterns that are not in the label combinations."""
    with connection.cursor() as cursor:
        cursor.execute(waiting_statement(), {"project": project.pk})
        return bool(cursor.fetchone()[0])


def patterns_count(project: Project) -> int:
    """Recount up to AT_ONCE items and return how many there were.

    Patterns and label combinations change in one transaction.
    The queue is read by a statement that starts after the lock is held, and so after what others counted.
    """
    with planned(INDEXED) as cursor:
        cursor.execute(LOCK, [project.pk])
        cursor.execute(recount_statement(), {"project": project.pk, "at_once": AT_ONCE})
        counted = int(cursor.fetchone()[0])
        combinations_follow(cursor, project)
        return counted


def combinations_follow(cursor: CursorWrapper, project: Project) -> None:
    """Add to the label combinations by how much the patterns have changed."""
    cursor.execute(changed_profiles_statement(), {"project": project.pk})
    profiles = cursor.fetchall()
    versions = CodebookVersion.objects.in_bulk({codebook for codebook, _ in profiles})
    codebooks = {pk: codebook_of(version) for pk, version in versions.items()}
    parameters: dict[str, Any] = {
        "project": project.pk,
        "at_once": PATTERNS_AT_ONCE,
        "settled": settled_stages(codebooks, profiles),
        "of": "all",
        "pair": None,
    }
    while profiles:
        cursor.execute(combinations_statement(), parameters)
        if int(cursor.fetchone()[0]) < PATTERNS_AT_ONCE:
            return
