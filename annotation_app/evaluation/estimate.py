"""Estimate what an evaluation would take before it is started: requests, tokens and money."""

from collections.abc import Mapping
from typing import Any

from django.db.models import Avg

from al_worker.formats.prompts import balanced_examples, template_warnings
from al_worker.formats.providers import LanguageModel
from annotation_app.annotation.suggestions import has_suggestions
from annotation_app.evaluation.prompts import prompt_of, texts_of
from annotation_app.evaluation.selectors import reasons_view
from annotation_app.evaluation.services import Request, batch_items, stages_asked
from annotation_app.models import Prediction
from annotation_app.rounds.draw import eligible_items

CHARACTERS_A_TOKEN = 4
# A label, a sentence and a number as JSON: about 240 characters.
ASSUMED_TOKENS_OUT = 60
# So many prompts of a stage are filled in; the others are taken to be as long.
SAMPLE = 40
SUGGESTED = (
    "Annotators of a batch saw what a model predicts. Labels that were given under its suggestions are not independent "
    "of it, and favour it."
)
FEW = (
    "{0}: {1} folds need {1} gold labels and two different ones. Models that are trained, and prompts with examples, "
    "have no answers there."
)
INPUT = f"Tokens of prompts are estimated as characters / {CHARACTERS_A_TOKEN}, over {SAMPLE} prompts of each stage."


def estimate_view(request: Request) -> dict[str, Any]:
    """Return the gold labels of each stage, and what each system would be asked."""
    lengths = {stage: mean_length(request, stage) for stage in request.gold} if request.models else {}
    in_pool = eligible_items(request.project).count() if request.spec.pool else 0
    pool, batch = min(request.spec.pool, in_pool), len(batch_items(request))
    asked = {stage: requests_at(request, stage, pool) + batch for stage in stages_asked(request)}
    return {
        "stages": [
            {
                "key": stage,
                "title": gold.question.title,
                "n": len(gold.labels),
                "labels": gold.counts,
                "left_out": reasons_view(gold.left_out),
            }
            for stage, gold in request.gold.items()
        ],
        "systems": [system_view(request, name, asked, lengths) for name in request.kinds],
        "notices": notices_of(request, in_pool),
    }


def notices_of(request: Request, in_pool: int) -> list[str]:
    notices = [f"{gold.question.title}: no item has a gold label." for gold in request.gold.values() if not gold.labels]
    if (request.spec.examples and request.models) or "trained" in request.kinds.values():
        folds = request.spec.folds
        few = [gold.question.title for gold in request.gold.values() if gold.labels and not gold.has_folds(folds)]
        notices += [FEW.format(title, folds) for title in few]
    if has_suggestions(request.project):
        notices.append(SUGGESTED)
    if request.models:
        notices.append(INPUT)
        for stage, (_, template) in request.prompts.items():
            question = request.gold[stage].question
            warnings = template_warnings(template, needs_context=question.needs_context)
            notices += [f"{question.title}, its prompt: {warning}" for warning in warnings]
    if in_pool < request.spec.pool:
        notices.append(f"The pool has {in_pool:,} items that nobody was given: they are all asked about.")
    return notices


def system_view(request: Request, name: str, asked: Mapping[str, int], lengths: Mapping[str, float]) -> dict[str, Any]:
    """Return what a system would be asked: `asked` requests of `lengths` characters at each stage."""
    model = request.models.get(name)
    if model is None:
        return {
            "name": name,
            "requests": 0,
            "tokens_in": 0,
            "tokens_out": 0,
            "cost": 0.0,
            "currency": "",
            "note": "Asks no language model.",
        }
    requests = sum(asked.values())
    tokens_in = round(sum(n * lengths[stage] for stage, n in asked.items()) / CHARACTERS_A_TOKEN)
    each_out, note = tokens_out_of(request, model)
    tokens_out = round(requests * each_out)
    cost = model.cost(tokens_in, tokens_out)
    return {
        "name": name,
        "requests": requests,
        "tokens_in": tokens_in,
        "tokens_out": tokens_out,
        "cost": cost,
        "currency": model.currency,
        "note": note if cost is not None else f"{note} The operator's file gives no prices, so the cost is not known.",
    }


def requests_at(request: Request, stage: str, pool: int) -> int:
    """Return how many items with a gold label, and of the pool, language models are asked about."""
    gold, limit = request.gold[stage], request.spec.limit
    n = len(gold.labels)
    return (n if limit is None else min(n, limit)) + (0 if gold.question.has_gate else pool)


def mean_length(request: Request, stage: str) -> float:
    """Return the mean number of characters of the stage's prompts, over some of them."""
    gold, (_, template) = request.gold[stage], request.prompts[stage]
    if not gold.labels:
        return 0.0
    step = max(1, len(gold.labels) // SAMPLE)
    texts = list(texts_of([each.item_id for each in gold.labels[::step][:SAMPLE]]))
    labels = {each.item_id: each.label for each in gold.labels}
    labelled = [(each.external_id, each.text, labels[each.item_id]) for each in texts]
    examples = balanced_examples(labelled, request.spec.examples, request.spec.seed)
    return sum(len(prompt_of(gold.question, template, each, examples)) for each in texts) / len(texts)


def tokens_out_of(request: Request, model: LanguageModel) -> tuple[float, str]:
    """Return the mean number of tokens of an answer, and where it comes from."""
    earlier = Prediction.objects.filter(evaluation__project=request.project, system=model.name)
    mean = earlier.aggregate(mean=Avg("tokens_out"))["mean"]
    if mean is None:
        return ASSUMED_TOKENS_OUT, f"{ASSUMED_TOKENS_OUT} tokens an answer are assumed: it has not answered here yet."
    return mean, f"{mean:.0f} tokens an answer, the mean of its earlier answers in this project."
