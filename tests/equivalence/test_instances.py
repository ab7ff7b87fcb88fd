"""Instances against values worked by hand from the paper's definitions, and what must hold of any."""

import random
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from al_worker.equivalence.evaluations import Evaluation, read_evaluations
from al_worker.equivalence.instances import Instance, Tally, make_instances, unused_members
from al_worker.equivalence.parts import Rules
from al_worker.equivalence.targets import Target
from tests.equivalence.worlds import evaluation, member_targets, target
from tests.shared import shared_file

FIGURE_3 = evaluation(
    "Act type",
    ["left interest rates unchanged (Did not raise rates)"],
    ["decided to raise interest rates (Did raise rates)", "voted to raise rates (Did raise rates)"],
    ["lowered interest rates a quarter point (Cut rates)"],
    part="both",
)
FIGURE_4 = target(
    "t1",
    "[REFERENCE START] Last week [REFERENCE END] , the [ACTOR START] Federal Reserve [ACTOR END] "
    "[ACT START] left interest rates unchanged (Did not raise rates) [ACT END] .",
)
TWO_SENTENCES = target(
    "t2",
    "[STD SENTENCE START] It [ACT START] cut rates (Cut) [ACT END]. [STD SENTENCE END] "
    "[STD SENTENCE START] It [ACT START] held [ATTRIBUTION START] rates (Held) [ACT END] (Smith) [ATTRIBUTION END] "
    "[ACT START] again [ACT END]. [STD SENTENCE END]",
)
WORDS = evaluation("act", ["cut rates"], ["held rates"], ["again"])
COMMENTS = evaluation("act labels", ["Cut"], ["Held"])
BOTH = evaluation("act with labels", ["cut rates (Cut)"], ["held rates (Held)"], ["again"])


def made(one: Evaluation, *targets: Target, **rules: object) -> list[Instance]:
    return make_instances([one], targets, Rules(**rules))[0]  # type: ignore[arg-type]


def tally(one: Evaluation, *targets: Target, **rules: object) -> Tally:
    return make_instances([one], targets, Rules(**rules))[1][0]  # type: ignore[arg-type]


def test_it_makes_the_papers_example() -> None:
    """Figures 3 and 4. One positive wants 100 negatives, and three members differ by two words or fewer.

    The positive has seven words, the others seven, six and seven.
    """
    found = made(FIGURE_3, FIGURE_4)
    prefix = "[REFERENCE START] Last week [REFERENCE END] , the [ACTOR START] Federal Reserve [ACTOR END] [ACT START]"
    assert {each.prefix for each in found} == {prefix}
    assert {each.positive for each in found} == {"left interest rates unchanged (Did not raise rates)"}
    assert sorted((each.negative_class, each.negative) for each in found) == [
        (1, "decided to raise interest rates (Did raise rates)"),
        (1, "voted to raise rates (Did raise rates)"),
        (2, "lowered interest rates a quarter point (Cut rates)"),
    ]
    assert tally(FIGURE_3, FIGURE_4).short == [("t1", 3)]


def test_the_paper_takes_the_first_member_of_a_target_and_its_programs_every_one() -> None:
    given = target("t", "[ACT START] cut rates [ACT END] and [ACT START] again [ACT END] [ACT START] paid [ACT END]")
    assert {(each.positive, each.prefix) for each in made(WORDS, given)} == {("cut rates", "[ACT START]")}
    assert (tally(WORDS, given).repeated, tally(WORDS, given).no_member) == (1, 1)
    assert {(each.positive, each.prefix) for each in made(WORDS, given, source="code")} == {
        ("cut rates", "[ACT START]"),
        ("again", "[ACT START] cut rates [ACT END] and [ACT START]"),
    }
    assert tally(WORDS, given, source="code").per_positive == 50
    assert tally(WORDS, given).per_positive == 100


def test_words_are_found_across_markers_by_the_paper() -> None:
    once = evaluation("act", ["held rates"], ["again"])
    assert {each.positive for each in made(once, TWO_SENTENCES)} == {"held rates"}


def test_a_comment_follows_its_words_and_keeps_its_parentheses() -> None:
    second = evaluation("act labels", ["Held"], ["Cut"])
    found = made(second, target("t", "A [ACT START] b c (Held) [ACT END]"))
    assert [(each.prefix, each.positive, each.negative) for each in found] == [("A [ACT START] b c", "(Held)", "(Cut)")]
    assert made(second, target("t", "A [ACT START] b c [ACT END]")) == []
    assert tally(second, target("t", "A [ACT START] b c [ACT END]")).without_part == 1


