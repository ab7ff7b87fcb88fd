"""Parse a codebook from JSON, and read a stored version once in a process."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple
from uuid import UUID

from pydantic import ValidationError

from annotation_app.codebook.stages import Codebook
from annotation_app.faults import path_of
from annotation_app.models import CodebookVersion


class DefinitionFault(NamedTuple):
    """Hold where a definition is wrong, and why. An empty path is the whole."""

    path: str
    message: str


class DefinitionError(ValueError):
    """Signal a definition that is not a valid codebook. `errors` holds every fault."""

    def __init__(self, errors: list[DefinitionFault]) -> None:
        self.errors = errors
        super().__init__("; ".join(f"{path or 'codebook'}: {message}" for path, message in errors))


def parse_definition(definition: Any) -> Codebook:
    """Return the codebook that decoded JSON defines. Raises DefinitionError, which lists every fault with its path."""
    try:
        return Codebook.model_validate(definition)
    except ValidationError as error:
        found = [DefinitionFault(path_of(each["loc"]), each["msg"]) for each in error.errors(include_url=False)]
        raise DefinitionError(found) from None


def definition_of(codebook: Codebook) -> dict[str, Any]:
    """Return the JSON of a codebook with its defaults written out. `parse_definition` returns the same codebook."""
    return codebook.model_dump(mode="json")


@lru_cache(maxsize=64)
def codebook_of(version: CodebookVersion) -> Codebook:
    """Return a stored version, parsed. Its definition never changes, so that one copy serves a whole process."""
    return parse_definition(version.definition)


def faults_of(version: CodebookVersion) -> list[DefinitionFault]:
    """Return what today's rules find wrong with a version that earlier rules let in."""
    try:
        codebook_of(version)
    except DefinitionError as error:
        return error.errors
    return []


@dataclass(frozen=True)
class PinnedCodebook:
    """Hold a published version with its definition and what it says."""

    uuid: UUID
    version: int
    definition: dict[str, Any]
    parsed: Codebook


@lru_cache(maxsize=64)
def pinned_codebook(codebook_id: int) -> PinnedCodebook:
    row = CodebookVersion.objects.get(pk=codebook_id, state=CodebookVersion.State.PUBLISHED)
    return PinnedCodebook(row.uuid, row.version, row.definition, codebook_of(row))
