"""Augmentation of training targets, worked by hand in the text form."""

import json
import random
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from al_worker.equivalence.augmentation import Augmented, augmented
from al_worker.equivalence.evaluations import Evaluation
from al_worker.equivalence.targets import read_targets
from al_worker.formats.text_form import linearize, parse
from tests.core.commands import ran
from tests.equivalence.worlds import evaluation, member_targets, target, target_record

SCOPE = evaluation("when", ["soon", "in a while"], ["now"], annotation="scope")
ACT = evaluation("act", ["cut rates", "lowered rates"], ["held rates"])
LABELS = evaluation("act labels", ["Cut", "Did cut"], ["Held"])
BOTH = evaluation("act with labels", ["cut rates (Cut)", "lowered it (Did cut)", "did so"], ["held rates"])


def texts(found: Augmented) -> list[str]:
    return [linearize(each.text, each.spans) for each in found.targets]


def made(linear: str, *evaluations: Evaluation, factor: int = 9, split: str = "train") -> Augmented:
    """Augment one target where other training targets have all members; what is made of those is left out."""
    others = [replace(each, split="train") for each in member_targets(list(evaluations))]
    alone = augmented(others, evaluations, factor, 0)
    found = augmented([target("t", linear, split), *others], evaluations, factor, 0)
    return replace(
        found,
        targets=tuple(each for each in found.targets if each.id.startswith("t (")),
        training=found.training - alone.training,
        without=found.without - alone.without,
        blocked=found.blocked - alone.blocked,
    )


def test_another_member_stands_in_the_place_and_all_that_follows_moves() -> None:
    linear = (
        "[STD SENTENCE START] It [ACT START] cut rates (Cut) [ACT END] [SCOPE START] soon [SCOPE END], said "
        "[ACTOR START] Fed [ACTOR END]. [STD SENTENCE END]"
    )
    found = made(linear, ACT, SCOPE)
    assert sorted(texts(found)) == sorted(
        [linear.replace("cut rates", "lowered rates"), linear.replace("soon", "in a while")]
    )
    assert sorted(each.id for each in found.targets) == ["t (augmented 1)", "t (augmented 2)"]
    assert {each.split for each in found.targets} == {"train"}
    assert (found.training, found.without, found.blocked) == (1, 0, 0)


def test_a_comment_or_both_are_replaced() -> None:
    linear = "It [ACT START] cut rates (Cut) [ACT END] now"
    assert texts(made(linear, LABELS)) == ["It [ACT START] cut rates (Did cut) [ACT END] now"]
    assert sorted(texts(made(linear, BOTH))) == [
        "It [ACT START] did so [ACT END] now",
        "It [ACT START] lowered it (Did cut) [ACT END] now",
    ]


def test_a_span_that_another_depends_on_keeps_its_words() -> None:
    crossing = "It [ACT START] cut [ACTOR START] rates (Cut) [ACT END] today [ACTOR END]"
    found = made(crossing, ACT)
    assert (texts(found), found.blocked, found.without) == ([], 1, 1)
    found = made(crossing, ACT, LABELS)
    assert texts(found) == [crossing.replace("(Cut)", "(Did cut)")]
    same = made("[ACT START] [MOTIVE START] cut rates [ACT END] [MOTIVE END]", ACT)
    assert (texts(same), same.blocked) == ([], 1)


def test_what_is_not_replaced() -> None:
    act = "[ACT START] cut rates [ACT END]"
    assert made(act, ACT, split="test").training == 0
    assert texts(made(act, evaluation("act negation", ["cut rates", "rose"], ["held"]))) == []
    assert texts(made("[ACT START] held rates [ACT END]", ACT)) == []
    assert texts(made(act, ACT, factor=0)) == []
    assert len(made(f"{act} {act} {act}", ACT, factor=2).targets) == 2


def test_a_member_that_only_a_test_target_has_never_enters_training() -> None:
    words = evaluation("act", ["cut rates", "lowered rates", "slashed rates"], ["held rates"])
    targets = [
        target("t", "[ACT START] cut rates (Cut) [ACT END]", "train"),
        target("u", "[ACT START] lowered rates (Held) [ACT END] and [SCOPE START] slashed rates [SCOPE END]", "train"),
        target("v", "[ACT START] slashed rates (Did cut) [ACT END] and [ACT START] held rates [ACT END]", "test"),
    ]
    found = augmented(targets, [words, LABELS], 9, 0)
    assert sorted(texts(found)) == [
        "[ACT START] cut rates (Held) [ACT END] and [SCOPE START] slashed rates [SCOPE END]",
        "[ACT START] lowered rates (Cut) [ACT END]",
    ]
    # "slashed rates", "held rates" and "Did cut".
    assert (found.training, found.without, found.unseen) == (2, 0, 3)
    targets[2] = replace(targets[2], split="train")
    assert augmented(targets, [words, LABELS], 9, 0).unseen == 0


MEMBERS = ("cut rates", "lowered rates", "soon", "in a while", "held rates", "other")
LINEAR = st.lists(st.sampled_from(MEMBERS), min_size=1, max_size=5).map(
    lambda found: " and ".join(
        f"[ACT START] {each} (Cut) [ACT END]" if "rates" in each else f"[SCOPE START] {each} [SCOPE END]"
        for each in found
    )
)


@given(st.lists(LINEAR, min_size=1, max_size=4), st.integers(0, 4), st.randoms(use_true_random=False))
def test_it_is_the_same_in_any_order_and_differs_from_its_target_in_one_span(
    linear: list[str], factor: int, order: random.Random
) -> None:
    targets = [target(f"t{number}", each, "train") for number, each in enumerate(linear)]
    evaluations = [ACT, SCOPE, LABELS]
    found = augmented(targets, evaluations, factor, 1)
    order.shuffle(targets)
    order.shuffle(evaluations)
    assert augmented(targets, evaluations, factor, 1) == found
    by_id = {each.id: each for each in targets}
    for each in found.targets:
        old = by_id[each.id.split(" (")[0]]
        was, now = ([(old.text[s.start : s.end], s.comment) for s in old.spans] for old in (old, each))
        assert sum(a != b for a, b in zip(was, now, strict=True)) == 1
        parsed = parse(linearize(each.text, each.spans))
        assert (parsed.text, set(parsed.spans)) == (each.text, set(each.spans))


def test_the_command_prints_targets(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    evaluations, targets = tmp_path / "evaluations.json", tmp_path / "targets.jsonl"
    evaluations.write_text(json.dumps([SCOPE.written()]))
    linear = ["[SCOPE START] soon [SCOPE END]", "[SCOPE START] in a while [SCOPE END]"]
    lines = [json.dumps(target_record(target(f"t{n}", each, "train"))) for n, each in enumerate(linear)]
    targets.write_text("\n".join(lines))
    done = ran(capsys, "equivalence", "augment", evaluations, targets, "--factor", "3", "--seed", "4")
    again = tmp_path / "again.jsonl"
    again.write_text(done.stdout)
    assert [(each.id, each.text) for each in read_targets(again)] == [
        ("t0 (augmented 1)", "in a while"),
        ("t1 (augmented 1)", "soon"),
    ]
    assert done.stderr.splitlines() == [
        "2 new targets of 2 training targets, factor 3, seed 4; 0 have no span with another member of its class",
        "0 spans were kept, because another span begins or ends within them or covers the same words",
        "1 members are never drawn, because no training target has them",
    ]
