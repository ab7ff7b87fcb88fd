"""The flat forward pass against transformers' own, one text at a time; and how a round comes to use it."""

import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from al_worker.core.backends.flat_batches import Group, flat_batch, flat_capacity, plan_flat_batches
from al_worker.core.backends.tokens import Segment, TokenTable, text_digest
from al_worker.core.run.config import TrainingSettings
from al_worker.formats.run_directory import read_json
from al_worker.formats.tables import ConfigError
from tests.core.run_dirs import core, sentences, write_run

ROOT = Path(__file__).parents[2]
ALL = sentences(60)
REACH = 4


def token_table(lengths: list[int]) -> TokenTable:
    """Texts of random token ids from 4 to 49."""
    ids = np.random.default_rng(0).integers(4, 50, size=sum(lengths)).astype(np.int32)
    starts = np.cumsum(lengths) - lengths
    segment = Segment(ids, np.append(starts, len(ids)))
    keys = [text_digest(str(number)) for number in range(len(lengths))]
    return TokenTable([segment], np.zeros(len(lengths), dtype=np.intp), starts, np.array(lengths), keys, len(lengths))


def sharp_modernbert() -> Any:
    """Six layers, two of them global, with weights so large that each layer matters."""
    import torch
    from transformers import ModernBertConfig, ModernBertForSequenceClassification

    torch.manual_seed(0)
    config = ModernBertConfig(vocab_size=50, hidden_size=32, intermediate_size=48, num_hidden_layers=6, num_labels=3,
                              num_attention_heads=2, max_position_embeddings=64, local_attention=2 * REACH,
                              global_attn_every_n_layers=3, initializer_range=0.3, pad_token_id=0, cls_token_id=2,
                              sep_token_id=3, bos_token_id=2, eos_token_id=3, classifier_pooling="cls")  # fmt: skip
    model = ModernBertForSequenceClassification(config).eval()
    for parameter in model.parameters():
        if parameter.ndim == 1:
            torch.nn.init.uniform_(parameter, 0.5, 1.5)
    return model


def expected(model: Any, table: TokenTable, vector: str) -> tuple[np.ndarray, np.ndarray]:
    """Logits and vectors from transformers' modules, one text at a time."""
    import torch

    logits, vectors = [], []
    with torch.inference_mode():
        for row in range(len(table.lengths)):
            ids = torch.from_numpy(table.row(row).astype(np.int64))[None]
            hidden = model.model(input_ids=ids)[0]
            pooled = {"cls": hidden[:, 0], "mean": hidden.mean(dim=1), "pooled_head": model.head(hidden[:, 0])}
            logits.append(model(input_ids=ids).logits[0].numpy())
            vectors.append(pooled[vector][0].numpy())
    return np.stack(logits), np.stack(vectors)


def found(flat: Any, table: TokenTable, capacity: int, execution: Any) -> tuple[np.ndarray, np.ndarray, int]:
    """Logits and vectors of the flat pass in the table's order, and the number of batches."""
    batches = plan_flat_batches(table.lengths, table.keys, capacity)
    parts = [flat(flat_batch(table, batch.rows, capacity, 0, execution)) for batch in batches]
    order = np.argsort(np.concatenate([batch.rows for batch in batches]))
    logits, vectors = (np.concatenate([part[i].numpy() for part in parts])[order] for i in (0, 1))
    return logits, vectors, len(batches)


# On both sides of the window: texts up to 5 tokens are within its reach, those of 6 are not. Some lengths occur once.
LENGTHS = [2, 3, 4, 5, 5, 5, 6, 6, 7, 8, 9, 10, 10, 17, 20, 20, 20, 20]


