"""Show adjudicators what systems predict beside the votes, where an admin turned that on, and log each look."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from annotation_app.models import BatchItem, Evaluation, Membership, Prediction, event_write


@dataclass(frozen=True)
class ShownPredictions:
    """Hold what one system of an evaluation predicts of an item, by stage."""

    evaluation: Evaluation
    system: str
    stages: Mapping[str, Prediction]

    @property
    def title(self) -> str:
        return self.evaluation.title_of(self.system)


def predictions_show(reader: Membership, batch_item: BatchItem) -> Sequence[ShownPredictions]:
    """Return the predictions of an item that adjudicators may see, and log that the reader saw them."""
    evaluations = {row.pk: row for row in reader.project.evaluations.exclude(shown_to_adjudicators=[])}
    if not evaluations:
        return []
    found: dict[tuple[int, str], dict[str, Prediction]] = defaultdict(dict)
    rows = Prediction.objects.filter(evaluation__in=evaluations, item=batch_item.item_id, label__isnull=False)
    for row in rows.defer("prompt", "raw").order_by("evaluation", "system"):
        if row.system in evaluations[row.evaluation_id].shown_to_adjudicators:
            found[row.evaluation_id, row.system][row.stage] = row
    shown = [ShownPredictions(evaluations[pk], system, stages) for (pk, system), stages in found.items()]
    if shown:
        event_write(
            verb="predictions_shown",
            project=reader.project,
            actor_id=reader.user_id,
            subject=batch_item.item.uuid,
            systems=[f"{each.system} of evaluation {each.evaluation.number}" for each in shown],
        )
    return shown
