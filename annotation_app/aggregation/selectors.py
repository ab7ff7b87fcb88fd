"""Read majorities and aggregated labels."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from annotation_app.aggregation.planner import planned
from annotation_app.aggregation.rules import Aggregated, aggregate
from annotation_app.aggregation.statements import Phase, majority_labels_statement
from annotation_app.codebook.definition import codebook_of
from annotation_app.codebook.question_types.stage import Stage
from annotation_app.codebook.stages import Codebook
from annotation_app.models import Batch, CodebookVersion, Project
from annotation_app.refusals import Invalid


@dataclass(frozen=True)
class Majority:
    """Hold one stage's outcome of one item of a batch. `item_id` is the row's own id, never shown outside.

    `takes` is how many answers make a majority there.
    """

    item_id: int
    external_id: str
    text: str
    batch_number: int
    takes: int
    state: str
    label: str | None
    votes: dict[str, int]


def unknown_stage(key: str) -> Invalid:
    """Return the refusal of a stage that no published codebook of the project has."""
    return Invalid({"stage": [f"No published codebook of this project has a stage {key!r}."]})


def codebooks_of(project: Project) -> dict[int, Codebook]:
    """Return the published codebook versions by row id, oldest first."""
    versions = CodebookVersion.objects.filter(project=project, state=CodebookVersion.State.PUBLISHED)
    return {row.pk: codebook_of(row) for row in versions.order_by("version")}


def newest_stages(codebooks: Mapping[int, Codebook]) -> dict[str, Stage]:
    """Return the newest codebook's stages by key in its order, then those that only older ones have."""
    found: dict[str, Stage] = {}
    for codebook in list(codebooks.values())[::-1]:
        for stage in codebook.stages:
            found.setdefault(stage.key, stage)
    return found


def stages_of(codebooks: Mapping[int, Codebook]) -> list[tuple[str, str]]:
    """Return (key, title) of each of `newest_stages`."""
    return [(key, stage.title) for key, stage in newest_stages(codebooks).items()]


def majority_labels(
    *,
    project: Project,
    stage: str,
    batches: Iterable[Batch] | None = None,
    phase: Phase = 1,
    adjudicated: bool = False,
) -> list[Majority]:
    """Return the outcome of every item of the rounds at `stage`, in the order of batch and rank.

    `batches` names batches of any kind instead. With `adjudicated`, decisions go before majorities. A stage that a
    batch's codebook does not have is not applicable there. It takes a constant number of statements.
    """
    named = None if batches is None else [batch.pk for batch in batches]
    parameters = {"project": project.pk, "batches": named, "adjudicated": adjudicated}
    codebooks = codebooks_of(project)
    # Items by the ten thousand share a few hundred outcomes.
    known: dict[tuple[int, str, str, str], Aggregated] = {}
    with planned() as cursor:
        cursor.execute(majority_labels_statement(phase), parameters)
        rows = cursor.fetchall()
    return [
        _majority(row[:5], known.get(row[5:]) or known.setdefault(row[5:], _at(stage, codebooks[row[5]], *row[6:])))
        for row in rows
    ]


def _at(stage: str, codebook: Codebook, majorities: str, votes: str, decided: str) -> Aggregated:
    stages = aggregate(codebook, json.loads(majorities), json.loads(votes), json.loads(decided))
    return stages.get(stage, Aggregated("not_applicable"))


def _majority(item: tuple[int, str, str, int, int], outcome: Aggregated) -> Majority:
    return Majority(*item, state=outcome.state, label=outcome.label, votes=outcome.votes)
