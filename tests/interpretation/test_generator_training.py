"""Training of tiny generative models: what falls, what stops, what is kept, and going on after a kill."""

import json
import signal
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

import pytest
import torch

from al_worker.core.errors import CheckpointMismatch, NotEnoughLabels, TextRefused
from al_worker.core.interpretation.models.build import load_generator
from al_worker.core.interpretation.models.generator import KINDS, Generator, generator_from
from al_worker.core.interpretation.models.optimisation import rate_factor
from al_worker.core.interpretation.models.training import Example, TrainSettings, train
from al_worker.core.run.stop_signal import Stopped
from tests.interpretation.tiny_generators import MARKERS
from tests.interpretation.train_tiny import examples, trained

ROOT = Path(__file__).resolve().parents[2]


def weights(generator: Generator) -> dict[str, torch.Tensor]:
    return {name: parameter.detach().clone() for name, parameter in generator.model.named_parameters()}


def assert_same_weights(one: Generator, other: Generator) -> None:
    theirs = weights(other)
    for name, tensor in weights(one).items():
        assert torch.equal(tensor, theirs[name]), name


@pytest.mark.parametrize("kind", ["bert", "bart"])
def test_a_killed_training_goes_on_to_the_very_weights_of_an_unbroken_one(
    kind: str, tiny_folders: dict[str, Path], tmp_path: Path
) -> None:
    whole, facts = trained(kind, tiny_folders[kind], tmp_path / "whole")
    command = [sys.executable, "-m", "tests.interpretation.train_tiny", kind, str(tiny_folders[kind])]
    process = subprocess.Popen([*command, str(tmp_path / "killed")], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    first = process.stdout.readline()
    process.kill()
    said = process.stdout.read()

    assert "epoch=1" in first
    assert process.wait() == -signal.SIGKILL
    assert "over" not in said
    broken, found = trained(kind, tiny_folders[kind], tmp_path / "killed")
    assert_same_weights(whole, broken)
    assert [asdict(epoch) | {"seconds": 0} for epoch in found.curves] == [
        asdict(epoch) | {"seconds": 0} for epoch in facts.curves
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_the_loss_falls_and_the_best_weights_are_kept_and_saved(
    kind: str, tiny_folders: dict[str, Path], tmp_path: Path
) -> None:
    before = weights(load_generator(kind, tiny_folders[kind], markers=MARKERS, seed=3))
    generator, facts = trained(kind, tiny_folders[kind], tmp_path / "run", epochs=4)

    losses = [epoch.train_loss for epoch in facts.curves]
    assert losses[-1] < losses[0] * 0.95
    assert facts.best_epoch == min(facts.curves, key=lambda epoch: epoch.valid_loss).epoch
    rows = [json.loads(line) for line in (tmp_path / "run" / "curves.jsonl").read_text().splitlines()]
    assert rows == [asdict(epoch) for epoch in facts.curves]
    moved = [name for name, tensor in weights(generator).items() if not torch.equal(tensor, before[name])]
    assert {name for name in before if "pooler" not in name and "position" not in name} <= {*moved} | {
        name for name in before if "token_type" in name
    }
    generator.save(tmp_path / "saved")
    again = generator_from(tmp_path / "saved")
    assert_same_weights(generator, again)
    assert again.n_parameters == generator.n_parameters
    assert not [*tmp_path.rglob("*.bin"), *tmp_path.rglob("*.pt"), *tmp_path.rglob("*.pkl")]


def test_a_finished_training_is_not_done_again(tiny_bart: Path, tmp_path: Path) -> None:
    one, _ = trained("bart", tiny_bart, tmp_path)
    steps: list[int] = []
    other = load_generator("bart", tiny_bart, markers=MARKERS, seed=3)
    settings = TrainSettings(
        seed=5,
        max_epochs=3,
        patience=3,
        device="cpu",
        threads=1,
        rate_random=3e-3,
        rate_pretrained=3e-4,
        rate_tied=1e-3,
    )
    train(other, examples(26, 1), examples(6, 2), settings, tmp_path, on_step=lambda done, of: steps.append(done))

    assert steps == []
    assert_same_weights(one, other)


def test_training_stops_early_and_keeps_the_best_epoch(tiny_bert: Path, tmp_path: Path) -> None:
    generator, facts = trained("bert", tiny_bert, tmp_path, epochs=30, patience=2, rate_random=0.05)

    assert facts.stopped_early
    assert facts.epochs == facts.best_epoch + 2 < 30
    at_best, _ = trained("bert", tiny_bert, tmp_path, epochs=30, patience=2, rate_random=0.05)
    assert_same_weights(generator, at_best)


def test_a_stop_is_obeyed_between_steps_and_the_rest_is_done_later(tiny_bart: Path, tmp_path: Path) -> None:
    whole, _ = trained("bart", tiny_bart, tmp_path / "whole")
    generator = load_generator("bart", tiny_bart, markers=MARKERS, seed=3)
    settings = TrainSettings(
        seed=5,
        max_epochs=3,
        patience=3,
        device="cpu",
        threads=1,
        rate_random=3e-3,
        rate_pretrained=3e-4,
        rate_tied=1e-3,
    )
    done: list[int] = []
    with pytest.raises(Stopped):
        train(
            generator, examples(26, 1), examples(6, 2), settings, tmp_path / "stopped",
            stop=lambda: len(done) == 9, on_step=lambda step, steps: done.append(step),
        )  # fmt: skip

    assert done == [*range(1, 10)]
    later, _ = trained("bart", tiny_bart, tmp_path / "stopped")
    assert_same_weights(whole, later)


def test_a_checkpoint_of_other_settings_or_data_is_refused_with_what_differs(tiny_bart: Path, tmp_path: Path) -> None:
    trained("bart", tiny_bart, tmp_path, epochs=1)

    with pytest.raises(CheckpointMismatch, match="other settings; delete the folder"):
        trained("bart", tiny_bart, tmp_path, epochs=2)
    generator = load_generator("bart", tiny_bart, markers=MARKERS, seed=4)
    with pytest.raises(CheckpointMismatch, match="other model, data, settings"):
        train(generator, examples(3, 1), examples(6, 2), TrainSettings(device="cpu", threads=1), tmp_path)


def test_a_broken_checkpoint_is_refused(tiny_bart: Path, tmp_path: Path) -> None:
    trained("bart", tiny_bart, tmp_path, epochs=1)
    path = tmp_path / "checkpoint.safetensors"
    path.write_bytes(path.read_bytes()[:-100])

    with pytest.raises(CheckpointMismatch, match="cannot be read"):
        trained("bart", tiny_bart, tmp_path, epochs=1)


def test_examples_that_cannot_be_learned_are_named_and_long_ones_are_counted(tiny_bert: Path, tmp_path: Path) -> None:
    generator = load_generator("bert", tiny_bert, markers=MARKERS, seed=0)
    good, settings = examples(2, 1), TrainSettings(device="cpu", threads=1, max_epochs=1)
    long = Example("market " * 120, "cut " * 120)

    with pytest.raises(NotEnoughLabels, match="no target for validation"):
        train(generator, good, [], settings, tmp_path / "a")
    with pytest.raises(TextRefused, match="target 2 is empty"):
        train(generator, [*good, Example("growth", " ")], good, settings, tmp_path / "b")
    with pytest.raises(TextRefused, match="source 2: it has 122 tokens, and the model takes 96"):
        refusing = TrainSettings(device="cpu", threads=1, long_sources="refuse")
        train(generator, [*good, long], good, refusing, tmp_path / "c")
    facts = train(generator, [*good, long], good, settings, tmp_path / "d")
    assert facts.cut_sources == {"train": [2], "valid": []}
    assert facts.cut_targets == {"train": [2], "valid": []}


def test_the_learning_rate_rises_from_a_hundredth_and_falls_back_to_it() -> None:
    factors = [rate_factor(step, 100, 0.1, "paper") for step in range(101)]

    assert factors[0] == pytest.approx(0.01)
    assert factors[5] == pytest.approx(0.505)
    assert factors[10] == 1.0
    assert factors[55] == pytest.approx(0.505)
    assert factors[100] == pytest.approx(0.01)
    assert rate_factor(100, 100, 0.1, "code") == pytest.approx(0.0001)
    assert rate_factor(10, 100, 0.1, "code") == 1.0


def test_each_group_of_parameters_has_its_rate(tiny_folders: dict[str, Path]) -> None:
    sizes = {}
    for kind in KINDS:
        generator = load_generator(kind, tiny_folders[kind], markers=MARKERS, seed=0)
        groups = generator.groups()
        assert sum(len(named) for named in groups.values()) == len(list(generator.model.parameters()))
        sizes[kind] = {name: [each for each, _ in named] for name, named in groups.items() if named}

    assert list(sizes["transformer"]) == ["random"]
    assert all(name.startswith("encoder.") for name in sizes["bert"]["pretrained"])
    assert all(name.startswith("decoder.") for name in sizes["bert"]["random"])
    assert sizes["bart"]["tied"] == ["model.shared.weight"]
    assert list(sizes["bart"]) == ["pretrained", "tied"]