@pytest.mark.parametrize("vector", ["cls", "mean", "pooled_head"])
@pytest.mark.parametrize("budget", [1, 48, 10_000])
def test_it_gives_what_transformers_gives(vector: str, budget: int) -> None:
    from al_worker.core.backends.device import execution_for
    from al_worker.core.backends.modernbert_scan import FlatModernBert

    model, table, execution = sharp_modernbert(), token_table(LENGTHS), execution_for(TrainingSettings(threads=1))
    capacity = flat_capacity(table.lengths, budget)
    assert capacity == {1: 20, 48: 48, 10_000: sum(LENGTHS)}[budget]
    logits, vectors, n_batches = found(FlatModernBert(model, execution, vector, 20), table, capacity, execution)
    assert n_batches == {1: 10, 48: 5, 10_000: 1}[budget]
    true_logits, true_vectors = expected(model, table, vector)
    assert np.ptp(true_logits, axis=0).min() > 1, "texts must differ for the comparison to mean something"
    assert logits == pytest.approx(true_logits, abs=1e-5)
    assert vectors == pytest.approx(true_vectors, abs=1e-5)


def test_it_keeps_the_gate_in_bf16(tmp_path: Path, tiny_modernbert: Path) -> None:
    """Weights cast once: probabilities within 2e-3 of float32, as for bf16 autocast."""
    pool = {}
    for precision, path in (("fp32", "transformers"), ("bf16", "flat")):
        run = tmp_path / precision
        training = {"learning_rate": 3e-3, "epochs": 8, "precision": "fp32"}
        write_run(
            run, strategy="entropy", model=str(tiny_modernbert), labeled=ALL[:20], pool=ALL[20:], training=training
        )
        assert core("train", run) == 0
        rescore(run, precision=precision, scoring_path=path)
        with np.load(run / "predictions.npz") as arrays:
            shifted = np.exp(arrays["pool_logits"].astype(np.float64))
        pool[precision] = shifted / shifted.sum(axis=1, keepdims=True)
    assert np.ptp(pool["fp32"], axis=0).min() > 0.05
    assert not np.array_equal(pool["fp32"], pool["bf16"])
    assert pool["bf16"] == pytest.approx(pool["fp32"], abs=2e-3)


def rescore(run: Path, **training: Any) -> None:
    """Score with the model that stands in the run directory, whatever else its training was."""
    from al_worker.core.backends.base import Setup
    from al_worker.core.backends.registry import backend_for
    from al_worker.core.run.config import HeadSettings, RunConfig
    from al_worker.core.run.progress import Progress
    from al_worker.core.scoring.score import score

    given = Setup.of(RunConfig.read(run), run.parent / "cache")
    setup = replace(given, training=replace(given.training, **training))
    score(run, setup, backend_for(setup), (HeadSettings(name="", labels=("no", "yes")),), "", Progress("score"))


def arrays_of(run: Path) -> dict[str, np.ndarray]:
    with np.load(run / "predictions.npz") as arrays:
        return {name: arrays[name] for name in arrays.files}


def test_it_scores_a_round_and_says_by_which_path(tmp_path: Path, tiny_modernbert: Path) -> None:
    runs = {}
    for path in ("auto", "flat"):
        runs[path] = write_run(
            tmp_path / path, strategy="cal", model=str(tiny_modernbert), options={"k": 5}, labeled=ALL[:20],
            pool=ALL[20:], training={"scoring_path": path, "score_batch_tokens": 64, "shard_sentences": 10},
        )  # fmt: skip
        assert core("round", runs[path]) == 0
    facts = {path: read_json(run / "record.json")["steps"]["score"]["facts"] for path, run in runs.items()}
    assert facts["auto"]["scoring_path"] == "transformers" and facts["flat"]["scoring_path"] == "flat"
    assert facts["flat"]["padded_tokens"] == 64 * facts["flat"]["batches"] < facts["flat"]["n_tokens"] + 64 * 10
    assert facts["flat"]["shards"] > 3
    one, other = (arrays_of(run) for run in runs.values())
    for name in ("pool_logits", "pool_vectors", "labeled_logits", "labeled_vectors"):
        assert other[name] == pytest.approx(one[name], abs=1e-5)
    assert (runs["auto"] / "model/model.safetensors").read_bytes() == (
        runs["flat"] / "model/model.safetensors"
    ).read_bytes()