def test_a_prefix_is_a_sentence_or_the_whole_target() -> None:
    only_second = evaluation("act labels", ["Held"], ["Kept"])
    sentence = "[STD SENTENCE START] It [ACT START] held [ATTRIBUTION START] rates"
    assert [each.prefix for each in made(only_second, TWO_SENTENCES)] == [sentence]
    before = "[STD SENTENCE START] It [ACT START] cut rates (Cut) [ACT END]. [STD SENTENCE END] "
    assert [each.prefix for each in made(only_second, TWO_SENTENCES, prefix="target")] == [before + sentence]
    written = made(only_second, TWO_SENTENCES, style="underscores")[0].prefix
    assert written == "[STD_SENTENCE_START] It [ACT_START] held [ATTRIBUTION_START] rates"


def test_a_span_outside_every_sentence_is_counted() -> None:
    given = target("t", "[STD SENTENCE START] A. [STD SENTENCE END] [ACT START] cut rates (Cut) [ACT END]")
    assert tally(WORDS, given).outside == 1
    assert {each.prefix for each in made(WORDS, given)} == {"[STD SENTENCE START] A. [STD SENTENCE END] [ACT START]"}
    assert tally(FIGURE_3, FIGURE_4).outside == 0


@pytest.mark.parametrize(
    ("one", "positives"),
    [
        # A marker inside: not what a member is. Without a comment: the programs leave acts out.
        (WORDS, ["cut rates"]),
        # The programs read the first parentheses of a span.
        (COMMENTS, ["(Cut)", "(Held)"]),
        (BOTH, ["again", "cut rates (Cut)"]),
    ],
)
def test_the_programs_read_what_stands_between_the_markers(one: Evaluation, positives: list[str]) -> None:
    """Show that the file tells whether acts need a comment: here another evaluation tests the comments of acts."""
    every = [one] if one is COMMENTS else [one, COMMENTS]
    found = make_instances(every, [TWO_SENTENCES], Rules(source="code"))[0]
    assert sorted({each.positive for each in found if each.evaluation == one.name}) == positives


def test_the_programs_compare_the_whole_span_where_no_evaluation_tests_comments() -> None:
    motive = evaluation("motive", ["to cut"], ["to rise"], annotation="motive")
    commented = target("t", "[MOTIVE START] to cut (Why) [MOTIVE END]")
    assert len(made(motive, commented)) == 1
    assert made(motive, commented, source="code") == []
    assert len(made(motive, target("t", "[MOTIVE START] to cut [MOTIVE END]"), source="code")) == 1


def test_only_valid_and_test_give_instances_and_each_split_counts_for_itself() -> None:
    """A split with three positives gets 33 negatives each; there is one. A split with 101 gets one each."""
    targets = [target(f"v{n}", "[ACT START] cut rates (Cut) [ACT END]", "valid") for n in range(3)]
    targets += [target(f"t{n}", "[ACT START] cut rates (Cut) [ACT END]") for n in range(101)]
    targets += [target("x", "[ACT START] cut rates (Cut) [ACT END]", "train")]
    given = evaluation("act", ["cut rates"], ["held rates", "kept rates", "a b c d e"])
    instances, tallies = make_instances([given], targets, Rules())
    assert [(each.split, each.positives, each.per_positive, each.instances) for each in tallies] == [
        ("valid", 3, 33, 6),
        ("test", 101, 1, 101),
    ]
    assert tallies[0].short == [("v0", 2), ("v1", 2), ("v2", 2)]
    assert not any(each.target == "x" for each in instances)


@pytest.mark.parametrize(("words", "fits"), [("a", True), ("a b c d e", True), ("a b c d e f", False)])
def test_the_numbers_of_words_differ_by_two_at_most(words: str, fits: bool) -> None:
    given = evaluation("act", ["one two three"], [words])
    found = made(given, target("t", "[ACT START] one two three (Cut) [ACT END]"))
    assert [each.negative for each in found] == ([words] if fits else [])
    found = made(given, target("t", "[ACT START] one two three [ACT END]"), source="code")
    assert [each.negative for each in found] == ([words] if fits else [])


def shares(given: Evaluation, source: str) -> dict[str, float]:
    targets = [target(f"t{n}", "[ACT START] x y [ACT END]") for n in range(3000)]
    drawn = Counter(each.negative for each in made(given, *targets, source=source))
    return {member: n / drawn.total() for member, n in drawn.items()}


