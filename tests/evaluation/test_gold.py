"""Gold labels worked out by hand: which items have one, which have none and why, and who agreed."""

import tomllib
from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.storage import default_storage

from al_worker.bridge.evaluation_directory import config_text
from annotation_app.codebook.definition import codebook_of
from annotation_app.evaluation.gold import StageGold, gold_labels, votes_of
from annotation_app.evaluation.questions import evaluated_codebook, questions_of
from annotation_app.evaluation.selectors import evaluation_view
from annotation_app.evaluation.services import request_check
from annotation_app.evaluation.spec import EvaluationSpec, GoldSource
from annotation_app.models import Batch, Evaluation, GoldLabel, Item, Release
from annotation_app.refusals import Invalid, Refused
from annotation_app.releases.services import release_here
from tests.aggregation.decided import decide, second_look
from tests.agreement.tables import fill
from tests.conftest import People
from tests.evaluation.conftest import NO, asked
from tests.factories import publish, unpublish
from tests.spans import span_layer

STAGES = ["opinion", "mp", "mp_context"]
OPINION = {
    "unanimous": ("yes", True),
    "majority": ("yes", False),
    "closed": ("no", True),
    "context": ("yes", True),
}
MP = {"unanimous": ("yes", True), "majority": ("yes", True), "context": ("yes", True)}
# More than the sentence was needed where two or three said so, whichever context they named.
MP_CONTEXT = {"unanimous": ("no", True), "majority": ("yes", True), "context": ("yes", True)}
LEFT_OUT = {"no majority among the answers": 1, "a label that the codebook keeps out of learning": 1}


def gold(people: People, **source: Any) -> dict[str, StageGold]:
    return gold_labels(
        project=people.project,
        source=GoldSource.model_validate({"kind": "labels", **source}),
        version=evaluated_codebook(people.project),
        stages=STAGES,
    )


def labels(stage: StageGold) -> dict[str, tuple[str, bool | None]]:
    return {each.external_id: (each.label, each.is_unanimous) for each in stage.labels}


def test_labels_are_those_that_a_round_would_learn_from(people: People, labelled: Batch) -> None:
    found = gold(people)
    assert [labels(found[stage]) for stage in STAGES] == [OPINION, MP, MP_CONTEXT]
    assert [dict(found[stage].left_out) for stage in STAGES] == [LEFT_OUT, {}, {}]
    assert found["opinion"].counts == {"yes": 3, "no": 1}
    assert found["mp_context"].counts == {"yes": 2, "no": 1}
    assert found["opinion"].labels[1].votes == {"yes": 2, "no": 1}


def test_decisions_stand_before_majorities_where_they_are_asked_for(people: People, labelled: Batch) -> None:
    tie = Item.objects.get(external_id="tie")
    decide(people.admin, tie, {"opinion": "no"})
    assert labels(gold(people)["opinion"]) == OPINION
    decided = gold(people, adjudicated=True)["opinion"]
    assert labels(decided) == {**OPINION, "tie": ("no", False)}
    assert decided.left_out == {"a label that the codebook keeps out of learning": 1}


def test_answers_of_a_second_look_stand_in_place_of_the_first_ones(people: People, labelled: Batch) -> None:
    with pytest.raises(Invalid, match=r"gold\.phase: No batch has had a second look"):
        gold(people, phase=2)
    item, persuaded = Item.objects.get(external_id="majority"), people.annotators[2]
    second_look(labelled, {item: {persuaded: {"opinion": "yes", "mp": "no"}}})
    assert labels(gold(people)["opinion"]) == OPINION
    revised = gold(people, phase=2)
    assert labels(revised["opinion"]) == {**OPINION, "majority": ("yes", True)}
    assert labels(revised["mp"]) == {**MP, "majority": ("yes", False)}


def test_an_item_that_an_admin_left_out_has_no_gold_label(people: People, labelled: Batch) -> None:
    Item.objects.filter(external_id="closed").update(left_out=Item.LeftOut.BY_ADMIN)
    found = gold(people)["opinion"]
    assert set(labels(found)) == OPINION.keys() - {"closed"}
    assert found.left_out == {**LEFT_OUT, "left out by an admin": 1}


def test_an_item_that_nobody_answered_is_told_apart_from_one_without_a_majority(
    people: People, labelled: Batch
) -> None:
    fill(people.project, people.annotators, {"later": [None] * 3}, number=2)
    assert gold(people)["opinion"].left_out == {**LEFT_OUT, "not answered by anybody yet": 1}


def test_one_person_alone_is_not_unanimous(people: People) -> None:
    fill(people.project, people.annotators[:1], {"alone": [NO]})
    assert labels(gold(people)["opinion"]) == {"alone": ("no", None)}


@pytest.mark.django_db(transaction=True)
def test_a_release_gives_the_same_labels_whatever_comes_later(people: People, labelled: Batch) -> None:
    assert release_here(project=people.project).state == Release.State.DONE
    decide(people.admin, Item.objects.get(external_id="tie"), {"opinion": "no"})
    Item.objects.filter(external_id="closed").update(external_id="renamed")
    found = gold(people, kind="release", number=1)
    assert labels(found["opinion"]) == {name: label for name, label in OPINION.items() if name != "closed"}
    assert found["opinion"].left_out == {**LEFT_OUT, "no longer in the project": 1}
    assert [labels(found[stage]) for stage in STAGES[1:]] == [MP, MP_CONTEXT]
    with pytest.raises(Invalid, match=r"gold\.number: There is no finished release 2"):
        gold(people, kind="release", number=2)