def test_it_compiles_one_step_for_all_layers_and_batches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not shutil.which(os.environ.get("CXX", "g++")):
        pytest.skip("NO C++ COMPILER HERE: the compiled forward pass was not tested")
    from torch._dynamo.utils import counters

    from al_worker.core.backends.device import execution_for
    from al_worker.core.backends.scoring_paths import flat_forward

    monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", "unset again below, and by pytest after what the code sets")
    monkeypatch.delenv("TORCHINDUCTOR_CACHE_DIR")
    model, table, execution = sharp_modernbert(), token_table(LENGTHS), execution_for(TrainingSettings(threads=1))
    counters.clear()
    flat = flat_forward("flat_compiled", model, execution, "cls", 20, tmp_path)
    logits, vectors, n_batches = found(flat, table, 48, execution)
    assert n_batches == 5 and counters["stats"]["unique_graphs"] == 1
    true_logits, true_vectors = expected(model, table, "cls")
    assert logits == pytest.approx(true_logits, abs=1e-5)
    assert vectors == pytest.approx(true_vectors, abs=1e-5)
    assert any((tmp_path / "inductor").rglob("*")), "kernels are kept for later processes"


def test_it_says_that_it_could_not_compile_and_scores_nothing(tmp_path: Path, tiny_modernbert: Path) -> None:
    run = write_run(tmp_path / "run", strategy="entropy", model=str(tiny_modernbert), labeled=ALL[:20], pool=ALL[20:],
                    training={"scoring_path": "flat_compiled", "epochs": 1})  # fmt: skip
    command = [sys.executable, "-m", "al_worker.core", "round", str(run), "--cache", str(tmp_path / "cache")]
    environment = {**os.environ, "CXX": str(tmp_path / "no-such-compiler")}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 3, done.stderr
    assert done.stderr.startswith("CompileFailed: ") and 'scoring_path = "flat"' in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (run / "predictions.npz").exists() and not list((run / "shards").rglob("*.npz"))


def test_it_chooses_by_model_and_device_and_compiles_only_when_asked() -> None:
    from transformers import BertConfig, BertForSequenceClassification

    from al_worker.core.backends import scoring_paths
    from al_worker.core.backends.device import execution_for

    small = {"hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 1, "intermediate_size": 8}
    modernbert, bert = sharp_modernbert(), BertForSequenceClassification(BertConfig(vocab_size=9, **small))
    cpu = execution_for(TrainingSettings(threads=1, device="cpu"))
    gpu = replace(cpu, device="cuda")
    choose = scoring_paths.scoring_path
    assert choose("auto", modernbert, cpu) == "transformers"
    assert choose("auto", bert, gpu) == "transformers"
    assert choose("auto", modernbert, gpu) == "flat"
    assert choose("flat_compiled", modernbert, cpu) == "flat_compiled"
    with pytest.raises(ConfigError, match="BertForSequenceClassification"):
        choose("flat", bert, cpu)
    modernbert.config.mlp_bias = True
    with pytest.raises(ConfigError, match="mlp_bias"):
        choose("flat", modernbert, cpu)


def test_it_lays_texts_end_to_end_and_fills_up() -> None:
    from al_worker.core.backends.device import execution_for

    table, execution = token_table([3, 5, 2, 3]), execution_for(TrainingSettings(threads=1))
    batches = plan_flat_batches(table.lengths, table.keys, 11)
    assert [table.lengths[batch.rows].tolist() for batch in batches] == [[5, 3, 3], [2]]
    assert [(batch.length, batch.exact) for batch in batches] == [(5, False), (2, True)]
    full = flat_batch(table, batches[0].rows, 11, 0, execution)
    assert full.groups == (Group(0, 1, 5), Group(5, 2, 3)) and full.starts.tolist() == [0, 5, 8]
    assert full.positions.tolist() == [0, 1, 2, 3, 4, 0, 1, 2, 0, 1, 2]
    assert full.ids[:5].tolist() == table.row(1).tolist()
    last = flat_batch(table, batches[1].rows, 11, 0, execution)
    # Filler is cut into texts as short as the last one, and a rest.
    assert last.groups == (Group(0, 5, 2), Group(10, 1, 1)) and last.starts.tolist() == [0]
    assert last.ids[2:].tolist() == [0] * 9 and last.positions.tolist() == [0, 1] * 5 + [0]
