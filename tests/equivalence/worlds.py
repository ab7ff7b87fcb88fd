"""Targets and evaluations small enough to work out by hand."""

from typing import Any

from al_worker.equivalence.evaluations import Evaluation, evaluations_of
from al_worker.equivalence.targets import Target
from al_worker.formats.text_form import Span, parse


def target(name: str, linear: str, split: str = "test") -> Target:
    """Read a target from its text form, which is easier to see than offsets."""
    parsed = parse(linear)
    assert not parsed.faults
    return Target(name, split, parsed.text, parsed.spans)


def evaluation(name: str, *classes: list[str], annotation: str = "act", **more: Any) -> Evaluation:
    record = {"annotation": annotation, "evaluation": name, "equivalence_classes": list(classes), **more}
    return evaluations_of([record], "evaluations.json")[0]


def span_record(span: Span) -> dict[str, Any]:
    return {"start": span.start, "end": span.end, "category": span.category, "comment": span.comment}


def target_record(each: Target) -> dict[str, Any]:
    return {"id": each.id, "split": each.split, "text": each.text, "spans": [span_record(span) for span in each.spans]}


def member_targets(evaluations: list[Evaluation]) -> list[Target]:
    """Make a target for each member, in which it stands as the part that its evaluation tests."""
    found: list[Target] = []
    for each in evaluations:
        for members in each.classes:
            for member in members:
                words, comment = member, "Did something" if each.annotation == "act" else None
                if each.part == "comment":
                    words, comment = "acted", member
                elif each.part == "both":
                    words, _, comment = member.removesuffix(")").partition(" (")
                text = f"The Fed {words} again."
                spans = (
                    Span(0, len(text), "STD SENTENCE"),
                    Span(8, 8 + len(words), each.annotation.upper(), comment or None),
                )
                found.append(Target(f"t{len(found):03}", "test", text, spans))
    return found
