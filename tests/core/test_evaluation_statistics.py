import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from al_worker.core.evaluation.alternative_annotator import TooFewAnswers, alternative_annotator_test
from al_worker.core.evaluation.calibration import (
    adaptive_calibration_error,
    bootstrap_interval,
    expected_calibration_error,
    platt_scaled,
    reliability_bins,
    risk_coverage,
)
from al_worker.core.evaluation.comparison import mcnemar
from al_worker.core.evaluation.prediction_powered import classical_share, prediction_powered_share
from al_worker.formats.p_values import holm

CONFIDENCE = np.array([0.9, 0.9, 0.8, 0.6])
IS_RIGHT = np.array([True, False, True, True])


def flags(text: str) -> np.ndarray:
    return np.array([sign == "+" for sign in text])


class TestCalibration:
    def test_the_error_of_equally_wide_bins(self) -> None:
        assert expected_calibration_error(CONFIDENCE, IS_RIGHT) == pytest.approx(0.5 * 0.4 + 0.25 * 0.2 + 0.25 * 0.4)

    def test_the_error_of_bins_of_equal_mass(self) -> None:
        # {.6, .8}: 2 right of confidence 1.4. {.9, .9}: 1 right of confidence 1.8.
        assert adaptive_calibration_error(CONFIDENCE, IS_RIGHT, 2) == pytest.approx((0.6 + 0.8) / 4)

    @given(st.lists(st.tuples(st.sampled_from([0.5, 0.7, 1.0]), st.booleans()), min_size=1, max_size=30), st.randoms())
    def test_the_order_of_the_items_does_not_matter(self, rows: list[tuple[float, bool]], random: object) -> None:
        def error(rows: Sequence[tuple[float, bool]]) -> float:
            confidence, is_right = zip(*rows, strict=True)
            return adaptive_calibration_error(np.array(confidence), np.array(is_right), 4)

        assert error(sorted(rows)) == pytest.approx(error(sorted(rows, key=lambda row: (not row[1], row[0]))))

    def test_a_reliability_diagram_has_every_bin_with_its_count(self) -> None:
        bins = reliability_bins(CONFIDENCE, IS_RIGHT)
        assert [each.n for each in bins] == [0] * 11 + [1] + [0] * 3 + [1, 0, 2, 0, 0]
        assert (bins[17].low, bins[17].high, bins[17].confidence, bins[17].accuracy) == (0.85, 0.9, 0.9, 0.5)
        assert (bins[0].confidence, bins[0].accuracy) == (None, None)

    def test_a_risk_coverage_curve_answers_equal_confidences_together(self) -> None:
        assert risk_coverage(CONFIDENCE, IS_RIGHT) == [(0.5, 0.5), (0.75, pytest.approx(1 / 3)), (1.0, 0.25)]

    def test_the_bootstrap_is_seeded_and_covers_the_error(self) -> None:
        random = np.random.default_rng(7)
        confidence = random.uniform(0.5, 1, 200)
        is_right = random.uniform(size=200) < confidence - 0.2
        low, high = bootstrap_interval(confidence, is_right, seed=3)
        assert low < expected_calibration_error(confidence, is_right) < high
        assert bootstrap_interval(confidence, is_right, seed=3) == (low, high)

    def test_scaling_mends_an_overconfident_model(self) -> None:
        random = np.random.default_rng(7)
        confidence = random.choice([0.8, 0.9, 0.99], 2000)
        is_right = random.uniform(size=2000) < confidence - 0.3
        scaled = platt_scaled(confidence, is_right, seed=1)
        assert scaled is not None
        assert expected_calibration_error(scaled, is_right) < 0.06 < expected_calibration_error(confidence, is_right)

    def test_scaling_needs_right_and_wrong_predictions(self) -> None:
        assert platt_scaled(np.array([0.5, 0.6, 0.7, 0.8]), flags("++++"), seed=1) is None


class TestComparison:
    def test_mcnemar_counts_what_one_alone_got_right(self) -> None:
        test = mcnemar(flags("++++++--"), flags("+-----+-"))
        # Of 6 coins 1 or fewer fell the other way, on either side: 2 (1 + 6) / 64.
        assert (test.first_alone, test.second_alone) == (5, 1)
        assert test.p == pytest.approx(14 / 64)

    def test_equal_systems_do_not_differ(self) -> None:
        assert mcnemar(flags("+-"), flags("+-")).p == 1.0

    def test_holm_multiplies_by_how_many_are_left_and_never_falls(self) -> None:
        assert holm([0.03, 0.01, 0.04]) == pytest.approx([0.06, 0.03, 0.06])
        assert holm([0.9, 0.8]) == [1.0, 1.0]


