"""Which stages are settled by an item's majorities: the codebook's gate rule, as statements take it."""

import json
from collections.abc import Iterable, Mapping

from annotation_app.aggregation.rules import aggregated_labels
from annotation_app.codebook.stages import Codebook


def settled_stages(codebooks: Mapping[int, Codebook], profiles: Iterable[tuple[int, str]]) -> str:
    """{"<codebook id> <majorities>": [stage with an aggregated label, ...]} as JSON.

    Profiles are (codebook id, {stage: majority label} as text): a few hundred, however many items there are.
    """
    return json.dumps(
        {
            f"{codebook} {majorities}": list(aggregated_labels(codebooks[codebook], json.loads(majorities)))
            for codebook, majorities in profiles
        }
    )
