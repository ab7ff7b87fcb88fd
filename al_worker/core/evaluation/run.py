"""Run an evaluation on files: `python -m al_worker.core evaluate CONFIG.toml`.

The results folder holds a file of predictions for each system, one of raw answers for each language model, and
figures.json. An answer is on disk before the next one is read, and is never asked for again.
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from al_worker.core.backends.base import Setup
from al_worker.core.backends.registry import backend_for
from al_worker.core.evaluation.asking import Answered, Question, ask_all
from al_worker.core.evaluation.baselines import cross_validated, majority_label, stratified_folds
from al_worker.core.evaluation.comparison import holm, mcnemar
from al_worker.core.evaluation.config import MAJORITY, EvaluationSettings, GoldItem, read_evaluation, read_gold
from al_worker.core.evaluation.predictions import Prediction, prediction_figures
from al_worker.core.providers.registry import provider_for
from al_worker.core.run.config import RunConfig
from al_worker.core.run.files import append_row, cut_half_line
from al_worker.core.run.lifetime import run_lock
from al_worker.core.run.progress import Progress
from al_worker.formats.prompts import PromptLabel, balanced_examples, example_list, label_list, render, sentence_shown
from al_worker.formats.providers import LanguageModel
from al_worker.formats.run_directory import read_rows, write_json, write_rows

FIGURES = "figures.json"


def evaluate(config: Path, cache: Path, form: str) -> Path:
    """Let every system predict every stage, and return the path of the figures.

    A run that was stopped goes on from the answers that are there. Raises ConfigError, RunDirectoryError,
    NotEnoughLabels, ModelUnavailable and ProviderError; the answers that came before are kept.
    """
    settings = read_evaluation(config)
    gold = read_gold(settings)
    settings.results.mkdir(parents=True, exist_ok=True)
    with run_lock(settings.results):
        notices: list[str] = []
        predictions = {
            system: _predictions(settings, gold, system, cache, Progress(system, form), notices)
            for system in settings.run.systems
        }
        for system, stages in predictions.items():
            write_rows(settings.results / f"predictions-{system}.jsonl", _prediction_lines(stages))
        write_json(settings.results / FIGURES, _figures(settings, gold, predictions) | {"notices": notices})
    return settings.results / FIGURES


def answers_file(settings: EvaluationSettings, system: str) -> Path:
    """Return where the raw answers of a language model are kept."""
    return settings.results / f"answers-{system}.jsonl"


def _predictions(
    settings: EvaluationSettings,
    gold: dict[str, list[GoldItem]],
    system: str,
    cache: Path,
    progress: Progress,
    notices: list[str],
) -> dict[str, list[Prediction]]:
    if system in settings.language_models:
        return _language_model_predictions(settings, gold, settings.language_models[system], progress)
    if system == MAJORITY:
        most = {stage: majority_label([item.label for item in items]) for stage, items in gold.items()}
        return {
            stage: [Prediction(item.id, item.label, most[stage], None) for item in items]
            for stage, items in gold.items()
        }
    predictions: dict[str, list[Prediction]] = {}
    for stage, items in gold.items():
        predictions[stage], found = _fold_predictions(settings, items, system, cache, progress)
        notices += [f"{system}, {stage}: {notice}" for notice in found]
    return predictions


def _fold_predictions(
    settings: EvaluationSettings, items: Sequence[GoldItem], system: str, cache: Path, progress: Progress
) -> tuple[list[Prediction], list[str]]:
    tables = {
        "round": {"number": 0, "query_size": 1, "random_state": settings.run.seed},
        "model": {"name": system},
        "training": asdict(settings.training),
    }
    backend = backend_for(Setup.of(RunConfig(tables, settings.path.name), cache))
    texts, labels = [item.text for item in items], [item.label for item in items]
    backend.encode(list(dict.fromkeys(texts)), progress)
    folds = stratified_folds(labels, settings.run.folds, settings.run.seed)
    predicted, probability, notices = cross_validated(backend, texts, labels, folds, progress)
    rows = zip(items, predicted, probability.tolist(), strict=True)
    return [Prediction(item.id, item.label, label, confidence) for item, label, confidence in rows], notices


def _language_model_predictions(
    settings: EvaluationSettings, gold: dict[str, list[GoldItem]], model: LanguageModel, progress: Progress
) -> dict[str, list[Prediction]]:
    path = answers_file(settings, model.name)
    questions = list(_questions(settings, gold))
    answers = _answers(path, questions)
    missing = [each for each in questions if (each.stage, each.item) not in answers]
    if missing:
        arriving = ask_all(
            provider_for(model),
            missing,
            concurrency=model.concurrency,
            requests_per_minute=model.requests_per_minute,
        )
        for answered in arriving:
            answer = _answer_row(answered)
            append_row(path, answer)
            answers[answer["stage"], answer["id"]] = answer
            progress.report(len(answers) / len(questions), f"{len(answers):,} of {len(questions):,} answers")
    return {
        stage: [
            Prediction(item.id, item.label, row["label"], row["confidence"])
            for item in items
            if (row := answers.get((stage, item.id)))
        ]
        for stage, items in gold.items()
    }


def _questions(settings: EvaluationSettings, gold: dict[str, list[GoldItem]]) -> Iterator[Question]:
    for stage, items in gold.items():
        table = settings.stages[stage]
        examples = _examples(settings, items)
        labels = [PromptLabel(label, label) for label in table.labels]
        for at, item in enumerate(items):
            values = {
                "sentence": sentence_shown(table.prompt, item.text, item.speaker),
                "speaker": item.speaker,
                "context": item.context,
                "labels": label_list(labels),
                "definitions": table.definitions,
                "hypothesis": table.hypothesis,
                "examples": example_list(examples[at]),
            }
            yield Question(stage, item.id, render(table.prompt, values), table.labels)


def _examples(settings: EvaluationSettings, items: Sequence[GoldItem]) -> list[list[tuple[str, str]]]:
    """Return for each item the examples of its prompt: seeded, balanced over labels, and from other folds alone."""
    k, seed = settings.run.examples, settings.run.seed
    if k == 0:
        return [[] for _ in items]
    folds = stratified_folds([item.label for item in items], settings.run.folds, seed).tolist()
    of_fold = {
        fold: balanced_examples(
            [(item.id, item.text, item.label) for item, other in zip(items, folds, strict=True) if other != fold],
            k,
            seed,
        )
        for fold in set(folds)
    }
    return [of_fold[fold] for fold in folds]


def _answers(path: Path, questions: Sequence[Question]) -> dict[tuple[str, str], dict[str, Any]]:
    """Return the answers that are there to these very prompts. An answer to another prompt is asked for again."""
    if not path.exists():
        return {}
    cut_half_line(path)
    prompts = {(each.stage, each.item): _hash(each.prompt) for each in questions}
    rows = {(row["stage"], row["id"]): row for _, row in read_rows(path)}
    return {key: row for key, row in rows.items() if prompts.get(key) == row["prompt_sha256"]}


def _answer_row(answered: Answered) -> dict[str, Any]:
    question, reply, answer = answered.question, answered.reply, answered.answer
    return {
        "id": question.item,
        "stage": question.stage,
        "label": answer.label,
        "confidence": answer.confidence,
        "explanation": answer.explanation,
        "problem": answer.problem,
        "prompt_sha256": _hash(question.prompt),
        "raw": reply.text,
        "model": reply.model,
        "fingerprint": reply.fingerprint,
        "tokens_in": reply.tokens_in,
        "tokens_out": reply.tokens_out,
        "seconds": round(reply.seconds, 3),
    }


def _figures(
    settings: EvaluationSettings, gold: dict[str, list[GoldItem]], predictions: dict[str, dict[str, list[Prediction]]]
) -> dict[str, Any]:
    return {
        "seed": settings.run.seed,
        "folds": settings.run.folds,
        "examples": settings.run.examples,
        "stages": {
            stage: {
                "n": len(items),
                "systems": {
                    system: prediction_figures(rows[stage]) | {"n_without_answer": len(items) - len(rows[stage])}
                    for system, rows in predictions.items()
                    if rows[stage]
                },
                "pairs": _pairs({system: rows[stage] for system, rows in predictions.items()}),
            }
            for stage, items in gold.items()
        },
    }


def _pairs(systems: dict[str, list[Prediction]]) -> list[dict[str, Any]]:
    """Return an exact McNemar test for each pair of systems on the items that both answered, adjusted by Holm."""
    rows = []
    for first, second in combinations(systems, 2):
        theirs = {row.id: row for row in systems[second]}
        both = [(row, theirs[row.id]) for row in systems[first] if row.id in theirs]
        right = np.array([[a.label == a.gold, b.label == b.gold] for a, b in both], dtype=bool).reshape(-1, 2)
        test = mcnemar(right[:, 0], right[:, 1])
        rows.append({"first": first, "second": second, "n": len(both), **asdict(test)})
    for row, adjusted in zip(rows, holm([row["p"] for row in rows]), strict=True):
        row["p_holm"] = adjusted
    return rows


def _prediction_lines(stages: dict[str, list[Prediction]]) -> Iterator[dict[str, Any]]:
    for stage, rows in stages.items():
        for row in rows:
            yield {"id": row.id, "stage": stage, "label": row.label, "confidence": row.confidence}


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
