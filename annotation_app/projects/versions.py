"""Compare codebook versions with the ones that were published before them."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from annotation_app.codebook.changes import Change
from annotation_app.codebook.compatibility import compare
from annotation_app.codebook.definition import codebook_of
from annotation_app.models import CodebookVersion, Project


@dataclass(frozen=True)
class ComparedVersion:
    """Hold a version with its changes against the one published before it. They are None where there was none.

    A draft is compared with the version that is in force, as it would be when it is published now.
    """

    row: CodebookVersion
    changes: tuple[Change, ...] | None


def versions_compared(project: Project, versions: Iterable[CodebookVersion]) -> list[ComparedVersion]:
    """Return the project's `versions` in their order, each with its changes."""
    published = list(project.codebooks.filter(state=CodebookVersion.State.PUBLISHED).order_by("published_at", "pk"))
    before = {later: earlier for earlier, later in pairwise(published)}
    newest = published[-1] if published else None
    return [
        ComparedVersion(version, _changes(before.get(version) if version.published_at else newest, version))
        for version in versions
    ]


def _changes(before: CodebookVersion | None, version: CodebookVersion) -> tuple[Change, ...] | None:
    return None if before is None else compare(codebook_of(before), codebook_of(version)).changes
