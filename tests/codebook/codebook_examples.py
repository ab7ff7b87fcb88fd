"""Codebooks for the tests: a small one with gates, and random ones."""

from typing import Any

from hypothesis import settings
from hypothesis import strategies as st

# A codebook is long, and drawn slowly.
STEADY = settings(max_examples=60)

YES = {"key": "yes", "name": "Yes"}
NO = {"key": "no", "name": "No"}


def stage(key: str, open_when: Any = None, labels: list[dict[str, Any]] | None = None, **more: Any) -> dict[str, Any]:
    texts = {"key": key, "title": key.title(), "prompt": f"What about {key}?"}
    return texts | {"open_when": open_when, "labels": labels or [YES, NO]} | more


def three_stages() -> dict[str, Any]:
    """one -> two (one = yes) -> three (one = yes and two answered; a scale of three levels)."""
    levels = [{"key": key, "name": key.title()} for key in ("low", "middle", "high")]
    both = {"all": [{"stage": "one", "in": ["yes"]}, {"stage": "two", "answered": True}]}
    return {
        "name": "Three stages",
        "guidelines": "Read *slowly*.",
        "stages": [
            stage("one", positive=["yes"]),
            stage("two", {"stage": "one", "in": ["yes"]}),
            stage("three", both, levels, scale="ordinal"),
        ],
        "learning": {"stage": "one", "exclude": []},
    }


def conditions(earlier: list[dict[str, Any]]) -> st.SearchStrategy[dict[str, Any]]:
    def label_in(of: dict[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
        keys = st.lists(st.sampled_from([label["key"] for label in of["labels"]]), min_size=1, unique=True)
        return keys.map(lambda chosen: {"stage": of["key"], "in": chosen})

    answered = st.sampled_from([of["key"] for of in earlier]).map(lambda key: {"stage": key, "answered": True})
    leaves = st.sampled_from(earlier).flatmap(label_in) | answered

    def combined(parts: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
        return st.builds(
            lambda kind, list_: {kind: list_}, st.sampled_from(["all", "any"]), st.lists(parts, min_size=1, max_size=3)
        )

    return st.recursive(leaves, combined, max_leaves=4)


@st.composite
def definitions(draw: st.DrawFn) -> dict[str, Any]:
    """A valid definition of one to five stages with random gates, labels, scales and required flags."""
    stages: list[dict[str, Any]] = []
    for number in range(draw(st.integers(1, 5))):
        labels = [{"key": f"l{i}", "name": f"Label {i}"} for i in range(draw(st.integers(2, 4)))]
        gate = draw(st.none() | conditions(stages)) if stages else None
        scale, required = draw(st.sampled_from(["nominal", "ordinal"])), draw(st.booleans())
        stages.append(stage(f"s{number}", gate, labels, scale=scale, required=required))
    return {"name": "Random", "stages": stages, "learning": {"stage": "s0", "exclude": []}}


@st.composite
def answers_to(draw: st.DrawFn, definition: dict[str, Any]) -> dict[str, str]:
    """Any labels for any of the stages, open or closed; now and then a label of no stage."""
    drawn = {}
    for of in definition["stages"]:
        keys = [label["key"] for label in of["labels"]]
        answer = draw(st.none() | st.sampled_from([*keys, "l9"] if draw(st.integers(0, 9)) == 0 else keys))
        if answer is not None:
            drawn[of["key"]] = answer
    return drawn


@st.composite
def complete_answers(draw: st.DrawFn, definition: dict[str, Any]) -> dict[str, str]:
    """Answers made as an annotator makes them: stage by stage, only what is open, some optional ones left out."""
    given: dict[str, str] = {}
    for of in definition["stages"]:
        if not holds(of["open_when"], given):
            continue
        if of["required"] or draw(st.booleans()):
            given[of["key"]] = draw(st.sampled_from([label["key"] for label in of["labels"]]))
    return given


def holds(condition: Any, given: dict[str, str]) -> bool:
    """The gate rule once more, straight from the JSON: `given` holds answers to open stages only."""
    if condition is None:
        return True
    if "all" in condition:
        return all(holds(part, given) for part in condition["all"])
    if "any" in condition:
        return any(holds(part, given) for part in condition["any"])
    return given.get(condition["stage"]) in condition["in"] if "in" in condition else condition["stage"] in given
