"""What may change while a round chooses: it ends with the reason in words, and another attempt is not begun."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from al_worker.bridge import run_round
from al_worker.bridge.directory import directory_build, directory_of
from al_worker.bridge.process import core_process
from al_worker.bridge.run_round import RoundRun
from annotation_app.assignment.members import member_activate, member_deactivate
from annotation_app.models import Batch, Event, Item, Membership, Role, Round, TestSet, WorkerBeat
from annotation_app.projects.services import member_role_set
from annotation_app.refusals import Invalid
from annotation_app.rounds.budget import budget_set
from annotation_app.rounds.held_out import held_out_attach, held_out_remove
from annotation_app.rounds.services import round_restart
from annotation_app.rounds.spec import RoundSpec
from tests.conftest import People
from tests.factories import make_items
from tests.rounds.held_out import LINES, by_words, jsonl
from tests.rounds.starting import opened, start

Spec = Callable[..., RoundSpec]
Change = Callable[[People, Round], object]


def leaves(people: People, row: Round) -> None:
    member_deactivate(member=people.annotators[2], actor=people.admin.user)


def settles(people: People, row: Round) -> None:
    member_role_set(member=people.annotators[2], role=Role.ADJUDICATOR, actor=people.admin.user)


def all_leave(people: People, row: Round) -> None:
    for member in people.annotators:
        member_deactivate(member=member, actor=people.admin.user)


def budget_falls(people: People, row: Round) -> None:
    budget_set(project=people.project, annotation_budget=5, actor=people.admin.user)


def pool_shrinks(people: People, row: Round) -> None:
    Item.objects.filter(project=people.project).update(left_out="by hand")


def result_is_damaged(people: People, row: Round) -> None:
    (directory_of(row) / "selected.jsonl").write_text("{not json\n")


def result_is_missing(people: People, row: Round) -> None:
    (directory_of(row) / "selected.jsonl").unlink()


def scratch_is_gone(people: People, row: Round) -> None:
    shutil.rmtree(directory_of(row))


CHANGES: list[tuple[Change, str]] = [
    (leaves, "Each item needs 3 annotators, and 2 of the 3 who were named are left"),
    (settles, "became adjudicators"),
    (all_leave, "0 of the 3 who were named are left"),
    (budget_falls, "has 5 of 5 left"),
    (pool_shrinks, "8 of the 8 chosen items left the pool"),
    (result_is_damaged, "selected.jsonl"),
    (result_is_missing, "selected.jsonl"),
    (scratch_is_gone, "record.json: missing in"),
]


@pytest.mark.parametrize(("change", "reason"), CHANGES, ids=[change.__name__ for change, _ in CHANGES])
def test_a_round_that_cannot_be_opened_any_more_fails_at_its_first_attempt(
    people: People,
    texts: list[str],
    worker: WorkerBeat,
    spec: Spec,
    monkeypatch: pytest.MonkeyPatch,
    change: Change,
    reason: str,
) -> None:
    """The change comes when the core has chosen, and before the batch is opened."""
    row = start(people, spec())

    def chosen_then_changed(*args: Any, **kwargs: Any) -> Any:
        yield from core_process(*args, **kwargs)
        change(people, row)

    monkeypatch.setattr(run_round, "core_process", chosen_then_changed)
    RoundRun.run(row.pk)
    row.refresh_from_db()
    assert (row.state, row.attempt) == (Round.State.FAILED, 1)
    assert reason in row.failure
    assert not Batch.objects.exists()
    assert RoundRun.waiting() == []
    assert Event.objects.get(verb="round_failed").data["reason"] == row.failure


def test_it_fails_before_it_trains_where_a_person_left_before(
    people: People, texts: list[str], worker: WorkerBeat, spec: Spec
) -> None:
    row = start(people, spec())
    leaves(people, row)
    RoundRun.run(row.pk)
    row.refresh_from_db()
    assert (row.state, "Each item needs 3" in row.failure) == (Round.State.FAILED, True)
    assert not directory_of(row).exists()


def test_it_opens_once_the_person_is_back(people: People, texts: list[str], worker: WorkerBeat, spec: Spec) -> None:
    row = start(people, spec())
    leaves(people, row)
    RoundRun.run(row.pk)
    member_activate(member=people.annotators[2], actor=people.admin.user)
    round_restart(row=row, actor=people.admin.user)
    RoundRun.run(row.pk)
    row.refresh_from_db()
    assert row.state == Round.State.ANNOTATING, row.failure


def test_it_opens_for_those_who_are_left_where_they_are_enough(
    people: People, texts: list[str], worker: WorkerBeat, spec: Spec
) -> None:
    row = start(people, spec(annotators_per_item=2))
    leaves(people, row)
    RoundRun.run(row.pk)
    row.refresh_from_db()
    assert row.state == Round.State.ANNOTATING, row.failure
    assert set(Membership.objects.filter(assignments__batch_item__batch=row.batch)) == set(people.annotators[:2])


def test_a_round_is_dealt_out_by_its_shares_to_those_who_are_left(
    people: People, texts: list[str], worker: WorkerBeat, spec: Spec
) -> None:
    alice, bob, charlie = (member.uuid for member in people.annotators)
    row = start(people, spec(annotators_per_item=1, shares={alice: 50, bob: 30, charlie: 20}))
    leaves(people, row)
    RoundRun.run(row.pk)
    row.refresh_from_db()
    rows = Membership.objects.filter(assignments__batch_item__batch=row.batch)
    # 5 of 8 parts and 3 of 8, of eight items.
    assert [rows.filter(pk=member.pk).count() for member in people.annotators] == [5, 3, 0]
    assert row.record["shares"] == {"annotator 2": 50, "annotator 3": 30, "annotator 4": 20}


def test_shares_that_cannot_be_dealt_are_named(
    people: People, texts: list[str], worker: WorkerBeat, spec: Spec
) -> None:
    alice, bob, charlie = (member.uuid for member in people.annotators)
    for shares, said in [
        ({alice: 1, bob: 1}, "every annotator"),
        ({alice: 0, bob: 1, charlie: 1}, "whole number from 1"),
        ({alice: 6, bob: 2, charlie: 2}, "Alice cannot have 6 of 10 parts"),
    ]:
        with pytest.raises(Invalid) as refused:
            start(people, spec(annotators_per_item=2, shares=shares))
        assert said in refused.value.errors["shares"][0]


def attached(people: People, lines: list[dict[str, Any]]) -> TestSet:
    file = SimpleUploadedFile("held-out.jsonl", jsonl(lines))
    return held_out_attach(project=people.project, stage="opinion", upload=file, actor=people.admin.user)


def is_detached(people: People, row: Round) -> None:
    assert held_out_remove(project=people.project, actor=people.admin.user)


def is_replaced(people: People, row: Round) -> None:
    attached(people, LINES[:1])


def is_imported(people: People, row: Round) -> None:
    make_items(people.project, [line["text"] for line in LINES], document="later")


MEANWHILE: list[tuple[Change, bool, int | None]] = [
    (is_detached, False, 3),
    (is_detached, True, 3),
    (is_replaced, False, 3),
    (is_replaced, True, 3),
    (is_imported, False, None),
    (is_imported, True, 3),
]


@pytest.mark.parametrize(("change", "once_chosen", "n"), MEANWHILE)
def test_a_round_is_measured_on_the_test_set_that_it_was_started_with(
    people: People,
    texts: list[str],
    worker: WorkerBeat,
    spec: Spec,
    monkeypatch: pytest.MonkeyPatch,
    change: Change,
    once_chosen: bool,
    n: int | None,
) -> None:
    """One that is detached or replaced meanwhile is no reason to fail: only later rounds go without it."""
    by_words(opened(people, spec(query_size=12)))
    test_set = attached(people, LINES)
    row = start(people, spec(strategy="entropy"))

    def changed(*args: Any, **kwargs: Any) -> Any:
        yield from core_process(*args, **kwargs)
        change(people, row)

    if once_chosen:
        monkeypatch.setattr(run_round, "core_process", changed)
    else:
        change(people, row)
    RoundRun.run(row.pk)
    row.refresh_from_db()
    assert (row.state, row.attempt) == (Round.State.ANNOTATING, 1), row.failure
    assert row.test_set == test_set
    assert (row.record["test_set"]["sha256"], row.record["test_set"]["n"]) == (test_set.sha256, n)
    assert (row.metrics["held_out"] or {"n": None})["n"] == n
    assert RoundRun.waiting() == []


def test_a_disk_that_is_full_is_told_as_that(
    people: People, texts: list[str], worker: WorkerBeat, spec: Spec, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The kernel refuses what is written to /dev/full as on a full disk."""
    row = start(people, spec())
    monkeypatch.setattr(run_round, "core_process", lambda *args, **kwargs: Path("/dev/full").write_bytes(b"weights"))
    RoundRun.run(row.pk)
    row.refresh_from_db()
    assert (row.state, row.attempt) == (Round.State.FAILED, 1)
    assert "The server's disk is full" in row.failure


