"""Heads of sets and of ordered labels: files, loss, scores and figures, with hand-worked values."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from al_worker.core.acquisition.probabilities import log_softmax
from al_worker.core.evaluation.figures import predicted_targets
from al_worker.core.run.config import HeadSettings
from al_worker.core.training.heads import ordered_log_p
from al_worker.formats.run_directory import Item, read_json, read_labels, read_selected
from tests.core.run_dirs import core, selected_ids, sentences, write_predictions, write_run

TOPICS: dict[str, Any] = {"name": "topics", "labels": ["jobs", "rates"], "kind": "several"}
STRENGTH: dict[str, Any] = {"name": "strength", "labels": ["1", "2", "3"], "kind": "ordered"}
POOL = [Item(name, f"text {name}") for name in "abcd"]


def odds(p: float) -> float:
    return math.log(p / (1 - p))


def test_the_entropies_of_a_sets_labels_are_summed(tmp_path: Path) -> None:
    """Binary entropies in nats: H(.5) = ln 2 = .693147, H(.9) = .325083, H(.99) = .056002.

    a: .5 and .99: .749149. b: .9 and .9: .650166. c: .5 and .9: 1.018230. d: .99 and .99: .112003.
    """
    run = tmp_path / "run"
    write_run(run, strategy="entropy", model_table={"labels": TOPICS["labels"], "kind": "several"}, pool=POOL,
              round={"query_size": 4, "tie": "id"})  # fmt: skip
    p = {"a": [0.5, 0.99], "b": [0.9, 0.1], "c": [0.5, 0.9], "d": [0.99, 0.01]}
    write_predictions(run, list(p), [[odds(each) for each in row] for row in p.values()])
    assert core("select", run) == 0
    assert selected_ids(run) == ["c", "a", "b", "d"]
    found = [entry.score for entry in read_selected(run / "selected.jsonl")]
    half, tenth, hundredth = (-(x * math.log(x) + (1 - x) * math.log(1 - x)) for x in (0.5, 0.1, 0.01))
    assert found == pytest.approx([half + tenth, half + hundredth, 2 * tenth, 2 * hundredth], abs=1e-12)
    facts = read_json(run / "record.json")["steps"]["select"]["facts"]
    assert facts["selected_entropy_over_ln_c"] == pytest.approx(sum(found) / 4 / (2 * math.log(2)), abs=1e-12)


def test_a_batch_without_any_uncertainty_is_measured_by_its_own_head(tmp_path: Path) -> None:
    """Both labels are certain: 0. Read as one distribution, two equal logits would be as uncertain as can be."""
    run = tmp_path / "run"
    write_run(run, strategy="entropy", model_table={"labels": TOPICS["labels"], "kind": "several"}, pool=POOL[:2],
              round={"query_size": 2})  # fmt: skip
    write_predictions(run, ["a", "b"], [[800, 800], [800, 800]])
    assert core("select", run) == 0
    assert read_json(run / "record.json")["steps"]["select"]["facts"]["selected_entropy_over_ln_c"] == 0.0


def test_a_sets_labels_are_summed_even_where_the_maximum_of_the_heads_decides(tmp_path: Path) -> None:
    """a: topics 2 ln 2 = 1.386, strength 0. b: topics 0, strength ln 3 = 1.099. Of the single labels, b had more."""
    run = tmp_path / "run"
    write_run(run, strategy="entropy", options={"combine": "max"}, heads=[TOPICS, STRENGTH], pool=POOL[:2],
              round={"query_size": 2})  # fmt: skip
    write_predictions(run, ["a", "b"], [[0, 0, 0, -np.inf, -np.inf], [50, 50, 0, 0, 0]])
    assert core("select", run) == 0
    assert [entry.score for entry in read_selected(run / "selected.jsonl")] == pytest.approx(
        [2 * math.log(2), math.log(3)], abs=1e-12
    )


def test_cal_compares_the_distributions_of_sets(tmp_path: Path) -> None:
    """x: 1/2 and 1/4. l: 3/4 and 1/2. The divergence of independent labels is the sum of theirs."""
    run = tmp_path / "run"
    write_run(run, strategy="cal", options={"k": 1}, heads=[TOPICS], pool=[Item("x", "t")],
              labeled=[Item("l", "u", labels={"topics": '["jobs"]'})])  # fmt: skip
    write_predictions(
        run, ["x"], [[odds(0.5), odds(0.25)]], pool_vectors=np.ones((1, 1)), labeled_vectors=np.ones((1, 1)),
        labeled_ids=np.array(["l"]), labeled_logits=np.array([[odds(0.75), odds(0.5)]]),
    )  # fmt: skip
    assert core("select", run) == 0
    jobs = 0.75 * math.log(0.75 / 0.5) + 0.25 * math.log(0.25 / 0.5)
    rates = 0.5 * math.log(0.5 / 0.25) + 0.5 * math.log(0.5 / 0.75)
    assert read_selected(run / "selected.jsonl")[0].score == pytest.approx(jobs + rates, abs=1e-12)


def test_the_columns_of_a_scale_become_its_labels_probabilities() -> None:
    """Above 1 with 3/4; of those above 2 with 1/3: 1/4, 3/4 * 2/3 = 1/2, 3/4 * 1/3 = 1/4."""
    log_p = ordered_log_p(np.array([[odds(3 / 4), odds(1 / 3)]]))
    assert np.exp(log_p)[0].tolist() == pytest.approx([1 / 4, 1 / 2, 1 / 4], abs=1e-12)


@given(arrays.arrays(np.float64, (4, 5), elements=st.floats(-40, 40)))
def test_the_labels_of_a_scale_are_a_distribution_whose_median_is_predicted(above: np.ndarray) -> None:
    log_p = ordered_log_p(above)
    assert np.exp(log_p).sum(axis=1) == pytest.approx([1.0] * 4, abs=1e-9)
    head = HeadSettings(name="", labels=tuple("123456"), kind="ordered")
    beyond = np.cumprod(1 / (1 + np.exp(-above)), axis=1)
    clear = (abs(beyond - 0.5) > 1e-9).all(axis=1)
    found = predicted_targets(head, log_p)[:, 0]
    assert found[clear].tolist() == (beyond > 0.5).sum(axis=1)[clear].tolist()
    assert log_softmax(log_p) == pytest.approx(log_p, abs=1e-9)


def test_the_losses_are_those_that_the_docs_name() -> None:
    """Sets: the mean over the labels of binary cross entropy. Scales: minus the logarithm of a label's probability."""
    import torch

    from al_worker.core.backends.fine_tuning import heads_loss
    from al_worker.core.training.heads import MISSING, units_of

    heads = [
        HeadSettings(name="topics", labels=("jobs", "rates"), kind="several"),
        HeadSettings(name="strength", labels=("1", "2", "3"), kind="ordered"),
    ]
    units = [unit for head in heads for unit in units_of(head)]
    columns = torch.tensor([[1, MISSING], [0, MISSING], [2, 0]])
    weights = (columns != MISSING).to(torch.float64)
    totals = [row.sum() for row in weights]
    logits = torch.tensor(
        [[odds(0.8), odds(0.4), odds(3 / 4), odds(1 / 3)], [1.0, -1.0, odds(0.5), 2.0]],
        dtype=torch.float64,
        requires_grad=True,
    )
    loss = heads_loss(logits, columns, weights, totals, units)
    of_topics = (-math.log(0.8) - math.log(0.6)) / 2
    of_strength = (-math.log(1 / 4) - math.log(1 / 2)) / 2
    assert loss.item() == pytest.approx(of_topics + of_strength, abs=1e-12)
    loss.backward()
    assert logits.grad is not None and logits.grad[1, :2].abs().max() == 0 and logits.grad[1, 3] == 0


