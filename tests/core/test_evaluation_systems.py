import io
import json
from pathlib import Path

import numpy as np
import pytest
from jsonschema import Draft202012Validator

from al_worker.core.backends.bow import BagOfWords
from al_worker.core.errors import NotEnoughLabels
from al_worker.core.evaluation.answers import ModelAnswer, Problem, answer_schema, read_answer
from al_worker.core.evaluation.baselines import cross_validated, majority_label, stratified_folds
from al_worker.core.evaluation.config import read_evaluation
from al_worker.core.evaluation.systems import rate_of
from al_worker.core.run.progress import Progress
from al_worker.formats.models import MINILM

LABELS = ["yes", "no"]


def answer(**fields: object) -> str:
    return json.dumps({"label": "yes", "explanation": "It says so.", "confidence": 0.8} | fields)


class TestAnswers:
    @pytest.mark.parametrize("text", [answer(), f"```json\n{answer()}\n```", f" {answer()}\n", answer(more=1)])
    def test_a_label_of_the_list_is_read(self, text: str) -> None:
        assert read_answer(text, LABELS) == ModelAnswer("yes", "It says so.", 0.8, None)

    @pytest.mark.parametrize(
        ("text", "problem"),
        [
            ("The label is yes.", Problem.NOT_JSON),
            (answer()[:-3], Problem.NOT_JSON),
            (f"Sure: {answer()}", Problem.NOT_JSON),
            ("[]", Problem.NO_OBJECT),
            (answer(label="Yes"), Problem.LABEL_NOT_IN_LIST),
            (answer(label="yes "), Problem.LABEL_NOT_IN_LIST),
            (answer(label=None), Problem.LABEL_NOT_IN_LIST),
            (answer(label=["yes"]), Problem.LABEL_NOT_IN_LIST),
            (answer(confidence=1.01), Problem.CONFIDENCE_OUT_OF_RANGE),
            (answer(confidence="0.8"), Problem.CONFIDENCE_OUT_OF_RANGE),
            (answer(confidence=True), Problem.CONFIDENCE_OUT_OF_RANGE),
            (answer(confidence=float("nan")), Problem.CONFIDENCE_OUT_OF_RANGE),
            (answer(confidence=None), Problem.CONFIDENCE_OUT_OF_RANGE),
        ],
    )
    def test_what_is_not_compliant_has_no_label_and_says_why(self, text: str, problem: Problem) -> None:
        read = read_answer(text, LABELS)
        assert (read.label, read.confidence, read.problem) == (None, None, problem)

    def test_the_schema_takes_what_is_read_and_nothing_else(self) -> None:
        schema = Draft202012Validator(answer_schema(LABELS))
        assert schema.is_valid(json.loads(answer()))
        assert not any(schema.is_valid(json.loads(answer(**each))) for each in ({"label": "maybe"}, {"more": 1}))


class TestBaselines:
    def test_the_most_frequent_label_wins_and_ties_are_settled_by_name(self) -> None:
        assert majority_label(["no", "yes", "yes"]) == "yes"
        assert majority_label(["yes", "no"]) == "no"

    def test_folds_are_stratified_and_seeded(self) -> None:
        labels = ["yes"] * 40 + ["no"] * 80
        folds = stratified_folds(labels, 4, seed=5)
        assert np.bincount(folds).tolist() == [30] * 4
        assert np.bincount(folds[:40]).tolist() == [10] * 4
        assert folds.tolist() == stratified_folds(labels, 4, seed=5).tolist() != stratified_folds(labels, 4, 6).tolist()

    @pytest.mark.parametrize("labels", [["yes"] * 9, ["yes", "no", "no"]])
    def test_folds_need_items_and_two_labels(self, labels: list[str]) -> None:
        with pytest.raises(NotEnoughLabels):
            stratified_folds(labels, 4, seed=5)

    def test_words_that_tell_labels_apart_are_learned_from_the_other_folds(self) -> None:
        texts = [f"rates should rise {at}" for at in range(40)] + [f"the meeting began {at}" for at in range(40)]
        labels = ["yes"] * 40 + ["no"] * 40
        folds = stratified_folds(labels, 4, seed=1)
        predicted, probability, notices = cross_validated(
            BagOfWords(), texts, labels, folds, Progress("folds", stream=io.StringIO())
        )
        assert predicted == labels
        assert (probability > 0.5).all()
        assert (probability <= 1).all()
        assert notices == []

    def test_a_word_that_one_fold_alone_has_is_not_known_there(self) -> None:
        texts = ["alpha beta gamma"] * 10 + ["delta epsilon zeta"] * 10
        labels = ["yes"] * 10 + ["no"] * 10
        # Fold 0 holds every "yes" item: a model that saw it would predict "yes".
        folds = np.array([0] * 10 + [1] * 10)
        predicted, _, notices = cross_validated(
            BagOfWords(), texts, labels, folds, Progress("folds", stream=io.StringIO())
        )
        assert predicted == ["no"] * 10 + ["yes"] * 10
        assert notices == [
            'fold 1: the model predicts "no" for everything: nothing to tell apart',
            'fold 2: the model predicts "yes" for everything: nothing to tell apart',
        ]

    def test_a_fold_without_a_usable_word_says_so(self) -> None:
        texts = [f"only{at}" for at in range(12)]
        folds = stratified_folds(["yes", "no"] * 6, 4, seed=1)
        _, _, notices = cross_validated(
            BagOfWords(), texts, ["yes", "no"] * 6, folds, Progress("folds", stream=io.StringIO())
        )
        assert [notice.partition(":")[0] for notice in notices] == ["folds 1, 2, 3, 4"]


class TestLearningRates:
    CONFIG = (
        '[data]\ngold = "gold.jsonl"\n[run]\nsystems = ["{name}", "bow-logreg", "own"]\n[training]\n{training}\n'
        '[trained]\n"{name}" = "/models/folder"\nown = "/models/own"\n[stages.opinion]\nlabels = ["yes", "no"]\n'
    )

    @pytest.mark.parametrize(
        ("training", "rates"), [("", [3e-4, None, 3e-5]), ("learning_rate = 1e-4", [1e-4, None, 1e-4])]
    )
    def test_a_known_model_has_its_own_rate_also_in_the_operators_folder(
        self, tmp_path: Path, training: str, rates: list[float | None]
    ) -> None:
        config = tmp_path / "evaluation.toml"
        config.write_text(self.CONFIG.format(name=MINILM, training=training))
        settings = read_evaluation(config)
        assert [rate_of(settings, each).get("learning_rate") for each in settings.run.systems] == rates
