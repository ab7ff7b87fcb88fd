"""The training recipe: its defaults, its schedule, and that cutting a batch changes nothing but speed."""

from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from al_worker.core.run.config import RunConfig, TrainingSettings
from al_worker.formats.run_directory import write_config
from al_worker.formats.training import DEFAULTS
from tests.core.run_dirs import sentences


def test_it_has_the_declared_defaults() -> None:
    assert asdict(TrainingSettings()) == DEFAULTS


def test_it_reads_whole_numbers_where_numbers_are_meant(tmp_path: Path) -> None:
    write_config(tmp_path / "config.toml", {"training": {"clip_norm": 0, "epochs": 3}})
    settings = RunConfig.read(tmp_path).training
    assert (settings.clip_norm, settings.epochs, settings.batch_size) == (0.0, 3, 50)
    assert type(settings.clip_norm) is float


def test_it_takes_the_learning_rate_of_the_model() -> None:
    def rate(**tables: dict[str, Any]) -> float:
        return RunConfig(tables).training.learning_rate

    assert rate(model={"name": "all-MiniLM-L6-v2"}) == 3e-4
    assert rate(model={"name": "answerdotai/ModernBERT-base"}) == 3e-5
    assert rate(model={"name": "all-MiniLM-L6-v2"}, training={"learning_rate": 1e-5}) == 1e-5
    assert rate(model={"name": "somebody/encoder"}) == 3e-5


def test_it_warms_up_and_falls_to_zero() -> None:
    import torch

    from al_worker.core.backends.fine_tuning import make_scheduler

    def rates(steps: int, **training: object) -> list[float]:
        optimizer = torch.optim.AdamW([torch.nn.Parameter(torch.zeros(1))], lr=1.0)
        scheduler = make_scheduler(optimizer, TrainingSettings(**training), steps)  # type: ignore[arg-type]
        found = []
        for _ in range(steps):
            found.append(optimizer.param_groups[0]["lr"])
            optimizer.step()
            scheduler.step()
        return found

    assert rates(4) == pytest.approx([1.0, 0.75, 0.5, 0.25])
    assert rates(6, warmup_steps=2) == pytest.approx([0.0, 0.5, 1.0, 0.75, 0.5, 0.25])
    assert rates(3, schedule="constant") == [1.0, 1.0, 1.0]


def test_it_does_not_decay_biases_and_norms(tiny_modernbert: Path) -> None:
    from transformers import AutoModelForSequenceClassification

    from al_worker.core.backends.fine_tuning import make_optimizer

    model = AutoModelForSequenceClassification.from_pretrained(tiny_modernbert)
    decayed, plain = make_optimizer(model, TrainingSettings()).param_groups
    assert (decayed["weight_decay"], plain["weight_decay"]) == (0.05, 0.0)
    names = {id(parameter): name for name, parameter in model.named_parameters()}
    assert all("norm" in names[id(p)] or names[id(p)].endswith("bias") for p in plain["params"])
    assert not any("norm" in names[id(p)] or names[id(p)].endswith("bias") for p in decayed["params"])
    both = make_optimizer(model, TrainingSettings(decay_bias_and_norm=True)).param_groups
    assert [len(group["params"]) for group in both] == [len(names), 0]


def test_it_takes_the_same_step_in_one_piece_or_in_many(tiny_modernbert: Path, tmp_path: Path) -> None:
    """Gradients over micro-batches add up to those of the batch's mean loss."""
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    from al_worker.core.backends.device import execution_for
    from al_worker.core.backends.fine_tuning import FineTuningRun, item_weights, micro_batches, train_batch
    from al_worker.core.backends.tokens import TokenCache
    from al_worker.core.training.heads import Unit
    from al_worker.formats.heads import ONE

    items = sentences(12)
    tokenizer = AutoTokenizer.from_pretrained(tiny_modernbert)
    table = TokenCache(tmp_path, "t", lambda texts: tokenizer(list(texts))["input_ids"]).table(
        [item.text for item in items], lambda done, new: None
    )
    columns = np.array([item.label == "yes" for item in items]).astype(np.int64)
    losses, weights, pieces = [], [], []
    # Cut by the budget, and taken whole where a GPU's rule says so, whatever the budget.
    for budget, whole in ((10_000, 0), (30, 0), (30, 10_000)):
        training = TrainingSettings(
            dropout=0.0, threads=1, micro_batch_tokens=budget, class_weights="balanced", learning_rate=0.1
        )
        torch.manual_seed(0)
        model = AutoModelForSequenceClassification.from_pretrained(tiny_modernbert)
        run = FineTuningRun(
            model,
            table,
            torch.from_numpy(columns)[None],
            item_weights(columns, 2, "balanced")[None],
            [Unit(ONE, ("no", "yes"), 2, 1.0)],
            training,
            replace(execution_for(training), whole_batch_tokens=whole),
            0,
        )
        pieces.append(len(list(micro_batches(run, np.arange(12)))))
        losses.append(float(train_batch(run, np.arange(12), torch.optim.SGD(model.parameters(), lr=0.1))))
        weights.append(torch.cat([p.detach().flatten() for p in model.parameters()]))
    assert pieces[0] == pieces[2] == 1 and pieces[1] > 4
    assert losses == pytest.approx([losses[0]] * 3, abs=1e-6)
    assert all(torch.allclose(weights[0], other, atol=1e-6) for other in weights[1:])


def test_it_takes_the_same_steps_with_the_fused_optimizer(tiny_modernbert: Path) -> None:
    import torch
    from transformers import AutoModelForSequenceClassification

    from al_worker.core.backends.fine_tuning import make_optimizer

    found = []
    for fused in (False, True):
        torch.manual_seed(0)
        model = AutoModelForSequenceClassification.from_pretrained(tiny_modernbert)
        optimizer = make_optimizer(model, TrainingSettings(learning_rate=0.01), fused=fused)
        for step in range(3):
            for parameter in model.parameters():
                parameter.grad = torch.full_like(parameter, 0.1 * (step + 1))
            optimizer.step()
        found.append(torch.cat([p.detach().flatten() for p in model.parameters()]))
    assert torch.allclose(found[0], found[1], atol=1e-6)


def test_it_weighs_classes_by_their_counts() -> None:
    from al_worker.core.backends.fine_tuning import item_weights

    columns = np.array([0, 0, 0, 2])
    assert item_weights(columns, 3, "none").tolist() == [1, 1, 1, 1]
    assert item_weights(columns, 3, "balanced").tolist() == pytest.approx([4 / 6, 4 / 6, 4 / 6, 2])


def test_it_asks_for_no_more_threads_than_it_may_use(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from al_worker.core.backends import device

    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    monkeypatch.setattr(device, "CGROUP_CPU", tmp_path / "cpu.max")
    free = device.usable_cores()
    (tmp_path / "cpu.max").write_text("100000 100000\n")
    assert device.usable_cores() == 1
    (tmp_path / "cpu.max").write_text("max 100000\n")
    assert device.usable_cores() == free
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    assert device.usable_cores() == 3


def test_it_refuses_a_gpu_that_is_not_there() -> None:
    import torch

    from al_worker.core.backends.device import execution_for
    from al_worker.formats.tables import ConfigError

    if torch.cuda.is_available():
        assert execution_for(TrainingSettings(device="cuda")).precision == "bf16"
    else:
        with pytest.raises(ConfigError, match="torch sees no GPU"):
            execution_for(TrainingSettings(device="cuda"))
        assert execution_for(TrainingSettings()).precision == "fp32"
