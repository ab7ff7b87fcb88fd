"""Warn before a round starts that there is too little to learn from; the warnings are kept on the round."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from annotation_app.aggregation.selectors import codebooks_of
from annotation_app.agreement.trend import TrendPoint, agreement_trend
from annotation_app.codebook.definition import codebook_of
from annotation_app.codebook.stages import Codebook
from annotation_app.models import Batch, Project
from annotation_app.projects.services import published_codebook
from annotation_app.rounds.batches import usable_batches
from annotation_app.rounds.training_set import Example, stage_labels, training_set

# Under so many usable labels of a class a model rarely learns to tell it apart.
FEWEST_OF_A_CLASS = 30
# Below this alpha the answers agree hardly more often than by chance.
ALPHA_FLOOR = 0.1


@dataclass(frozen=True)
class Readiness:
    """Hold a stage's usable labels by class, alpha of the newest batch with two answers an item, and warnings."""

    stage: str
    classes: dict[str, int]
    alpha: float | None
    warnings: list[str]


def stages_readiness(project: Project) -> list[Readiness]:
    """Return the readiness of each stage of the published codebook, by the independent answers; empty without one."""
    codebook = published_codebook(project)
    if codebook is None:
        return []
    definition, batches = codebook_of(codebook), usable_batches(project, codebook)
    stages = list(definition.stage_keys)
    examples = training_set(project=project, stages=stages, codebook=definition, batches=batches)
    return readiness(project=project, stages=stages, codebook=definition, batches=batches, examples=examples)


def readiness(
    *,
    project: Project,
    stages: Sequence[str],
    codebook: Codebook,
    batches: Sequence[Batch],
    examples: Sequence[Example],
) -> list[Readiness]:
    """Return the readiness of the stages, of a training set and the batches that it comes from."""
    codebooks, found = codebooks_of(project), []
    for stage in stages:
        asked = codebook.by_key[stage]
        given = (example.labels[stage] for example in examples if stage in example.labels)
        counts = Counter(label for answer in given for label in asked.labels_of(answer))
        classes = {label: counts[label] for label in stage_labels(codebook, stage)}
        trend = agreement_trend(project=project, stage=stage, batches=batches, codebooks=codebooks)
        batch, alpha = newest_alpha(batches, trend)
        warnings = class_warnings(stage, classes)
        if batch is not None and alpha is not None:
            warnings += alpha_warnings(stage, batch.number, alpha)
        found.append(Readiness(stage, classes, alpha.alpha if alpha else None, warnings))
    return found


def newest_alpha(batches: Sequence[Batch], trend: Mapping[int, TrendPoint]) -> tuple[Batch | None, TrendPoint | None]:
    """Return the newest batch that has an alpha, with it."""
    for batch in sorted(batches, key=lambda batch: batch.number, reverse=True):
        if trend[batch.pk].alpha is not None:
            return batch, trend[batch.pk]
    return None, None


def class_warnings(stage: str, classes: Mapping[str, int]) -> list[str]:
    """Return a warning that names the classes with fewer than FEWEST_OF_A_CLASS usable labels."""
    few = [f'{n} of "{label}"' for label, n in classes.items() if n < FEWEST_OF_A_CLASS]
    if not few:
        return []
    return [
        f"Stage {stage} has few usable labels: {', '.join(few)}. With fewer than {FEWEST_OF_A_CLASS} of a class a "
        "model rarely learns to tell it apart, and what it chooses is then as good as random."
    ]


def alpha_warnings(stage: str, batch: int, point: TrendPoint) -> list[str]:
    """Return a warning where the answers agree hardly more often than by chance."""
    if point.alpha is None:
        return []
    by_chance = point.low is not None and point.low <= 0
    if point.alpha >= ALPHA_FLOOR and not by_chance:
        return []
    why = f"{point.coefficient} {point.alpha:.3f}"
    if point.low is not None and point.high is not None:
        why += f", 95 % interval {point.low:.3f} to {point.high:.3f}"
    return [
        f"At stage {stage} the answers of batch {batch} agree hardly more often than by chance ({why}, n = "
        f"{point.n_units:,}): there may be nothing that a model can learn. Look at the disagreements first."
    ]