@pytest.mark.django_db(transaction=True)
def test_votes_are_those_of_the_gold_labels_source(
    people: People, labelled: Batch, worker: object, started: Callable[..., Evaluation]
) -> None:
    assert release_here(project=people.project).state == Release.State.DONE
    names = dict(Item.objects.values_list("external_id", "pk"))
    # Of "closed" the stage's gate was closed, though one of the others was asked at "majority".
    asked_for = [names["majority"], names["closed"], names["context"]]
    expected = {names["majority"]: {"yes": 2}, names["context"]: {"yes": 3}}
    for gold_source in ({"kind": "labels"}, {"kind": "release", "number": 1}):
        row = started(gold=gold_source, stages=["opinion", "mp_context"])
        assert votes_of(row, "mp_context", asked_for) == expected
        assert votes_of(row, "opinion", [names["majority"]]) == {names["majority"]: {"yes": 2, "no": 1}}
    # The release is read once for all errors that a person looks at.
    default_storage.delete(Release.objects.get().path)
    assert votes_of(row, "opinion", [names["tie"]]) == {names["tie"]: {"yes": 1, "no": 1, "ambiguous": 1}}


def test_stages_stand_in_the_order_of_the_codebook(
    labelled: Batch, worker: object, started: Callable[..., Evaluation]
) -> None:
    row = started(stages=["mp_context", "opinion", "mp"])
    assert (
        row.spec["stages"] == [stage["key"] for stage in evaluation_view(row).stages] == ["opinion", "mp", "mp_context"]
    )
    row.refresh_from_db()
    assert list(tomllib.loads(config_text(row))["stages"]) == ["opinion", "mp", "mp_context"]


def test_an_evaluation_keeps_them_as_they_stood(
    people: People, labelled: Batch, worker: object, started: Callable[..., Evaluation]
) -> None:
    row = started(stages=STAGES)
    stored = GoldLabel.objects.filter(evaluation=row).values_list("stage", "item__external_id", "label", "is_unanimous")
    expected = {
        (stage, name, *label)
        for stage, named in zip(STAGES, (OPINION, MP, MP_CONTEXT), strict=True)
        for name, label in named.items()
    }
    assert set(stored) == expected
    assert row.left_out == {"opinion": LEFT_OUT, "mp": {}, "mp_context": {}}
    assert row.spec["is_random_sample"] is False


def test_a_stage_without_gold_labels_is_refused_by_its_place(
    people: People, labelled: Batch, worker: object, started: Callable[..., Evaluation]
) -> None:
    with pytest.raises(Invalid) as refused:
        started(stages=["opinion", "stance_nli"])
    assert list(refused.value.errors) == ["stages[1]"]
    with pytest.raises(Invalid) as refused:
        started(stages=["mood"])
    assert "'mood' is no stage with two labels or more: there are opinion, mp," in str(refused.value)
    assert not Evaluation.objects.exists()


def test_questions_leave_out_labels_that_nobody_learns_and_ask_for_context_with_yes_and_no(people: People) -> None:
    questions = questions_of(codebook_of(evaluated_codebook(people.project)))
    assert {key: question.labels for key, question in questions.items()} == {
        "opinion": ["yes", "no"],
        "mp": ["yes", "no"],
        "mp_context": ["yes", "no"],
        "stance_nli": ["entailment", "contradiction", "neutral"],
        "stance_nli_context": ["yes", "no"],
    }
    asks = {key: question.context_of and question.context_of.key for key, question in questions.items()}
    assert asks == {
        "opinion": None,
        "mp": None,
        "mp_context": "mp",
        "stance_nli": None,
        "stance_nli_context": "stance_nli",
    }
    assert [key for key, question in questions.items() if question.needs_context] == ["mp", "stance_nli"]
    assert questions["stance_nli"].hypothesis == "We should tighten monetary policy"
    assert questions["opinion"].hypothesis == ""


def test_spans_alone_and_no_codebook_are_refused(people: People) -> None:
    definition = {"name": "Spans", "span_layer": span_layer()}
    publish(people.project, definition)
    spec = EvaluationSpec.model_validate(asked())
    with pytest.raises(Refused) as refused:
        request_check(people.project, spec)
    assert refused.value.code == "spans"
    unpublish(people.project.codebooks.all())
    with pytest.raises(Refused) as refused:
        request_check(people.project, spec)
    assert refused.value.code == "no_codebook"


STRENGTH = {"key": "strength", "title": "Strength", "prompt": "How much?", "type": "scale", "high": 4}


def test_a_codebook_without_questions_of_one_label_is_refused(people: People) -> None:
    publish(people.project, {"name": "Scales", "stages": [STRENGTH]})
    with pytest.raises(Refused) as refused:
        request_check(people.project, EvaluationSpec.model_validate(asked()))
    assert refused.value.code == "no_label_stages"
    assert "one label of several" in str(refused.value)


def test_a_stage_of_another_type_is_told_from_one_that_is_not_there(people: People) -> None:
    labels = [{"key": key, "name": key.title()} for key in ("yes", "no")]
    opinion = {"key": "opinion", "title": "Opinion", "prompt": "Is it one?", "labels": labels}
    definition = {"name": "Two types", "stages": [opinion, STRENGTH], "learning": {"stage": "opinion", "exclude": []}}
    publish(people.project, definition)
    with pytest.raises(Invalid) as refused:
        request_check(people.project, EvaluationSpec.model_validate(asked(stages=["strength", "mood"])))
    assert refused.value.errors == {
        "stages[0]": ["'strength' is not answered with one label of several: there are opinion."],
        "stages[1]": ["'mood' is no stage with two labels or more: there are opinion."],
    }
