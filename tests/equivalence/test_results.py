"""Accuracies and confusion of scored instances, worked by hand."""

import json
from pathlib import Path
from typing import Any

import pytest
from scipy.stats import binomtest

from al_worker.equivalence.evaluations import read_evaluations
from al_worker.equivalence.instances import Instance, make_instances
from al_worker.equivalence.parts import Rules
from al_worker.equivalence.results import Accuracy, Cell, Scored, clustered_interval, confusion, results
from tests.core.commands import ran
from tests.equivalence.worlds import evaluation, member_targets
from tests.shared import shared_file


def scored(target: str, classes: tuple[int, int], positive: float, negative: float, name: str = "act") -> Scored:
    return Scored(Instance("act", name, target, "p", "a", "b", *classes), positive, negative)


ROWS = [
    scored("t1", (0, 1), -1.0, -2.0),
    scored("t1", (0, 2), -2.0, -1.0),
    scored("t2", (1, 0), -1.0, -1.0),  # a tie is a mistake
    scored("t3", (0, 1), -3.0, -3.5),
    scored("t3", (0, 1), -3.0, -2.5),
    scored("t1", (0, 1), -1.0, -2.0, "act labels"),
    scored("t1", (0, 1), -1.0, -2.0, "act negation"),
    scored("t2", (0, 1), -2.0, -1.0, "act negation"),
]
IN_DEPTH = {("act", "act"): False, ("act", "act labels"): False, ("act", "act negation"): True}


def only(found: Accuracy) -> tuple[Any, ...]:
    return found.evaluation, found.in_depth, found.n, found.right, found.targets, found.ties, found.accuracy.value


def test_accuracies_and_their_unweighted_means() -> None:
    """Show a mean over evaluations: of act 2 of 5 are right, of act labels 1 of 1, which makes 0.7 and not 3 of 6."""
    found = results(ROWS, IN_DEPTH)
    assert [only(each) for each in found.evaluations] == [
        ("act", False, 5, 2, 3, 1, pytest.approx(2 / 5)),
        ("act labels", False, 1, 1, 1, 0, 1),
        ("act negation", True, 2, 1, 2, 0, pytest.approx(1 / 2)),
    ]
    assert found.main_mean == pytest.approx(0.7)
    assert found.in_depth_mean == pytest.approx(0.5)
    assert results(ROWS[-2:], IN_DEPTH).main_mean is None


def test_table_3_has_the_means_that_it_prints() -> None:
    """The paper's numbers of instances are 88, 336, 211, 74, 87 and 90; its row of BART has these shares of them."""
    names = ("act", "act labels", "attribution", "motive", "evidence", "temporal scope")
    table = {"act": (87, 88), "act labels": (323, 336), "attribution": (205, 211)}
    table |= {"motive": (53, 74), "evidence": (71, 87), "temporal scope": (72, 90)}
    rows = [
        scored(f"t{number}", (0, 1), -1.0, -2.0 if number < table[name][0] else -0.5, name)
        for name in names
        for number in range(table[name][1])
    ]
    found = results(rows, dict.fromkeys((("act", name) for name in names), False))
    printed = [98.86, 96.13, 97.16, 71.62, 81.61, 80.00]
    assert [round(100 * each.accuracy.value, 2) for each in found.evaluations] == printed
    assert found.main_mean is not None
    assert round(100 * found.main_mean, 2) == 87.56
    assert len(rows) == 886


def test_confusion_counts_mistakes_and_opens_their_instances() -> None:
    assert confusion(ROWS, "act", "act") == [
        Cell(0, 1, 3, 1, (0, 3, 4)),
        Cell(0, 2, 1, 1, (1,)),
        Cell(1, 0, 1, 1, (2,)),
    ]
    assert confusion(ROWS, "act", "scope") == []


