"""Compare how much people agree with each other, and with a system as one more rater."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from annotation_app.agreement.file_reader import COLUMNS
from annotation_app.agreement.file_table import file_table
from annotation_app.agreement.statistics import STATISTICS
from annotation_app.evaluation.people import PersonAnswer
from annotation_app.ingest.source import Source

# No person's number begins so.
MODEL = "model "
NO_PEOPLE = "No item at this stage was answered by two people."
NO_PREDICTION = "The system predicted no item that people answered."
SHOWN = [each for each in STATISTICS if not each.is_of_pairs and each.measure is None]
Answer = tuple[str, str, str, str]


def rater_figures(
    people: Iterable[PersonAnswer], predictions: Mapping[str, Mapping[tuple[str, str], str | None]]
) -> dict[str, dict[str, dict[str, Any]]]:
    """Return {system: {stage: `as_rater` of docs/methods/evaluation.md}}.

    `predictions` hold labels by (stage, item) of each system; None, which is no label, is left out. Only items that
    people answered count, so that both figures are over the same items.
    """
    answers = [(each.item, str(each.annotator), each.stage, each.label) for each in people]
    asked = {(stage, item) for item, _, stage, _ in answers}
    alone = agreement_of(answers)
    found: dict[str, dict[str, dict[str, Any]]] = {}
    for system, labels in predictions.items():
        own = [
            (item, MODEL + system, stage, label)
            for (stage, item), label in labels.items()
            if label is not None and (stage, item) in asked
        ]
        together = agreement_of([*answers, *own])
        predicted = {stage for _, _, stage, _ in own}
        found[system] = {stage: compared(alone.get(stage), together.get(stage)) for stage in predicted}
    return found


def compared(alone: Mapping[str, Any] | None, together: Mapping[str, Any] | None) -> dict[str, Any]:
    if not alone or not alone["n_units"] or not together:
        return {"reason": NO_PEOPLE}
    return {
        "statistics": [
            {"key": each.key, "title": each.title, "people": alone[each.key], "with_model": together[each.key]}
            for each in SHOWN
        ]
    }


def agreement_of(answers: Sequence[Answer]) -> dict[str, dict[str, Any]]:
    """Return the row of everyone at each stage, by the statements that a project's agreement comes from."""
    if not answers:
        return {}
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(COLUMNS[:4])
    writer.writerows(answers)
    source = Source("answers.csv", file=io.BytesIO(text.getvalue().encode()))
    # No label is a mark of a missing answer.
    table = file_table("answers.csv", source, [], "")
    return {row["stage"]: row for row in table.rows if row["round"] is None and row["pair"] is None}
