"""FilterBERT: what it learns, how it reads a source, and that a killed training goes on as if nothing had happened."""

import json
from dataclasses import asdict
from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from al_worker.core.backends.device import execution_for
from al_worker.core.errors import CheckpointMismatch, ModelUnavailable
from al_worker.core.interpretation.filters import filterbert
from al_worker.core.interpretation.filters.base import Source
from al_worker.core.interpretation.filters.filterbert_model import (
    FilterBert,
    filterbert_from,
    new_filterbert,
    sentence_scores,
)
from al_worker.core.interpretation.filters.filterbert_settings import FilterBertSettings
from al_worker.core.interpretation.filters.filterbert_training import FilterTrained, f1_of, train_filterbert
from al_worker.core.run.config import TrainingSettings
from al_worker.core.run.stop_signal import Stopped
from tests.core.commands import ran
from tests.interpretation.run_world import write_rows

KEPT = ("The committee cut its rate today.", "The committee raised rates this year.")
DROPPED = (
    "Prices rose slowly.",
    "It said market growth fell.",
    "Bonds were high again.",
    "Growth was strong in march.",
)
SOURCES = [
    ([DROPPED[at % 4], KEPT[at % 2], DROPPED[(at + 1) % 4], DROPPED[(at + 2) % 4]], [f"Today {KEPT[at % 2].lower()}"])
    for at in range(8)
]
SETTINGS = FilterBertSettings(max_epochs=25, learning_rate=1e-2, patience=2, selection_budget=14)


def trained(
    encoder: Path, folder: Path, settings: FilterBertSettings, stops_after: int = 0
) -> tuple[FilterBert, FilterTrained]:
    model = new_filterbert(str(encoder), settings, seed=3)
    epochs: list[int] = []
    found = train_filterbert(
        model,
        SOURCES,
        SOURCES[:4],
        settings,
        3,
        execution_for(TrainingSettings(device="cpu")),
        folder,
        report=lambda epoch: epochs.append(epoch.epoch),
        stop=lambda: bool(stops_after) and len(epochs) == stops_after,
    )
    return model, found


@pytest.mark.parametrize("settings", [
    SETTINGS,
    # What the authors' programs do: a sentence at a time, and ROUGE-2 of what is selected.
    FilterBertSettings(**asdict(SETTINGS) | {"unit": "sentences", "stop_on": "rouge2", "schedule": "code"}),
])  # fmt: skip
def test_it_learns_to_select_as_the_oracle_does(tiny_bert: Path, tmp_path: Path, settings: FilterBertSettings) -> None:
    model, found = trained(tiny_bert, tmp_path / "state", settings)
    assert (found.sentences, found.kept) == (32, 8)
    best = found.curves[found.best_epoch - 1]
    assert found.stopped_early
    assert found.epochs == found.best_epoch + settings.patience < settings.max_epochs
    if settings.stop_on == "rouge2":
        # The best sentence is ranked first before any is thought worth keeping.
        assert best.rouge2 == 1.0
    else:
        # Early epochs keep nothing, and do not stop the training.
        assert (found.curves[0].f1, best.f1, best.rouge2) == (0.0, 1.0, None)
    assert found.curves[-1].train_loss < 0.75 * found.curves[0].train_loss
    sentences = [text for text, _ in SOURCES]
    scores = sentence_scores(model, sentences, execution_for(TrainingSettings(device="cpu")))
    for text, own in zip(sentences, scores, strict=True):
        assert filterbert.keep(Source(tuple(text), (10,) * 4, (), own), 12) == [1]
    model.save(tmp_path / "saved")
    again = sentence_scores(filterbert_from(tmp_path / "saved"), sentences, execution_for(TrainingSettings()))
    assert again == scores
    assert (
        sorted(path.suffix for path in (tmp_path / "saved").iterdir() if path.suffix != ".json") == [".safetensors"] * 2
    )


def test_a_training_that_was_stopped_gives_the_weights_of_one_that_was_not(tiny_bert: Path, tmp_path: Path) -> None:
    settings = FilterBertSettings(max_epochs=3, patience=3, learning_rate=5e-3)
    model, found = trained(tiny_bert, tmp_path / "whole", settings)
    with pytest.raises(Stopped):
        trained(tiny_bert, tmp_path / "stopped", settings, stops_after=1)
    again, after = trained(tiny_bert, tmp_path / "stopped", settings)
    assert all(torch.equal(one, other) for one, other in zip(model.parameters(), again.parameters(), strict=True))
    untimed = [[{**asdict(epoch), "seconds": 0} for epoch in each.curves] for each in (found, after)]
    assert untimed[0] == untimed[1]
    with pytest.raises(CheckpointMismatch, match="settings"):
        trained(tiny_bert, tmp_path / "stopped", FilterBertSettings(max_epochs=4, patience=3, learning_rate=5e-3))


@pytest.fixture(scope="module")
def model(tiny_bert: Path) -> FilterBert:
    return new_filterbert(str(tiny_bert), FilterBertSettings(), seed=0)


@given(st.lists(st.integers(1, 60), min_size=1, max_size=12), st.integers(8, 40))
def test_chunks_end_between_sentences_and_fit(model: FilterBert, lengths: list[int], limit: int) -> None:
    """Every sentence is in one chunk, in order, and a sentence that is too long is cut."""
    model.limit = limit
    tokens = model.tokens(["rates " * length for length in lengths])
    pieces = list(model.pieces(tokens))
    assert [number for piece in pieces for number in piece.sentences] == list(range(len(lengths)))
    for piece, after in zip(pieces, [*pieces[1:], None], strict=True):
        assert len(piece.ids) <= limit
        assert piece.ids == [token for number in piece.sentences for token in tokens[number]]
        assert [piece.ids[start] for start in piece.starts] == [model.tokenizer.cls_token_id] * len(piece.starts)
        assert after is None or len(piece.ids) + len(tokens[after.sentences[0]]) > limit


def test_f1_is_of_the_sentences_to_keep() -> None:
    """Count 2 of 3 to keep as found, with 1 false one: precision 2/3, recall 2/3."""
    assert f1_of([True, True, True, False, False], [True, True, False, True, False]) == pytest.approx(2 / 3)
    assert f1_of([True, False], [False, True]) == f1_of([True], [False]) == 0.0


def test_the_command_takes_a_trained_model(tiny_bert: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model, _ = trained(tiny_bert, tmp_path / "state", SETTINGS)
    model.save(tmp_path / "model")
    path = tmp_path / "sources.jsonl"
    write_rows(path, [{"id": f"s{at}", "sentences": text} for at, (text, _) in enumerate(SOURCES)])
    command = ("filter", "filterbert", path, "--tokenizer", tiny_bert, "--budget", "12")
    done = ran(capsys, *command, "--model", tmp_path / "model")
    assert [json.loads(line)["kept"] for line in done.stdout.splitlines()] == [[1]] * 8
    without = ran(capsys, *command)
    assert (without.returncode, "needs --model FOLDER" in without.stderr) == (3, True)
    with pytest.raises(ModelUnavailable, match="holds no trained FilterBERT"):
        filterbert_from(tiny_bert)
