"""Check what `interpret` refuses before it trains anything, and what it says of data that it takes."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from al_worker.core.interpretation.run.config import read_interpretation
from al_worker.core.interpretation.run.data import (
    UNUSED,
    WITHOUT_INSTANCE,
    WITHOUT_TARGET,
    InterpretationData,
    read_data,
)
from al_worker.equivalence.errors import EquivalenceInvalid
from al_worker.formats.run_directory import RunDirectoryError
from al_worker.formats.tables import ConfigError
from tests.interpretation.run_world import EVALUATIONS, sources_of_world, target, targets_of_world, write_world

SYSTEM = {"kind": "transformer", "model": "all-MiniLM-L6-v2"}


def read(folder: Path, **world: Any) -> InterpretationData:
    return read_data(read_interpretation(write_world(folder, {"small": SYSTEM}, **world)))


@pytest.mark.parametrize(
    ("systems", "tables", "words"),
    [
        ({}, {}, "[run] systems is empty"),
        ({"small": SYSTEM}, {"run": {"systems": ["other"]}}, 'names "other", and of [systems.NAME] there are: small'),
        ({"small": SYSTEM}, {"run": {"systems": ["a_b"]}}, '"a_b" is no name'),
        ({"small": SYSTEM}, {"runs": {}}, "no table [runs] is known"),
        ({"small": {**SYSTEM, "kind": "gpt"}}, {}, "kind = 'gpt' is not one of transformer, bert, bart"),
        ({"small": {**SYSTEM, "model": " "}}, {}, "[systems.small] model is empty"),
        ({"small": {**SYSTEM, "filter": "filterbert"}}, {}, "[systems.small] filter_model is missing"),
        ({"small": {**SYSTEM, "filter_model": "x"}}, {}, "[systems.small] filter_model has no effect"),
        ({"small": {**SYSTEM, "budget": 0}}, {}, "[systems.small] budget = 0 is outside"),
        ({"small": {**SYSTEM, "augment": 1}}, {"data": {"evaluations": ""}}, "[systems.small] augment needs"),
        ({"small": SYSTEM}, {"generation": {"min_tokens": 31}}, "min_tokens = 31 is above max_tokens = 30"),
        ({"small": SYSTEM}, {"metrics": {"bertscore_layer": 3}}, "[metrics] bertscore_layer has no effect"),
        ({"small": SYSTEM}, {"instances": {"split": "train"}}, "split = 'train' is not one of valid, test"),
        ({"small": SYSTEM}, {"text_form": {"outer": ["[X]"]}}, "[text_form] outer: '[X]'"),
    ],
)  # fmt: skip
def test_a_configuration_is_refused_with_its_place(
    tmp_path: Path, systems: Mapping[str, Any], tables: Mapping[str, Any], words: str
) -> None:
    config = write_world(tmp_path, systems, tables=tables)
    with pytest.raises(ConfigError) as raised:
        read_interpretation(config)
    assert str(raised.value).startswith("interpretation.toml: ")
    assert words in str(raised.value)


def changed(number: int, **values: Any) -> list[dict[str, Any]]:
    found = targets_of_world()
    found[number].update(values)
    return found


@pytest.mark.parametrize(
    ("targets", "words"),
    [
        (changed(0, sources=[]), "targets.jsonl line 1: \"sources\" of 't0-0' must be a list"),
        (changed(2, sources=["s1", "s99"]), "targets.jsonl line 3: 't1-0' is of the source 's99', which sources.jsonl"),
        (changed(1, split="valid"), "targets.jsonl line 2: source 's0' is in valid here and in train on line 1"),
        (changed(5, text=" ", spans=[]), 'targets.jsonl line 6: "text" is empty; leave the target out'),
        (changed(5, split="dev"), 'targets.jsonl line 6: "split" must be one of'),
        (targets_of_world()[:16], 'targets.jsonl: no target has the split "valid"; one or more is needed to stop'),
        (targets_of_world()[16:], 'targets.jsonl: no target has the split "train"; one or more is needed to learn'),
        (targets_of_world()[:-4], 'targets.jsonl: no target has the split "test"; one or more is needed to describe'),
    ],
)
def test_targets_are_refused_with_their_line(tmp_path: Path, targets: list[dict[str, Any]], words: str) -> None:
    with pytest.raises(RunDirectoryError) as raised:
        read(tmp_path, targets=targets)
    assert words in str(raised.value)


def test_a_source_without_sentences_is_refused_with_its_line(tmp_path: Path) -> None:
    sources = sources_of_world()
    del sources[3]["sentences"]
    with pytest.raises(RunDirectoryError, match=r'sources\.jsonl line 4: "sentences" is missing'):
        read(tmp_path, sources=sources)


def test_an_evaluation_with_one_class_is_refused_with_its_place(tmp_path: Path) -> None:
    evaluations = [*EVALUATIONS[:2], {**EVALUATIONS[2], "equivalence_classes": [["soon"]]}]
    with pytest.raises(
        EquivalenceInvalid, match=r"evaluations.json: \[2\].equivalence_classes: .* two classes or more"
    ):
        read(tmp_path, evaluations=evaluations)


def test_data_of_the_world_are_whole(tmp_path: Path) -> None:
    data = read(tmp_path)
    assert data.counts() == {
        "sources": {"train": 8, "valid": 2, "test": 2},
        "targets": {"train": 16, "valid": 4, "test": 4},
    }
    assert data.linear[0] == (
        "[STD SENTENCE START] The Fed [ACT START] cut rates (Cut) [ACT END] and may do more "
        "[SCOPE START] soon [SCOPE END]. [STD SENTENCE END]"
    )
    assert data.targets_of(data.documents["s0"]) == data.linear[:2]
    # Instances are of the test split alone, four targets; each evaluation has one of them, or all.
    assert {data.source_of[each.target] for each in data.instances} == {"s10", "s11"}
    assert {(tally.evaluation, tally.split, tally.positives) for tally in data.tallies} == {
        ("act", "test", 4), ("act label", "test", 4), ("act negation", "test", 2), ("scope", "test", 4)
    }  # fmt: skip
    assert data.left_out == data.notices == ()


def test_what_is_left_out_is_counted_with_its_place(tmp_path: Path) -> None:
    """A source without a target, a member that no target has, and a category that no target has."""
    sources = [*sources_of_world(), {"id": "alone", "sentences": ["Nobody wrote about this."]}]
    evaluations = [*EVALUATIONS, {"annotation": "motive", "evaluation": "m", "equivalence_classes": [["a"], ["b"]]}]
    evaluations[2] = {**evaluations[2], "equivalence_classes": [["very soon", "at once"], ["later next year"]]}
    data = read(tmp_path, sources=sources, evaluations=evaluations)
    assert [(each["reason"], each["n"], each["examples"]) for each in data.left_out] == [
        (WITHOUT_TARGET, 1, ["sources.jsonl line 13: alone"]),
        (WITHOUT_INSTANCE, 1, ["evaluations.json [4]: motive | m (no target has its category)"]),
        (UNUSED, 1, ["evaluations.json [2].equivalence_classes[0][1]: at once"]),
    ]
    assert data.notices == ("evaluations.json: [4].annotation: no target has a span of 'motive'.",)
    assert "alone" not in data.documents


def test_a_target_may_interpret_several_sources_of_its_split(tmp_path: Path) -> None:
    """Instances are scored with the first of them. "validation" is another word for "valid"."""
    both = target("both", ["s11", "s10"], "test", "cut rates", "Cut", "soon")
    targets = [*targets_of_world(), both]
    targets[16]["split"] = "validation"
    data = read(tmp_path, targets=targets)
    assert data.source_of["both"] == "s11"
    assert data.documents["s10"].targets[-1] == data.documents["s11"].targets[-1] == 24
    assert data.counts()["targets"] == {"train": 16, "valid": 4, "test": 5}
