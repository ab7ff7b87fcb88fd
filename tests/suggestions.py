"""An evaluation whose system has predicted every item of a batch."""

from annotation_app.models import Batch, Evaluation, Prediction

SYSTEM = "small"


def predicted_all(batch: Batch) -> Evaluation:
    """The system said "yes" of every item's opinion, and "yes" to whether another question needs context."""
    row = Evaluation.objects.create(
        project=batch.project,
        number=1,
        name="Small",
        state="done",
        codebook=batch.codebook,
        created_by=batch.project.created_by,
    )
    for batch_item in batch.batch_items.all():
        said = {"evaluation": row, "system": SYSTEM, "item_id": batch_item.item_id}
        Prediction.objects.create(**said, stage="opinion", label="yes", confidence=0.9, explanation="It says so.")
        Prediction.objects.create(**said, stage="mp_context", label="yes", confidence=0.5)
    return row
