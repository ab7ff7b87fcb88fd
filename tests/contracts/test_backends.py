"""What every model backend must do, whatever it computes. A new one is covered by being declared and registered."""

import io
import json
from pathlib import Path

import numpy as np
import pytest

from al_worker.core.backends.base import Backend, Example, Setup
from al_worker.core.backends.registry import REGISTRY, backend_for
from al_worker.core.errors import NothingToJoin
from al_worker.core.evaluation.figures import predicted_targets
from al_worker.core.run.config import HeadSettings, RunConfig
from al_worker.core.run.progress import Progress
from al_worker.core.training.heads import MISSING, blocks, label_logits
from al_worker.formats.models import BACKENDS, ENCODER, MODELS, learning_rate_for, model_is_local
from tests.core.run_dirs import RECIPE, sentences

ITEMS = sentences(40)
TEXTS = [item.text for item in ITEMS]
STANCE = HeadSettings(name="stance", labels=("for", "against", "neither"))
OPINION = HeadSettings(name="opinion", labels=("no", "yes"))
TOPICS = HeadSettings(name="topics", labels=("belief", "late", "nothing"), kind="several")
STRENGTH = HeadSettings(name="strength", labels=("1", "2", "3", "4"), kind="ordered")
# A text of one word, an empty one, one that is longer than any model reads, and scripts of other kinds.
STRANGE = ["Inflation", "", "growth " * 2_000, "通货膨胀上升。", "التضخم", "🙂"]
# Read as code when they are loaded.
UNSAFE = {".pkl", ".pickle", ".joblib", ".bin", ".pt", ".pth", ".ckpt"}

# Of a backend that starts from files: the fixture that makes a small model.
SMALL = {ENCODER: "tiny_modernbert"}

every_backend = pytest.mark.parametrize("backend", sorted(REGISTRY), indirect=True)


