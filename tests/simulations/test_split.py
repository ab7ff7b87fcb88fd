"""The held-out test set, and the project's own labels as data."""

import json
from pathlib import Path

import pytest

from al_worker.formats.run_directory import Item, read_items
from annotation_app.models import WorkerBeat
from annotation_app.refusals import Invalid
from annotation_app.rounds.spec import RoundSpec
from annotation_app.simulations.data import StageSource, stage_draw, stage_reasons, stage_views
from annotation_app.simulations.split import holdout_split
from tests.conftest import People
from tests.factories import make_items
from tests.labels import NO, YES, label_batch
from tests.rounds.starting import opened


def items(**counts: int) -> list[Item]:
    return [Item(f"{label}{n}", f"{label} text {n}", label) for label, many in counts.items() for n in range(many)]


def labels(part: list[Item]) -> dict[str, int]:
    return {label: sum(item.label == label for item in part) for label in ("yes", "no", "rare")}


def test_it_holds_out_the_share_of_every_label() -> None:
    train, test = holdout_split(items(yes=20, no=10, rare=2), share=0.3, random_state=7)
    assert labels(test) == {"yes": 6, "no": 3, "rare": 1}
    assert labels(train) == {"yes": 14, "no": 7, "rare": 1}


def test_it_draws_the_same_for_the_same_number_whatever_the_order() -> None:
    given = items(yes=20, no=10)
    held = {item.id for item in holdout_split(given, share=0.3, random_state=7)[1]}
    assert held == {item.id for item in holdout_split(given[::-1], share=0.3, random_state=7)[1]}
    assert held != {item.id for item in holdout_split(given, share=0.3, random_state=8)[1]}


def test_it_never_tests_a_text_that_is_learnt() -> None:
    given = [Item(f"{n}", f"text {n % 8}", "yes" if n % 2 else "no") for n in range(40)]
    train, test = holdout_split(given, share=0.3, random_state=1)
    assert len(train) + len(test) == 40
    assert not {item.text for item in train} & {item.text for item in test}
    # Groups of five: a share of 6 of 20 takes two of the four.
    assert labels(test) == {"yes": 10, "no": 10, "rare": 0}


@pytest.mark.parametrize(
    ("counts", "reason"),
    [
        ({}, "0 items have a usable majority label; 50 are needed"),
        ({"yes": 30, "no": 19}, "49 items"),
        ({"yes": 50}, "All labels are the same"),
        ({"yes": 50, "no": 9}, 'The label "no" has 9 items; 10 are needed'),
    ],
)
def test_it_says_why_labels_are_not_enough(counts: dict[str, int], reason: str) -> None:
    (said,) = stage_reasons(counts)
    assert reason in said


def test_it_finds_enough_labels() -> None:
    assert stage_reasons({"yes": 10, "no": 40}) == []


def test_it_draws_from_the_projects_own_majority_labels(people: People, worker: WorkerBeat, tmp_path: Path) -> None:
    """Of 60 items 15 are opinions, 40 are not, 5 ambiguous, which the codebook keeps out of learning."""
    kinds = ["opinion"] * 15 + ["plain"] * 40 + ["unclear"] * 5
    make_items(people.project, [f"{kind} sentence {n}" for n, kind in enumerate(kinds)])
    members = [member.uuid for member in people.annotators]
    asked = {"strategy": "random", "query_size": 60, "random_state": 7, "model": "bow-logreg", "annotators_per_item": 3}
    row = opened(people, RoundSpec.model_validate(asked | {"learning_stages": ["opinion"], "annotators": members}))
    answers = {"opinion": YES, "plain": NO, "unclear": {"opinion": "ambiguous"}}
    label_batch(row.batch, lambda member, item: answers[item.text.split()[0]])
    (opinion,) = [view for view in stage_views(people.project) if view["key"] == "opinion"]
    assert (opinion["n"], opinion["class_counts"], opinion["reasons"]) == (55, {"no": 40, "yes": 15}, [])
    made = stage_draw(tmp_path, people.project, StageSource("opinion", 0.2, 3))
    assert made.about["train"] == {"n": 44, "class_counts": {"no": 32, "yes": 12}}
    assert made.about["test"] == {"n": 11, "class_counts": {"no": 8, "yes": 3}}
    assert list(made.positive_labels) == ["yes"]
    written = [*read_items(tmp_path / "train.jsonl", need_label=True), *read_items(tmp_path / "test.jsonl")]
    assert len(written) == 55
    assert all((item.label == "yes") == item.text.startswith("opinion") for item in written)
    with pytest.raises(Invalid, match="0 items have a usable majority label"):
        stage_draw(tmp_path, people.project, StageSource("stance_nli", 0.2, 3))
    with pytest.raises(Invalid, match=r"'mood' is not a stage .* that is answered with one label of several"):
        stage_draw(tmp_path, people.project, StageSource("mood", 0.2, 3))
    assert json.loads((tmp_path / "train.jsonl").read_text().splitlines()[0]).keys() == {"id", "text", "label"}
