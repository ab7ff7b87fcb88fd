"""Two models on the same instances, worked by hand and against McNemar's test."""

import json
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from al_worker.core.evaluation.comparison import mcnemar
from al_worker.equivalence.comparison import Paired, first_difference, paired, sign_flip_p
from al_worker.equivalence.instances import Instance
from al_worker.equivalence.results import Scored
from tests.core.commands import ran
from tests.equivalence.worlds import evaluation


def scored(target: str, right: bool, name: str = "act") -> Scored:
    return Scored(Instance("act", name, target, "p", "a", "b", 0, 1), -1.0, -2.0 if right else -0.5)


@pytest.mark.parametrize(
    ("differences", "p"),
    [
        ([], 1),
        ([0, 0], 1),
        ([1], 1),
        ([1, 1, 1], 2 / 8),
        ([2, 1], 2 / 4),
        # Of the signs of 3, 2 and 1 these reach 4: +++ (6), ++- (4), and the same turned round.
        ([3, 2, -1], 4 / 8),
        ([2, -2], 1),
    ],
)
def test_p_by_hand(differences: list[int], p: float) -> None:
    assert sign_flip_p(differences) == pytest.approx(p)


@given(st.lists(st.integers(-4, 4), max_size=9))
def test_p_is_the_share_of_signs_that_are_as_extreme(differences: list[int]) -> None:
    sums = [abs(sum(map(int.__mul__, signs, differences))) for signs in product((1, -1), repeat=len(differences))]
    assert sign_flip_p(differences) == pytest.approx(sum(each >= abs(sum(differences)) for each in sums) / len(sums))


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=40))
def test_with_one_instance_a_target_it_is_mcnemars_test(right: list[tuple[bool, bool]]) -> None:
    first, second = ([scored(f"t{n}", each[side]) for n, each in enumerate(right)] for side in (0, 1))
    expected = mcnemar(*(np.array(column) for column in zip(*right, strict=True)))
    (found,) = paired(first, second)
    assert (found.first_alone, found.second_alone) == (expected.first_alone, expected.second_alone)
    assert found.p == pytest.approx(expected.p)


def test_instances_of_one_target_count_together() -> None:
    """Four instances of one target are one difference, of 4; McNemar's test would take them for four."""
    first = [*(scored("t1", True) for _ in range(4)), scored("t2", True, "act labels")]
    second = [*(scored("t1", False) for _ in range(4)), scored("t2", True, "act labels")]
    assert paired(first, second) == [Paired("act", "act", 4, 0, 1), Paired("act", "act labels", 0, 0, 1)]


def test_other_instances_are_found() -> None:
    rows = [scored("t1", True), scored("t2", True)]
    assert first_difference(rows, rows) is None
    assert first_difference(rows, rows[:1]) == 1
    assert first_difference(rows, [rows[0], scored("t3", True)]) == 1


def test_the_command_compares(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    evaluations = tmp_path / "evaluations.json"
    evaluations.write_text(json.dumps([evaluation("act", ["a"], ["b"]).written()]))
    files = [tmp_path / "one.jsonl", tmp_path / "other.jsonl"]
    for path, right in zip(files, (True, False), strict=True):
        rows = [scored(f"t{number}", right) for number in range(3)]
        lines = [each.instance.written() | {"log_p_positive": -1, "log_p_negative": each.negative} for each in rows]
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    done = ran(capsys, "equivalence", "results", evaluations, files[0], "--compare", files[1])
    row = {"annotation": "act", "evaluation": "act", "first_alone": 3, "second_alone": 0, "p": 0.25, "p_holm": 0.25}
    assert json.loads(done.stdout)["comparison"] == [row]
    files[1].write_text(files[1].read_text().split("\n")[0])
    done = ran(capsys, "equivalence", "results", evaluations, files[0], "--compare", files[1])
    assert done.returncode == 3
    assert "other.jsonl: instance 1 (from 0) is not that of one.jsonl; score the same file" in done.stderr
