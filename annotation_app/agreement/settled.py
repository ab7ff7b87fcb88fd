"""Apply the codebook's gate rule to majorities, in the form that statements take.

A stage is settled by an item's majorities where it has an aggregated label.
"""

import json
from collections.abc import Iterable, Mapping

from annotation_app.aggregation.rules import aggregated_labels
from annotation_app.codebook.stages import Codebook


def settled_stages(codebooks: Mapping[int, Codebook], profiles: Iterable[tuple[int, str]]) -> str:
    """Return {"<codebook id> <majorities>": [stage with an aggregated label, ...]} as JSON.

    Profiles are (codebook id, {stage: majority label} as text).
    There are a few hundred of them, however many items there are.
    """
    return json.dumps(
        {
            f"{codebook} {majorities}": list(aggregated_labels(codebooks[codebook], json.loads(majorities)))
            for codebook, majorities in profiles
        }
    )