def test_attempts_end_and_the_last_one_tells_why(
    people: People, texts: list[str], worker: WorkerBeat, spec: Spec, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fault that nobody has foreseen ends the worker's task each time."""
    row = start(people, spec())

    class Unforeseen(Exception):
        pass

    def broken(*args: Any, **kwargs: Any) -> Any:
        raise Unforeseen("the moon is in the wrong house")

    with monkeypatch.context() as patched:
        patched.setattr(run_round, "core_process", broken)
        for _ in range(Round.MOST_ATTEMPTS):
            with pytest.raises(Unforeseen):
                RoundRun.run(row.pk)
            Round.objects.filter(pk=row.pk).update(lease_until=None)
        RoundRun.run(row.pk)
    row.refresh_from_db()
    assert (row.state, row.attempt) == (Round.State.FAILED, Round.MOST_ATTEMPTS + 1)
    assert f"stopped {Round.MOST_ATTEMPTS} times" in row.failure and "wrong house" in row.failure
    round_restart(row=row, actor=people.admin.user)
    RoundRun.run(row.pk)
    row.refresh_from_db()
    assert row.state == Round.State.ANNOTATING, row.failure


def test_what_the_database_refuses_is_the_reason(
    people: People, texts: list[str], worker: WorkerBeat, spec: Spec, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Here the batch's number is taken behind the round's back."""
    row = start(people, spec())
    directory_build(row)
    Batch.objects.create(
        project=people.project, kind=Batch.Kind.ROUND, number=1, codebook=row.codebook, annotators_per_item=1
    )
    RoundRun.run(row.pk)
    row.refresh_from_db()
    assert (row.state, "batch_number_once" in row.failure) == (Round.State.FAILED, True)