def labelled(n: int) -> list[Item]:
    """Opinions are of the topic "belief", texts with "late" of the topic "late"; opinions are at the scale's top."""
    found = []
    for item in sentences(n):
        topics = ["belief"] * (item.label == "yes") + ["late"] * ("late" in item.text)
        text = "[" + ",".join(f'"{topic}"' for topic in topics) + "]"
        labels = {"topics": text, "strength": "3" if item.label == "yes" else "1"}
        found.append(Item(item.id, item.text, labels=labels))
    return found


HEADS = [{"name": "topics", "labels": ["belief", "late"], "kind": "several"}, STRENGTH]


@pytest.mark.parametrize("model", ["bow-logreg", "tiny"])
def test_a_round_learns_sets_and_scales(tmp_path: Path, model: str, request: pytest.FixtureRequest) -> None:
    run, items = tmp_path / "run", labelled(60)
    tiny = model == "tiny"
    write_run(
        run,
        strategy="entropy",
        model=str(request.getfixturevalue("tiny_modernbert")) if tiny else model,
        training={"epochs": 10, "learning_rate": 3e-3, "dropout": 0.0} if tiny else {},
        heads=HEADS,
        labeled=items[:30],
        pool=items[30:50],
        evaluation=items[50:],
    )
    (run / "stopping_set.jsonl").write_text("".join(f'{{"id": "{i.id}", "text": "{i.text}"}}\n' for i in items[30:40]))
    assert core("round", run) == 0
    metrics = read_json(run / "metrics.json")["heads"]
    topics, strength = metrics["topics"], metrics["strength"]
    assert (topics["kind"], strength["kind"]) == ("several", "ordered")
    assert topics["held_out"]["per_label"]["belief"]["f1"] > 0.9 and "confusion" not in topics["held_out"]
    assert strength["held_out"]["mean_absolute_error"] < 0.5
    assert strength["held_out"]["quadratic_weighted_kappa"] > 0.7
    said = read_labels(run / "stopping.jsonl")
    assert set(said["topics"].values()) <= {"[]", '["belief"]', '["late"]', '["belief","late"]'}
    assert set(said["strength"].values()) <= {"1", "2", "3"}
    facts = read_json(run / "record.json")["steps"]["train"]["facts"]["heads"]["topics"]
    assert facts["class_counts"]["belief"] == 15 and facts["n"] == 30


@pytest.mark.parametrize(
    ("label", "said"),
    [
        ("belief", '"s0" has "belief", and a set is the text of a JSON list'),
        ('["late","belief"]', "a JSON list in alphabetical order"),
        ('["belief","gone"]', '"s0" has "gone", which is no label of the head "topics"'),
    ],
)
def test_it_refuses_a_set_that_is_none(
    tmp_path: Path, label: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    run = tmp_path / "run"
    items = [Item("s0", "one", labels={"topics": label}), Item("s1", "two", labels={"topics": "[]"})]
    write_run(run, strategy="entropy", model="bow-logreg", heads=HEADS[:1], labeled=items, pool=POOL)
    assert core("round", run) == 3
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ({"kind": "several", "labels": ["a"]}, "needs two labels or more"),
        ({"kind": "ordered", "labels": ["a", "b"], "positive_labels": ["a"]}, "has no positive labels"),
        ({"kind": "sorted", "labels": ["a", "b"]}, "is not one of one, several, ordered"),
    ],
)
def test_it_refuses_a_kind_that_cannot_be_learned(
    tmp_path: Path, table: dict[str, Any], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    run = tmp_path / "run"
    write_run(run, strategy="entropy", model="bow-logreg", model_table=table, labeled=[Item("l", "t", "a")], pool=POOL)
    assert core("round", run) == 3
    assert said in capsys.readouterr().err
