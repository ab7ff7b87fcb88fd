"""Make the tables of models against people, from the newest evaluation that is done."""

from dataclasses import replace

from al_worker.formats.evaluation_tables import tables_of
from al_worker.formats.paper_tables import Table
from annotation_app.evaluation.selectors import evaluation_figures
from annotation_app.models import Evaluation

# Tables that a report shows; the evaluation's own page has all of them.
SHOWN = ("accuracy", "f1", "weighted_f1", "pairs", "calibration")


def model_tables(evaluation: Evaluation) -> list[Table]:
    """Return the tables of an evaluation that have a row."""
    figures = evaluation_figures(evaluation)
    tables = tables_of(figures) if figures else []
    about = f"From evaluation {evaluation.number}, “{evaluation.name}”."
    return [
        replace(table, key=f"evaluation_{table.key}", notes=[about, *table.notes])
        for table in tables
        if table.key in SHOWN and table.rows
    ]