@pytest.mark.parametrize(
    ("right", "n", "hits", "observations"),
    [
        # One instance a target: Wilson's interval of the instances.
        ([1, 1, 1, 0], [1, 1, 1, 1], 3, 4),
        # Each target all right or all wrong: as many observations as targets.
        ([10, 10, 10, 0], [10, 10, 10, 10], 3, 4),
        # The share is 2/3, the spread 4/9 + 16/9 + 4 = 56/9, the effect 56/9 / (9 2/3 1/3) = 28/9.
        ([2, 4, 0], [2, 4, 3], 2 / 3 * 81 / 28, 81 / 28),
        # All right: each target counts once.
        ([5, 5], [5, 5], 2, 2),
        ([0, 0, 0], [1, 2, 3], 0, 3),
        ([3], [4], 0.75, 1),
        # Targets are more alike than chance would have it: the effect is at least 1.
        ([5, 5], [10, 10], 10, 20),
    ],
)
def test_the_interval_knows_that_instances_come_in_targets(
    right: list[int], n: list[int], hits: float, observations: float
) -> None:
    found = clustered_interval(right, n)
    assert found.value == pytest.approx(hits / observations)
    if observations == int(observations) and hits == int(hits):
        expected = binomtest(int(hits), int(observations)).proportion_ci(method="wilson")
        assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=1e-9)
    else:
        assert wilson_by_hand(hits, observations) == pytest.approx((found.low, found.high))


def wilson_by_hand(hits: float, n: float) -> tuple[float, float]:
    share, z = hits / n, 1.959963984540054
    centre = share + z**2 / (2 * n)
    half = z * (share * (1 - share) / n + z**2 / (4 * n**2)) ** 0.5
    return (centre - half) / (1 + z**2 / n), (centre + half) / (1 + z**2 / n)


def test_the_authors_evaluations_run_to_the_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A scorer that likes long texts scores every instance."""
    path = shared_file("equivalence-classes") / "equivalence_classes.json"
    evaluations = read_evaluations(path)
    instances, _ = make_instances(evaluations, member_targets(evaluations), Rules())
    lines = [
        each.written() | {"log_p_positive": -1 / len(each.positive), "log_p_negative": -1 / len(each.negative)}
        for each in instances
    ]
    given = tmp_path / "scored.jsonl"
    given.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    done = ran(capsys, "equivalence", "results", path, given)
    found = json.loads(done.stdout)
    assert (done.returncode, done.stderr) == (0, "")
    assert [each["evaluation"] for each in found["evaluations"] if not each["in_depth"]] == [
        *("act", "act labels", "attribution", "evidence", "motive", "temporal scope")
    ]
    for each, table in zip(found["evaluations"], found["confusion"], strict=True):
        longer = [len(one.positive) > len(one.negative) for one in instances if one.evaluation == each["evaluation"]]
        assert (each["n"], each["right"]) == (len(longer), sum(longer))
        assert each["accuracy"]["low"] < each["accuracy"]["value"] < each["accuracy"]["high"]
        assert sum(cell["n"] for cell in table["cells"]) == each["n"]
        assert sum(cell["mistakes"] for cell in table["cells"]) == each["n"] - each["right"]
    assert len(instances) == sum(each["n"] for each in found["evaluations"])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"log_p_positive": 0.5},
            '"log_p_positive" must be a logarithm of a probability: a number of 0 or less, not 0.5',
        ),
        ({"log_p_negative": float("nan")}, '"log_p_negative" must be a logarithm'),
        ({"positive_class": "0"}, '"positive_class" is missing or of another kind'),
        ({"prefix": None}, '"prefix" is missing or of another kind'),
        ({"evaluation": "mood"}, "'mood' of 'act' is none of the evaluations"),
    ],
)
def test_a_line_that_is_wrong_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], change: dict[str, Any], message: str
) -> None:
    evaluations = tmp_path / "evaluations.json"
    evaluations.write_text(json.dumps([evaluation("act", ["a"], ["b"]).written()]))
    line = ROWS[0].instance.written() | {"log_p_positive": -1, "log_p_negative": -2.5}
    given = tmp_path / "scored.jsonl"
    given.write_text(json.dumps(line) + "\n" + json.dumps(line | change) + "\n")
    done = ran(capsys, "equivalence", "results", evaluations, given)
    assert done.returncode == 3
    assert done.stderr.startswith(f"RunDirectoryError: scored.jsonl line 2: {message}")
