"""Rounds whose batches are filled with answers that were worked by hand."""

from typing import Any

from annotation_app.models import Batch, Round
from tests.agreement.tables import Row, at, fill
from tests.conftest import People

# Majority yes, no, ambiguous, none, yes (two of three).
WORKED = {"i1": "YYY", "i2": "NNN", "i3": "AAN", "i4": "YNA", "i5": "YYN"}


def round_of(people: People, batch: Batch, strategy: str = "entropy", **values: Any) -> Round:
    row = Round.objects.create(
        project=people.project,
        number=batch.number,
        state=Round.State.COMPLETE,
        strategy_asked=strategy,
        strategy_used=strategy,
        query_size=5,
        random_state=1,
        model="none" if strategy == "random" else "bow-logreg",
        learning_stages=["opinion"],
        annotators_per_item=3,
        codebook=batch.codebook,
        created_by=people.admin.user,
        **values,
    )
    row.annotators.set(people.annotators)
    batch.round = row
    batch.save()
    return row


def filled(people: People, letters: dict[str, str], number: int = 1, stage: str = "opinion", **more: Any) -> Batch:
    rows: dict[str, Row] = at(stage, {f"{key}-{number}-{more.get('kind', '')}": row for key, row in letters.items()})
    return fill(people.project, people.annotators, rows, number=number, **more)