@pytest.fixture(scope="module")
def backend(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Backend:
    """A small model that is on this machine, made in the way that a round takes."""
    if BACKENDS[request.param].needs_files:
        assert request.param in SMALL, f"Write a fixture that makes a small model of {request.param}, and name it here."
        name = str(request.getfixturevalue(SMALL[request.param]))
    else:
        name = next(m.name for m in MODELS.values() if m.backend == request.param and model_is_local(m.name))
    tables = {
        "round": {"number": 1, "query_size": 5, "random_state": 7},
        "model": {"name": name},
        "training": {**RECIPE, "epochs": 5, "learning_rate": 3e-3} if BACKENDS[request.param].has_learning_rate else {},
    }
    return backend_for(Setup.of(RunConfig(tables), tmp_path_factory.mktemp("cache")))


def quiet() -> Progress:
    return Progress("test", stream=io.StringIO())


def examples() -> list[Example]:
    """Every third item has no label at the second head; nobody ever chose "neither"."""
    return [
        Example(item.text, (n % 2, MISSING if n % 3 == 0 else int(item.label == "yes"))) for n, item in enumerate(ITEMS)
    ]


def trained(backend: Backend, folder: Path) -> Path:
    folder.mkdir()
    backend.train(examples(), [STANCE, OPINION], folder, quiet())
    return folder


@pytest.fixture(scope="module")
def model(backend: Backend, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return trained(backend, tmp_path_factory.mktemp("trained") / "model")


def test_what_is_declared_is_implemented_and_the_other_way_round() -> None:
    assert set(REGISTRY) == set(BACKENDS)
    assert {model.backend for model in MODELS.values()} <= set(BACKENDS)


def test_a_model_has_a_learning_rate_just_where_its_backend_has_one() -> None:
    for declared in MODELS.values():
        has_rate = BACKENDS[declared.backend].has_learning_rate
        assert (declared.learning_rate is not None, learning_rate_for(declared.name) is not None) == (has_rate,) * 2


@every_backend
def test_training_says_what_it_did_and_keeps_no_code(backend: Backend, tmp_path: Path) -> None:
    (tmp_path / "model").mkdir()
    facts = backend.train(examples(), [STANCE, OPINION], tmp_path / "model", quiet())
    json.dumps(facts)
    assert all(isinstance(notice, str) for notice in facts.get("notices", []))
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert files and not {path.suffix for path in files} & UNSAFE
    assert [*tmp_path.iterdir()] == [tmp_path / "model"]


@every_backend
def test_each_head_has_its_columns_and_each_text_its_row(backend: Backend, model: Path, tmp_path: Path) -> None:
    predicted = backend.predict(model, TEXTS, "", tmp_path / "scratch", quiet())
    assert predicted.logits.shape == (len(TEXTS), 5) and predicted.logits.dtype == np.float32
    assert np.isfinite(predicted.logits).all() and predicted.vectors is None
    json.dumps(predicted.facts)
    opinion = predicted.logits[:, 3:]
    assert (opinion.argmax(axis=1) == [item.label == "yes" for item in ITEMS]).mean() > 0.8


@every_backend
def test_a_text_gets_the_same_whatever_stands_beside_it(backend: Backend, model: Path, tmp_path: Path) -> None:
    together = backend.predict(model, TEXTS, "", tmp_path / "a", quiet()).logits
    some = [31, 2, 17]
    apart = backend.predict(model, [TEXTS[n] for n in some], "", tmp_path / "b", quiet()).logits
    assert apart == pytest.approx(together[some], abs=1e-4)


@every_backend
def test_it_gives_vectors_where_they_are_asked_for(backend: Backend, model: Path, tmp_path: Path) -> None:
    plain = backend.predict(model, TEXTS, "", tmp_path / "a", quiet())
    predicted = backend.predict(model, TEXTS, "cls", tmp_path / "b", quiet())
    assert predicted.vectors is not None and predicted.vectors.dtype == np.float32
    assert len(predicted.vectors) == len(TEXTS) and np.isfinite(predicted.vectors).all()
    assert predicted.logits == pytest.approx(plain.logits, abs=1e-4)


@every_backend
def test_strange_texts_get_finite_predictions(backend: Backend, model: Path, tmp_path: Path) -> None:
    json.dumps(backend.encode(STRANGE, quiet()))
    predicted = backend.predict(model, STRANGE, "mean", tmp_path / "scratch", quiet())
    assert predicted.logits.shape == (len(STRANGE), 5) and np.isfinite(predicted.logits).all()


@every_backend
def test_the_same_seed_gives_the_same_model(backend: Backend, model: Path, tmp_path: Path) -> None:
    again = trained(backend, tmp_path / "again")
    first, second = (
        backend.predict(folder, TEXTS, "", tmp_path / name, quiet()).logits
        for folder, name in ((model, "a"), (again, "b"))
    )
    assert np.array_equal(first, second)


@every_backend
def test_a_second_process_helps_or_is_told_why_not(backend: Backend, model: Path, tmp_path: Path) -> None:
    """No scan is under way here, so that there is nothing to join."""
    with pytest.raises(NothingToJoin):
        backend.join(model, TEXTS, "", tmp_path / "scratch", quiet())


@every_backend
def test_it_learns_sets_and_ordered_labels_beside_one_label(backend: Backend, tmp_path: Path) -> None:
    """The columns are those of the units: two, a label each, and one less than the points of the scale.

    Opinions are of the topic "belief" and at the top of the scale. Nobody ever chose "nothing", and every fifth item
    has no set.
    """
    heads = [OPINION, TOPICS, STRENGTH]
    items = []
    for n, item in enumerate(ITEMS):
        yes = int(item.label == "yes")
        topics = (MISSING,) * 3 if n % 5 == 0 else (yes, int("late" in item.text), 0)
        items.append(Example(item.text, (yes, *topics, 3 * yes)))
    (tmp_path / "model").mkdir()
    facts = backend.train(items, heads, tmp_path / "model", quiet())
    json.dumps(facts)
    computed = backend.predict(tmp_path / "model", TEXTS, "", tmp_path / "scratch", quiet()).logits
    assert computed.shape == (len(TEXTS), 2 + 3 + 3) and np.isfinite(computed).all()
    logits = label_logits(heads, computed)
    assert logits.shape == (len(TEXTS), 2 + 3 + 4) and np.isfinite(logits).all()
    said = {head.name: predicted_targets(head, logits[:, block]) for head, block in blocks(heads)}
    yes = np.array([item.label == "yes" for item in ITEMS])
    assert (said["topics"][:, 0] == yes).mean() > 0.8 and not said["topics"][:, 2].any()
    assert ((said["strength"][:, 0] >= 2) == yes).mean() > 0.8


@every_backend
def test_one_label_alone_trains_without_a_fault(backend: Backend, tmp_path: Path) -> None:
    (tmp_path / "model").mkdir()
    only = [Example(item.text, (1,)) for item in ITEMS[:12]]
    backend.train(only, [OPINION], tmp_path / "model", quiet())
    predicted = backend.predict(tmp_path / "model", TEXTS, "", tmp_path / "scratch", quiet())
    assert predicted.logits.shape == (len(TEXTS), 2) and np.isfinite(predicted.logits).all()
