"""Ask a language model about the gold items and the pool. Each answer is on disk before the next one is read."""

import hashlib
import random
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from al_worker.core.evaluation.asking import Answered, Question, ask_all
from al_worker.core.evaluation.config import EvaluationSettings
from al_worker.core.evaluation.inputs import GoldItem, Inputs, PoolItem
from al_worker.core.providers.registry import provider_for
from al_worker.core.run.files import append_row, cut_half_line
from al_worker.core.run.progress import Progress
from al_worker.core.run.stop_signal import Stopped, stop_requested
from al_worker.formats.evaluation import answers_name
from al_worker.formats.prompts import PromptLabel, balanced_examples, example_list, label_list, render, sentence_shown
from al_worker.formats.providers import LanguageModel
from al_worker.formats.run_directory import read_rows

AnswerRows = dict[tuple[str, str], Mapping[str, Any]]
# What failed is asked once more at the end.
PASSES = 2


def language_model_answers(
    settings: EvaluationSettings,
    inputs: Inputs,
    model: LanguageModel,
    folds: Mapping[str, Sequence[int]],
    progress: Progress,
) -> tuple[AnswerRows, int]:
    """Return all answers by stage and item, and how many questions have none because their requests failed.

    Only what is missing is asked, at the stages of `folds`. These hold the fold of each gold item, then of each pool
    item, where prompts show examples. Raises ProviderError, and Stopped after SIGTERM.
    """
    path = settings.results / answers_name(model.name)
    questions = list(_questions(settings, inputs, folds))
    answers = _answers(path, questions, inputs.given.get(model.name, {}))
    asked, started, n_failed = 0, time.monotonic(), 0

    def failed() -> None:
        nonlocal n_failed
        n_failed += 1

    with stop_requested() as stop:
        for _ in range(PASSES):
            missing = [each for each in questions if (each.stage, each.item) not in answers]
            if not missing or stop.is_set():
                break
            arriving = ask_all(
                provider_for(model),
                missing,
                concurrency=model.concurrency,
                requests_per_minute=model.requests_per_minute,
                stop=stop,
                on_failure=failed,
            )
            for answered in arriving:
                answer = _answer_row(answered)
                append_row(path, answer)
                answers[answer["stage"], answer["id"]] = answer
                asked += 1
                seconds_left = (time.monotonic() - started) / asked * (len(questions) - len(answers))
                progress.report(
                    len(answers) / len(questions),
                    f"{len(answers):,} of {len(questions):,} answers",
                    n_failed=n_failed,
                    seconds_left=round(seconds_left, 1),
                )
        if stop.is_set():
            raise Stopped
    return answers, len(questions) - len(answers)


def _questions(settings: EvaluationSettings, inputs: Inputs, folds: Mapping[str, Sequence[int]]) -> Iterator[Question]:
    for stage in folds:
        gold, table = inputs.gold[stage], settings.stages[stage]
        labels = [PromptLabel(label, label) for label in table.labels]
        items: list[PoolItem] = [*gold, *inputs.pool[stage]]
        examples = _examples(settings, gold, folds[stage])
        for at in (*_asked_gold(settings, len(gold)), *range(len(gold), len(items))):
            item = items[at]
            values = {
                "sentence": sentence_shown(table.prompt, item.text, item.speaker),
                "speaker": item.speaker,
                "context": item.context,
                "labels": label_list(labels),
                "definitions": table.definitions,
                "hypothesis": table.hypothesis,
                "examples": example_list(examples[folds[stage][at]] if examples else []),
            }
            yield Question(stage, item.id, render(table.prompt, values), table.labels)


def _asked_gold(settings: EvaluationSettings, n: int) -> Sequence[int]:
    """Return the positions of the gold items that are asked about: all, or as many as the limit, drawn by the seed."""
    limit = settings.run.limit
    return sorted(random.Random(settings.run.seed).sample(range(n), limit)) if 0 < limit < n else range(n)


def _examples(
    settings: EvaluationSettings, items: Sequence[GoldItem], folds: Sequence[int]
) -> dict[int, list[tuple[str, str]]]:
    """Return for each fold the examples of its prompts: seeded, balanced over labels, and from other folds alone."""
    return {
        fold: balanced_examples(
            [(item.id, item.text, item.label) for item, of in zip(items, folds, strict=False) if of != fold],
            settings.run.examples,
            settings.run.seed,
        )
        for fold in set(folds)
    }


def _answers(path: Path, questions: Sequence[Question], given: Mapping[tuple[str, str], Any]) -> AnswerRows:
    """Return the answers that are there to these very prompts. An answer to another prompt is asked for again."""
    rows: AnswerRows = dict(given)
    if path.exists():
        cut_half_line(path)
        rows |= {(row["stage"], row["id"]): row for _, row in read_rows(path)}
    prompts = {(each.stage, each.item): _hash(each.prompt) for each in questions}
    return {key: row for key, row in rows.items() if prompts.get(key) == row.get("prompt_sha256")}


def _answer_row(answered: Answered) -> dict[str, Any]:
    question, reply, answer = answered.question, answered.reply, answered.answer
    return {
        "id": question.item,
        "stage": question.stage,
        "label": answer.label,
        "confidence": answer.confidence,
        "explanation": _storable(answer.explanation),
        "problem": answer.problem,
        "prompt": question.prompt,
        "prompt_sha256": _hash(question.prompt),
        "raw": _storable(reply.text),
        "model": _storable(reply.model),
        "fingerprint": _storable(reply.fingerprint),
        "tokens_in": reply.tokens_in,
        "tokens_out": reply.tokens_out,
        "seconds": round(reply.seconds, 3),
    }


def _storable(text: str) -> str:
    """Return a text without NUL and halves of surrogate pairs, which neither UTF-8 nor the database holds."""
    return text.encode(errors="replace").decode().replace("\x00", "?")


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
