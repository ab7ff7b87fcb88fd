"""Several heads on one encoder: files, loss, scores and their combination, with hand-worked values."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from al_worker.core.acquisition.combine import combine
from al_worker.formats.run_directory import Item, read_json, read_selected
from tests.core.run_dirs import core, selected_ids, sentences, write_predictions, write_run

# Two heads, of two labels and of three. Entropies in nats, worked by hand:
#            a: (1/2, 1/2) ln 2 = 0.693147   and (1, 0, 0)        0          sum 0.693147  max 0.693147
#            b: (1, 0)     0                 and (1/3, 1/3, 1/3)  1.098612   sum 1.098612  max 1.098612
#            c: (1/2, 1/2) ln 2 = 0.693147   and (1/2, 1/2, 0)    0.693147   sum 1.386294  max 0.693147
#            d: (.9, .1)   0.325083          and (0, .5, .5)      0.693147   sum 1.018230  max 0.693147
HEADS: list[dict[str, Any]] = [
    {"name": "opinion", "labels": ["no", "yes"], "positive_labels": ["yes"]},
    {"name": "stance", "labels": ["con", "neutral", "pro"]},
]
P = {
    "a": [0.5, 0.5, 1, 0, 0],
    "b": [1, 0, 1 / 3, 1 / 3, 1 / 3],
    "c": [0.5, 0.5, 0.5, 0.5, 0],
    "d": [0.9, 0.1, 0, 0.5, 0.5],
}
POOL = [Item(name, f"text {name}") for name in P]


def logits_of(p: dict[str, list[float]]) -> np.ndarray:
    with np.errstate(divide="ignore"):
        return np.log(np.array(list(p.values())))


def selection(run: Path, strategy: str = "entropy", **strategy_options: Any) -> Path:
    options = {**({"k": 1} if strategy == "cal" else {}), **strategy_options}
    write_run(run, strategy=strategy, options=options, heads=HEADS, pool=POOL, round={"query_size": 4, "tie": "id"})
    write_predictions(run, list(P), logits_of(P))
    return run


@pytest.mark.parametrize(
    ("how", "order", "scores"),
    [
        ("sum", ["c", "b", "d", "a"], [1.386294361120, 1.098612288668, 1.018230153951, 0.693147180560]),
        ("max", ["b", "a", "c", "d"], [1.098612288668, 0.693147180560, 0.693147180560, 0.693147180560]),
    ],
)
def test_it_sums_or_maximises_entropies_in_nats(
    tmp_path: Path, how: str, order: list[str], scores: list[float]
) -> None:
    run = selection(tmp_path / "run", combine=how)
    assert core("select", run) == 0
    assert selected_ids(run) == order
    found = [entry.score for entry in read_selected(run / "selected.jsonl")]
    assert found == pytest.approx(scores, abs=1e-12)
    assert read_json(run / "record.json")["strategy"]["combine"] == how


def test_it_sums_unless_told_otherwise(tmp_path: Path) -> None:
    run = selection(tmp_path / "run")
    assert core("select", run) == 0 and selected_ids(run) == ["c", "b", "d", "a"]


def test_it_combines_the_other_strategies_head_by_head(tmp_path: Path) -> None:
    """Least confidence, 1 - max p: a .5 + 0, b 0 + 2/3, c .5 + .5, d .1 + .5; breaking ties: a 1, b 1, c 2, d 1.2."""
    run = selection(tmp_path / "least", "least_confidence")
    assert core("select", run) == 0 and selected_ids(run) == ["c", "b", "d", "a"]
    run = selection(tmp_path / "ties", "breaking_ties")
    assert core("select", run) == 0 and selected_ids(run) == ["c", "d", "a", "b"]


def test_it_adds_in_an_order_that_does_not_depend_on_the_heads() -> None:
    first, second, third = (np.array([value]) for value in (0.1, 0.2, 0.3))
    assert combine([first, second, third], "sum") == combine([third, second, first], "sum")
    assert (0.1 + 0.2) + 0.3 != (0.3 + 0.2) + 0.1, "the trap is gone: this test shows nothing any more"
    assert np.isnan(combine([first, np.array([np.nan])], "max")).all()


def test_it_compares_in_cal_with_the_items_that_have_a_label_at_the_head(tmp_path: Path) -> None:
    """One neighbour, k = 1. The nearest item of x, l1, has no label at the second head: there, l2 is compared with.

    x: (1/2, 1/2) and (1/2, 1/4, 1/4). l1: (1, 0) -> KL = ln 2. l2's stance: (0, 1, 0) -> KL = ln 4. Sum: ln 8.
    """
    run = tmp_path / "run"
    labeled = [
        Item("l1", "x", labels={"opinion": "no"}),
        Item("l2", "y", labels={"opinion": "no", "stance": "neutral"}),
    ]
    write_run(run, strategy="cal", options={"k": 1, "metric": "euclidean"}, heads=HEADS, pool=[Item("x", "t")],
              labeled=labeled)  # fmt: skip
    write_predictions(
        run, ["x"], logits_of({"x": [0.5, 0.5, 0.5, 0.25, 0.25]}), pool_vectors=np.array([[0.0]]),
        labeled_ids=np.array(["l1", "l2"]), labeled_vectors=np.array([[0.1], [2.0]]),
        labeled_logits=logits_of({"l1": [1 - 1e-300, 1e-300, 1, 1e-300, 1e-300], "l2": [0.5, 0.5, 1e-300, 1, 1e-300]}),
    )  # fmt: skip
    assert core("select", run) == 0
    assert read_selected(run / "selected.jsonl")[0].score == pytest.approx(math.log(8), abs=1e-12)
    assert read_json(run / "record.json")["notices"][1].startswith('head "stance": CAL compares with 1 neighbours of 1')


def test_it_refuses_cal_where_a_head_has_no_labelled_item(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = tmp_path / "run"
    labeled = [Item("l", "x", labels={"opinion": "no"})]
    write_run(run, strategy="cal", options={"k": 1}, heads=HEADS, pool=POOL, labeled=labeled)
    vectors = {"pool_vectors": np.eye(4), "labeled_vectors": np.eye(4)[:1]}
    write_predictions(
        run, list(P), logits_of(P), labeled_ids=np.array(["l"]), labeled_logits=np.zeros((1, 5)), **vectors
    )
    assert core("select", run) == 3
    assert 'NotEnoughLabels: labeled.jsonl holds no label for the head "stance"' in capsys.readouterr().err


@pytest.mark.parametrize("row", [[-np.inf, -np.inf, 1, 1, 1], [0, 0, -np.inf, -np.inf, -np.inf]])
def test_it_stops_where_one_head_has_no_distribution(
    tmp_path: Path, row: list[float], capsys: pytest.CaptureFixture[str]
) -> None:
    run = selection(tmp_path / "run")
    write_predictions(run, list(P), [row, *logits_of(P)[1:]])
    assert core("select", run) == 3 and capsys.readouterr().err.startswith("NonFiniteScores: ")


@pytest.mark.parametrize(
    ("arrays", "words"),
    [
        ({}, "pool_logits has 4 columns, and config.toml names 5 labels"),
        ({"head_names": np.array(["stance", "opinion"])}, "head_names are not those of config.toml"),
    ],
)
def test_it_refuses_predictions_of_other_heads(
    tmp_path: Path, arrays: dict[str, Any], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    run = selection(tmp_path / "run")
    write_predictions(run, list(P), logits_of(P)[:, :4], **arrays)
    assert core("select", run) == 3
    error = capsys.readouterr().err
    assert error.startswith("PredictionsMismatch: ") and words in error


def both(label: str, stance: str) -> dict[str, str]:
    return {"opinion": label, "stance": stance}


def learning(run: Path, *, strategy: str = "entropy", heads: Any = HEADS, labeled: Any = None, **more: Any) -> Path:
    """Opinions have a stance; the stage is closed for the others."""
    items = sentences(40)
    if labeled is None:
        stances = [both("yes", "con"), {"opinion": "no"}, both("yes", "pro"), {"opinion": "no"}]
        labeled = [Item(item.id, item.text, labels=stances[n % 4]) for n, item in enumerate(items[:24])]
    model = more.pop("model", "bow-logreg")
    return write_run(run, strategy=strategy, model=model, heads=heads, labeled=labeled, pool=items[24:], **more)


def test_it_learns_a_gated_head_from_the_items_that_have_it(tmp_path: Path) -> None:
    held_out = [
        Item("h1", "I strongly believe that", labels=both("yes", "pro")),
        Item("h2", "x", labels={"opinion": "no"}),
    ]
    run = learning(tmp_path / "run", evaluation=held_out)
    assert core("round", run) == 0
    metrics = read_json(run / "metrics.json")
    assert set(metrics) == {"number", "heads"} and list(metrics["heads"]) == ["opinion", "stance"]
    opinion, stance = metrics["heads"].values()
    assert (opinion["n_labeled"], opinion["training"]["n"], opinion["held_out"]["n"]) == (24, 24, 2)
    assert (stance["n_labeled"], stance["training"]["n"], stance["held_out"]["n"]) == (12, 12, 1)
    assert stance["labels"] == ["con", "neutral", "pro"]
    assert opinion["pool"]["predicted_positive_share"] == opinion["pool"]["predicted_share"]["yes"]
    with np.load(run / "predictions.npz") as arrays:
        assert arrays["pool_logits"].shape == (16, 5) and arrays["labeled_logits"].shape == (24, 5)
        assert arrays["head_names"].tolist() == ["opinion", "stance"] and arrays["head_sizes"].tolist() == [2, 3]
        assert arrays["head_labels"].tolist() == ["no", "yes", "con", "neutral", "pro"]
    record = read_json(run / "record.json")
    assert record["model"]["heads"]["stance"]["class_counts"] == {"con": 6, "neutral": 0, "pro": 6}
    assert record["training_set"]["items"][1] == {"id": "s1", "labels": {"opinion": "no"}}


def test_it_fits_each_head_of_the_baseline_as_if_it_were_alone(tmp_path: Path) -> None:
    """The head that every item has a label at gets the numbers of a run that knows no heads."""
    run = learning(tmp_path / "run")
    alone = learning(tmp_path / "alone", heads=None, labeled=sentences(40)[:24], model_table={"labels": ["no", "yes"]})
    assert core("round", run) == core("round", alone) == 0
    with np.load(run / "predictions.npz") as several, np.load(alone / "predictions.npz") as one:
        assert np.array_equal(several["pool_logits"][:, :2], one["pool_logits"])


@pytest.mark.parametrize("model", ["bow-logreg", "tiny"])
def test_it_gives_one_named_head_what_a_nameless_one_gets(tmp_path: Path, model: str, tiny_modernbert: Path) -> None:
    name = str(tiny_modernbert) if model == "tiny" else model
    plain = sentences(40)[:24]
    named = [Item(item.id, item.text, labels={"opinion": str(item.label)}) for item in plain]
    table = {"labels": ["no", "yes"], "positive_labels": ["yes"]}
    runs = [
        learning(tmp_path / "named", heads=HEADS[:1], labeled=named, model=name),
        learning(tmp_path / "plain", heads=None, labeled=plain, model=name, model_table=table),
    ]
    assert [core("round", run) for run in runs] == [0, 0]
    assert (runs[0] / "selected.jsonl").read_bytes() == (runs[1] / "selected.jsonl").read_bytes()
    metrics = [read_json(run / "metrics.json") for run in runs]
    assert {"number": 1} | metrics[0]["heads"]["opinion"] == metrics[1]


def test_it_trains_one_classifier_with_a_block_a_head(tmp_path: Path, tiny_modernbert: Path) -> None:
    run = learning(tmp_path / "run", model=str(tiny_modernbert), strategy="cal", options={"k": 3, "combine": "max"})
    assert core("round", run) == 0
    assert read_json(run / "model" / "config.json")["id2label"]["2"] == "stance: con"
    with np.load(run / "predictions.npz") as arrays:
        assert arrays["pool_logits"].shape == (16, 5)
    assert len(selected_ids(run)) == 5


def test_it_names_the_head_that_is_not_informative_yet(tmp_path: Path) -> None:
    labeled = [Item(i.id, i.text, labels={"opinion": str(i.label), "stance": "pro"}) for i in sentences(12)]
    run = learning(tmp_path / "run", labeled=labeled)
    assert core("round", run) == 0
    notices = read_json(run / "record.json")["notices"]
    said = next(notice for notice in notices if notice.startswith('head "stance": The model is not informative yet'))
    assert 'every training item is labelled "pro"; the model predicts "pro" for every item of the pool' in said
    assert 'head "stance": the model predicts "pro" for everything: nothing to tell apart' in notices
    assert not [notice for notice in notices if "opinion" in notice]


@pytest.mark.parametrize(
    ("labels", "words"),
    [
        ({"tone": "dry"}, 'ConfigError: labeled.jsonl: "s0" has a label for "tone", which [[heads]] does not name'),
        ({"opinion": "maybe"}, 'ConfigError: labeled.jsonl: "s0" has "maybe", which is no label of the head "opinion"'),
        ({"opinion": "no"}, 'NotEnoughLabels: labeled.jsonl holds no label for the head "stance"'),
    ],
)
def test_it_says_which_label_does_not_fit_the_heads(
    tmp_path: Path, labels: dict[str, str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    run = learning(tmp_path / "run", labeled=[Item("s0", "text", labels=labels)])
    assert core("round", run) == 3
    assert words in capsys.readouterr().err


@pytest.mark.parametrize(
    ("item", "heads", "words"),
    [
        (Item("s0", "text", "no"), HEADS, '"s0" has a "label"; where config.toml has [[heads]], write "labels"'),
        (Item("s0", "text", labels={"opinion": "no"}), None, '"s0" has "labels", but config.toml has no [[heads]]'),
    ],
)
def test_it_tells_one_label_from_several(
    tmp_path: Path, item: Item, heads: Any, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert core("round", learning(tmp_path / "run", heads=heads, labeled=[item])) == 3
    assert words in capsys.readouterr().err


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"heads": HEADS[:1] * 2}, "needs a name of its own"),
        ({"heads": [{**HEADS[0], "labels": ["no", "no"]}]}, "names something twice"),
        ({"heads": [{**HEADS[0], "labels": []}]}, '"opinion" needs labels'),
        ({"heads": [{**HEADS[0], "positive_labels": ["maybe"]}]}, 'positive label "maybe" of "opinion"'),
        ({"heads": [{"name": "opinion"}]}, '[[heads]] lacks "labels"'),
        ({"heads": [{**HEADS[0], "loss": "hinge"}]}, '[[heads]] takes no "loss"'),
        ({"model_table": {"labels": ["no", "yes"]}}, "labels stand in [model] and in [[heads]]"),
        ({"options": {"combine": "mean"}}, "combine = 'mean' is not one of sum, max"),
        ({"options": {"combine": "sum"}, "heads": None}, "combine joins several heads; name them in [[heads]]"),
        (
            {"options": {"combine": "sum"}, "strategy": "random"},
            'combine joins a model\'s heads, and "random" uses none',
        ),
    ],
)
def test_it_says_what_is_wrong_with_the_heads(
    tmp_path: Path, changes: dict[str, Any], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    run = learning(tmp_path / "run", **changes)
    assert core("select", run) == 3
    error = capsys.readouterr().err
    assert error.startswith("ConfigError: config.toml: ") and words in error


def test_it_selects_without_a_model_whatever_the_heads(tmp_path: Path) -> None:
    run = learning(tmp_path / "run", strategy="random", model="none")
    assert core("round", run) == 0 and len(selected_ids(run)) == 5


def test_it_scores_again_when_heads_change(tmp_path: Path) -> None:
    run = learning(tmp_path / "run")
    assert core("round", run) == 0
    before = read_json(run / "steps" / "train.json")["inputs_hash"]
    config = (run / "config.toml").read_text().replace('"neutral", ', "")
    (run / "config.toml").write_text(config)
    assert core("round", run) == 0
    assert read_json(run / "steps" / "train.json")["inputs_hash"] != before
    with np.load(run / "predictions.npz") as arrays:
        assert arrays["pool_logits"].shape == (16, 4)


def test_it_masks_a_missing_label_out_of_its_heads_loss() -> None:
    """Three items, two heads of 2 and 3 labels. Logits are log probabilities, so each cross entropy is -ln p(label).

    First head: items 0 (p = 1/2), 1 (1/4), 2 (1/8): mean ln(2 * 4 * 8) / 3 = 2 ln 2. Second head: item 1 alone,
    p = 1/3, weight 3 of 3: ln 3. A third head without any label: 0.
    """
    import torch

    from al_worker.core.backends.fine_tuning import heads_loss
    from al_worker.core.training.heads import MISSING, Unit
    from al_worker.formats.heads import ONE

    p = [
        [1 / 2, 1 / 2, 1 / 3, 1 / 3, 1 / 3, 1],
        [3 / 4, 1 / 4, 1 / 3, 1 / 3, 1 / 3, 1],
        [1 / 8, 7 / 8, 0.2, 0.2, 0.6, 1],
    ]
    logits = torch.tensor(np.log(p), dtype=torch.float64, requires_grad=True)
    columns = torch.tensor([[0, 1, 0], [MISSING, 2, MISSING], [MISSING] * 3])
    weights = torch.tensor([[1.0, 1.0, 1.0], [0.0, 3.0, 0.0], [0.0] * 3], dtype=torch.float64)
    totals = [row.sum() for row in weights]
    units = [Unit(ONE, (), width, 1.0) for width in (2, 3, 1)]
    loss = heads_loss(logits, columns, weights, totals, units)
    assert loss.item() == pytest.approx(2 * math.log(2) + math.log(3), abs=1e-12)
    loss.backward()
    assert logits.grad is not None
    assert logits.grad[[0, 2], 2:].abs().max() == 0 and logits.grad[1, 2:5].abs().min() > 0
    # In two parts, as micro-batches are, the shares add up to the same loss.
    parts = [heads_loss(logits[rows], columns[:, rows], weights[:, rows], totals, units) for rows in ([0, 1], [2])]
    assert sum(part.item() for part in parts) == pytest.approx(loss.item(), abs=1e-12)


def test_it_weighs_the_labels_of_a_head_among_its_own_items() -> None:
    from al_worker.core.backends.fine_tuning import item_weights
    from al_worker.core.training.heads import MISSING

    columns = np.array([0, MISSING, 0, 1, MISSING])
    assert item_weights(columns, 2, "none").tolist() == [1, 0, 1, 1, 0]
    assert item_weights(columns, 2, "balanced").tolist() == pytest.approx([3 / 4, 0, 3 / 4, 3 / 2, 0])
