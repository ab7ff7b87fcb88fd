"""Compare codebook versions with the ones that were published before them."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from annotation_app.codebook.changes import Change
from annotation_app.codebook.compatibility import compare
from annotation_app.codebook.definition import DefinitionFault, codebook_of, faults_of
from annotation_app.models import CodebookVersion, Project
from annotation_app.refusals import Refused


@dataclass(frozen=True)
class ComparedVersion:
    """Hold a version with its changes against the one published before it. They are None where there was none.

    A draft is compared with the version that is in force, as it would be when it is published now. `faults` are those
    of a version that was stored before a rule that it breaks; its changes are None.
    """

    row: CodebookVersion
    changes: tuple[Change, ...] | None
    faults: list[DefinitionFault]


def versions_compared(project: Project, versions: Iterable[CodebookVersion]) -> list[ComparedVersion]:
    """Return the project's `versions` in their order, each with its changes."""
    published = list(project.codebooks.filter(state=CodebookVersion.State.PUBLISHED).order_by("published_at", "pk"))
    before = {later: earlier for earlier, later in pairwise(published)}
    newest = published[-1] if published else None
    return [compared(before.get(version) if version.published_at else newest, version) for version in versions]


def compared(before: CodebookVersion | None, version: CodebookVersion) -> ComparedVersion:
    if (faults := faults_of(version)) or before is None or faults_of(before):
        return ComparedVersion(version, None, faults)
    return ComparedVersion(version, compare(codebook_of(before), codebook_of(version)).changes, [])


def changes_between(project: Project, old: int, new: int) -> tuple[Change, ...]:
    """Return the changes from one version of the project to another, named by their numbers, published or not.

    Raises Refused for a version that does not exist, and for one that breaks a rule that came after it.
    """
    rows = {row.version: row for row in project.codebooks.filter(version__in=(old, new))}
    for number in (old, new):
        if number not in rows:
            raise Refused("no_version", f"This project has no version {number} of its codebook.")
    for row in rows.values():
        if faults_of(row):
            raise Refused("faulty", f"Version {row.version} breaks a rule that came after it, so nothing compares it.")
    return compare(codebook_of(rows[old]), codebook_of(rows[new])).changes
