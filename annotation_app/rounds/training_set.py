"""What a round learns from (OP-FED 5): majority labels of the learning stage, ambiguous and no-majority left out."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass

from annotation_app.aggregation.selectors import majority_labels
from annotation_app.codebook.definition import Codebook
from annotation_app.models import Batch, Project


@dataclass(frozen=True)
class Example:
    """An item's external id and its usable label."""

    item: str
    label: str


def training_set(*, project: Project, stage: str, codebook: Codebook, batches: Sequence[Batch]) -> list[Example]:
    """Sorted by item id, so that the same labels always give the same hash."""
    exclude = set(codebook.learning.exclude) if codebook.learning else set()
    usable = [
        Example(majority.external_id, majority.label)
        for majority in majority_labels(project=project, stage=stage, batches=batches)
        if majority.state == "majority" and majority.label is not None and majority.label not in exclude
    ]
    return sorted(usable, key=lambda example: example.item)


def training_set_hash(examples: Sequence[Example]) -> str:
    """sha256 over the JSON list of [item, label] pairs."""
    pairs = [[example.item, example.label] for example in examples]
    return hashlib.sha256(json.dumps(pairs, ensure_ascii=False).encode()).hexdigest()