def test_the_class_is_uniform_by_the_paper_and_depends_on_how_many_fit_by_the_programs() -> None:
    """One of four members of the first class fits, and the only one of the second.

    The paper's classes are equally likely. The programs draw again: 1/4 against 1, so 1/5 and 4/5.
    """
    long = [f"a b c d {letter}" for letter in "efg"]
    given = evaluation("act", ["x y"], ["short one", *long], ["other one"])
    by_paper, by_code = shares(given, "paper"), shares(given, "code")
    # The standard error is below 0.01.
    assert by_paper == pytest.approx({"short one": 1 / 2, "other one": 1 / 2}, abs=0.04)
    assert by_code == pytest.approx({"short one": 1 / 5, "other one": 4 / 5}, abs=0.04)


def test_another_member_stands_in_the_positives_place() -> None:
    given = evaluation("act", ["cut rates", "lowered rates"], ["held rates"], ["kept rates"])
    kept = target("a", "[ACT START] cut rates [ACT END] [ACT START] held rates [ACT END]")
    found = made(given, kept, replace_positive=True)
    assert {(each.positive, each.positive_class) for each in found} == {("lowered rates", 0)}
    assert {each.negative for each in found} == {"held rates", "kept rates"}
    assert tally(given, kept, replace_positive=True).alone == 1


def test_a_member_that_occurs_nowhere_is_found_and_train_counts() -> None:
    given = [evaluation("act", ["cut rates", "cut"], ["held rates"])]
    targets = [target("a", "[ACT START] cut rates [ACT END]", "train")]
    found = [(each.evaluation, each.class_number, each.number) for each in unused_members(given, targets, Rules())]
    assert found == [(0, 0, 1), (0, 1, 0)]


def test_all_evaluations_of_the_authors_run() -> None:
    """Each member has a target of its own, so each is found again, and every instance keeps the rules."""
    evaluations = read_evaluations(shared_file("equivalence-classes") / "equivalence_classes.json")
    targets = member_targets(evaluations)
    for source in ("paper", "code"):
        rules = Rules(source=source)
        assert list(unused_members(evaluations, targets, rules)) == []
        instances, tallies = make_instances(evaluations, targets, rules)
        assert len(tallies) == 15
        assert sum(each.instances for each in tallies) == len(instances)
        for each in tallies:
            short = sum(each.per_positive - found for _, found in each.short)
            assert each.instances == each.positives * each.per_positive - short
            assert each.spans == each.positives + each.no_member + each.without_part + each.repeated
        by_name = {each.name: each for each in evaluations}
        for instance in instances:
            assert_sound(instance, by_name[instance.evaluation])
        keys = [(each.annotation, each.evaluation, each.target) for each in instances]
        assert all(a <= b for a, b in pairwise(keys))


def assert_sound(instance: Instance, of: Evaluation) -> None:
    positive, negative = instance.positive, instance.negative
    assert abs(len(positive.split()) - len(negative.split())) <= 2
    assert instance.positive_class != instance.negative_class
    if of.part == "comment":
        assert positive[0] == negative[0] == "(" and positive[-1] == negative[-1] == ")"
        positive, negative = positive[1:-1], negative[1:-1]
    assert positive in of.classes[instance.positive_class]
    assert negative in of.classes[instance.negative_class]


@given(st.integers(0, 5), st.sampled_from(["paper", "code"]), st.booleans(), st.randoms(use_true_random=False))
def test_the_order_of_what_comes_in_does_not_matter(
    seed: int, source: str, replace: bool, order: random.Random
) -> None:
    evaluations = [
        evaluation("act", ["cut rates", "lowered rates"], ["held rates", "kept rates", "left rates"], ["rose"]),
        evaluation("act labels", ["Cut", "Cuts"], ["Held"], ["Rose", "Went up"]),
    ]
    targets = [TWO_SENTENCES, *(target(f"n{n}", "[ACT START] kept rates (Cut) [ACT END]") for n in range(4))]
    rules = Rules(seed=seed, source=source, replace_positive=replace)
    found = make_instances(evaluations, targets, rules)
    order.shuffle(targets)
    order.shuffle(evaluations)
    assert make_instances(evaluations, targets, rules) == found
    # Other numbers of the classes, the same strings.
    classes = [sorted(members, key=lambda _: order.random()) for members in evaluations[0].classes]
    order.shuffle(classes)
    other = evaluation(evaluations[0].name, *classes)
    again = make_instances([other, evaluations[1]], targets, rules)[0]
    assert [(each.positive, each.negative) for each in again] == [(each.positive, each.negative) for each in found[0]]


def test_another_seed_draws_otherwise() -> None:
    given = evaluation("act", ["cut rates"], [f"held {n}" for n in range(50)])
    targets = [target(f"t{n}", "[ACT START] cut rates [ACT END]") for n in range(60)]
    one, other = ([each.negative for each in made(given, *targets, seed=seed)] for seed in (0, 1))
    assert len(one) == 60
    assert one != other
