"""Reading annotations and the codebook versions that they were made with."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from uuid import UUID

from annotation_app.codebook.definition import Codebook, parse_definition
from annotation_app.models import Annotation, CodebookVersion


@dataclass(frozen=True)
class PinnedCodebook:
    """A published version, parsed: it never changes, so one copy serves every request of a process."""

    uuid: UUID
    version: int
    definition: dict[str, Any]
    parsed: Codebook


@lru_cache(maxsize=64)
def pinned_codebook(codebook_id: int) -> PinnedCodebook:
    row = CodebookVersion.objects.get(pk=codebook_id, state=CodebookVersion.State.PUBLISHED)
    return PinnedCodebook(row.uuid, row.version, row.definition, parse_definition(row.definition))


def answers_of(annotation: Annotation) -> dict[str, str]:
    """{stage: label} of the open stages, in the order in which they were stored: the codebook's."""
    return {answer.stage: answer.label for answer in sorted(annotation.answers.all(), key=lambda answer: answer.pk)}
