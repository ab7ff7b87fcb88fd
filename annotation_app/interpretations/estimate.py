"""Estimate what an interpretation would train and test before it is started: sizes, and time where runs tell it."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

from al_worker.equivalence.augmentation import augmented
from al_worker.equivalence.instances import make_instances
from al_worker.formats.interpretation import FILTERBERT, FILTERS, TEST, TRAIN
from annotation_app.interpretations.data import rules_of
from annotation_app.interpretations.services import Request
from annotation_app.interpretations.spec import SystemSpec
from annotation_app.models import Interpretation

CHARACTERS_A_TOKEN = 4
TOKENS = f"Tokens of sources are estimated as characters / {CHARACTERS_A_TOKEN}; the run counts them by the tokenizer."
# So many finished interpretations of this server are looked at for the time.
RECENT = 50


def estimate_view(request: Request) -> dict[str, Any]:
    """Return the sizes of the data, of what each system is trained on and of the instances. Nothing is started."""
    evaluations = [each.evaluation for each in request.chosen]
    tallies: list[dict[str, Any]] = []
    if evaluations:
        _, found = make_instances(evaluations, request.data.tested, rules_of(request.spec, request.data))
        tallies = [
            asdict(tally) | {"n_short": len(tally.short)} for tally in found if tally.split == request.spec.split
        ]
    counts, timings = request.data.counts, timings_of()
    return {
        "data": {"sources": counts.sources, "targets": counts.targets, "left_out": request.data.left_out_view()},
        "systems": [system_view(request, name, system, timings) for name, system in request.spec.named.items()],
        "instances": {"total": sum(tally["instances"] for tally in tallies), "tallies": tallies},
        "notices": [*notices_of(request)],
    }


def notices_of(request: Request) -> Iterator[str]:
    yield TOKENS
    for each in request.chosen:
        yield from (f"{each.title}: {warning}" for warning in each.warnings)
    for system in request.spec.systems:
        model = request.models[system.model]
        if not model.available:
            yield f"{system.title}: {model.note}"


def system_view(
    request: Request, name: str, system: SystemSpec, timings: Mapping[str, Mapping[str, float]]
) -> dict[str, Any]:
    """Return a system's training examples, the longest source against its budget, and its time where runs tell it."""
    tokens = [len(source.text) // CHARACTERS_A_TOKEN for source in request.data.sources.values()]
    examples = examples_of(request, system)
    notes = [FILTERS[system.filter].note]
    known = timings.get(timing_key(system.kind, system.model))
    seconds = None
    if known is not None:
        texts = request.data.counts.sources[TEST]
        texts = min(texts, request.spec.generation.limit or texts)
        seconds = round(examples * system.epochs * known["per_example"] + texts * known["per_text"], 1)
        notes.append("The time is for all epochs; training that stops early takes less.")
        if system.filter == FILTERBERT:
            notes.append("The training of FilterBERT comes on top.")
    return {
        "name": name,
        "title": system.title,
        "examples": examples,
        "epochs": system.epochs,
        "source_tokens_max": max(tokens),
        "budget": system.budget,
        "cut": sum(n > system.budget for n in tokens),
        "seconds": seconds,
        "note": " ".join(notes),
    }


def examples_of(request: Request, system: SystemSpec) -> int:
    """Count the training examples: the training targets, and those that are made of them."""
    examples = request.data.counts.targets[TRAIN]
    if not system.augment:
        return examples
    evaluations = [each.evaluation for each in request.chosen]
    return examples + len(augmented(request.data.tested, evaluations, system.augment, request.spec.seed).targets)


def timing_key(kind: str, model: str) -> str:
    return f"{kind} {model}"


def timings_of() -> dict[str, dict[str, float]]:
    """Return the seconds a training example and a generated text took at the last run, by kind and model."""
    done = Interpretation.objects.filter(state=Interpretation.State.DONE).order_by("-finished_at")
    found: dict[str, dict[str, float]] = {}
    for timings in done.values_list("progress__timings", flat=True)[:RECENT]:
        for key, taken in (timings or {}).items():
            found.setdefault(key, taken)
    return found