def people(labels: dict[str, str]) -> dict[str, dict[str, str]]:
    return {name: {f"i{at}": label for at, label in enumerate(text)} for name, text in labels.items()}


class TestAlternativeAnnotator:
    def test_wins_and_p_values_are_those_worked_by_hand(self) -> None:
        # Anna differs from the other two on the last 10 of 40 items, and the model never does.
        answers = people({"anna": "y" * 30 + "n" * 10, "bruno": "y" * 40, "chloe": "y" * 40})
        test = alternative_annotator_test(answers, {f"i{at}": "y" for at in range(40)}, epsilon=0.15)
        anna, bruno, _ = test.comparisons
        # The model wins all 40, and Anna the 30 where she says the same: the mean difference is -.25.
        assert (anna.n, anna.model_wins, anna.annotator_wins) == (40, 1.0, 0.75)
        t = (-0.25 - 0.15) / (math.sqrt(40 * 0.25 * 0.75 / 39) / math.sqrt(40))
        assert t == pytest.approx(-5.769, abs=1e-3)
        assert anna.p == pytest.approx(5.5e-7, rel=0.1)
        # Bruno and the model always say the same: a difference of 0 is below the margin.
        assert (bruno.model_wins, bruno.annotator_wins, bruno.p) == (1.0, 1.0, 0.0)
        assert (test.winning_rate, test.advantage, test.passes) == (1.0, 1.0, True)

    def test_a_model_that_agrees_with_nobody_beats_nobody(self) -> None:
        answers = people({"anna": "y" * 30, "bruno": "y" * 30, "chloe": "y" * 30})
        test = alternative_annotator_test(answers, {f"i{at}": None for at in range(30)}, epsilon=0.2)
        assert [each.p for each in test.comparisons] == [1.0, 1.0, 1.0]
        assert (test.winning_rate, test.advantage, test.passes) == (0.0, 0.0, False)

    def test_items_that_nobody_else_labelled_or_the_model_left_out_do_not_count(self) -> None:
        answers = people({"anna": "y" * 50, "bruno": "y" * 40, "chloe": "y" * 40})
        test = alternative_annotator_test(answers, {f"i{at}": "y" for at in range(35)}, epsilon=0.2)
        assert [each.n for each in test.comparisons] == [35, 35, 35]

    @pytest.mark.parametrize(
        ("answers", "message"),
        [
            ({"anna": "y" * 40, "bruno": "y" * 40}, "needs 3 annotators, and 2 labelled"),
            ({"anna": "y" * 40, "bruno": "y" * 40, "chloe": "y" * 29}, "and chloe has 29"),
        ],
    )
    def test_it_says_what_it_lacks(self, answers: dict[str, str], message: str) -> None:
        model = {f"i{at}": "y" for at in range(40)}
        with pytest.raises(TooFewAnswers, match=message):
            alternative_annotator_test(people(answers), model, epsilon=0.2)


class TestPredictionPowered:
    def test_it_adds_the_mean_error_to_the_mean_prediction(self) -> None:
        pool, predicted, gold = np.array([1.0, 1, 1, 0]), np.array([1.0, 0, 1, 0]), np.array([1.0, 1, 1, 0])
        estimate = prediction_powered_share(pool, predicted, gold)
        # Errors 0, 1, 0, 0: mean .25 and variance .25. The pool: mean .75 and variance .25.
        assert estimate.share == pytest.approx(1.0)
        assert estimate.high - estimate.low == pytest.approx(2 * 1.959964 * math.sqrt(0.25 / 4 + 0.25 / 4))
        assert classical_share(gold).share == 0.75

    def test_good_predictions_narrow_the_interval(self) -> None:
        random = np.random.default_rng(11)
        truth = (random.uniform(size=20_000) < 0.2).astype(float)
        predictions = np.where(random.uniform(size=20_000) < 0.95, truth, 1 - truth)
        powered = prediction_powered_share(predictions[500:], predictions[:500], truth[:500])
        classical = classical_share(truth[:500])
        assert powered.low < truth.mean() < powered.high
        assert powered.high - powered.low < 0.7 * (classical.high - classical.low)
