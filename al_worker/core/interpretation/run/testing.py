"""The stages `generate` and `score`: what a trained system generates for test sources, and how it scores instances."""

import time
from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from al_worker.core.backends.locate import locate_model
from al_worker.core.interpretation.metrics import (
    Generated,
    Options,
    generation_metrics,
    with_bertscore,
    with_record,
)
from al_worker.core.interpretation.models.generation import GenerationSettings, generate_some
from al_worker.core.interpretation.models.generator import Generator, generator_from
from al_worker.core.interpretation.models.scoring import ScoreSettings, score
from al_worker.core.interpretation.run.data import Document
from al_worker.core.interpretation.run.filtering import filtered_sentences, filtered_texts
from al_worker.core.interpretation.run.training import MODELS, check_room
from al_worker.core.interpretation.run.work import StageProgress, Work, rows_there, versions
from al_worker.core.run.files import append_row
from al_worker.formats.interpretation import GENERATE, TEST, filtered_name, scored_name
from al_worker.formats.run_directory import read_rows, write_json, write_rows

SCORED_AT_ONCE = 64


def generated_name(system: str) -> str:
    """Return the name of the file with a system's generated texts."""
    return f"generated-{system}.jsonl"


def metrics_name(system: str) -> str:
    """Return the name of the file with the figures of a system's generated texts."""
    return f"metrics-{system}.json"


class Trained:
    """Load the model of a system when it is first asked for, and keep it."""

    def __init__(self, work: Work, name: str) -> None:
        self.work, self.name = work, name
        self.found: Generator | None = None

    @property
    def generator(self) -> Generator:
        if self.found is None:
            self.found = generator_from(self.work.results / MODELS / self.name)
        return self.found

    def inputs(self) -> dict[str, Any]:
        """Return all that the model and what it reads depend on."""
        work = self.work
        return {
            "data": work.data_files(),
            "filtered": work.hash_of(work.results / filtered_name(self.name)),
            "model": work.model_files(work.results / MODELS / self.name),
            "device": work.execution.device_name,
            "versions": versions(),
            "limit": work.settings.training.max_source_tokens,
        }


def test_documents(work: Work) -> list[Document]:
    """Return the test sources for which texts are generated."""
    found = work.data.of_split(TEST)
    return found[: work.settings.generation.limit] if work.settings.generation.limit else found


def generate_stage(work: Work, trained: Trained) -> None:
    """Generate a text for each test source: {"source", "split", "text"} a line."""
    name, inputs = trained.name, trained.inputs() | {"settings": asdict(work.settings.generation)}
    work.stage(
        name, GENERATE, inputs, [generated_name(name)], lambda progress: _generated(work, trained, inputs, progress)
    )
    work.scratch_delete(f"{name}-generate", inputs)


def score_stage(work: Work, trained: Trained) -> None:
    """Score the instances, and compute the figures of the generated texts."""
    name, bertscore = trained.name, work.settings.metrics.bertscore
    inputs = trained.inputs() | {
        "evaluations": work.evaluations_file(),
        "text_form": asdict(work.settings.text_form),
        "instances": asdict(work.settings.instances),
        "metrics": asdict(work.settings.metrics),
        "bertscore": work.model_files(locate_model(work.settings.model(bertscore)).folder) if bertscore else None,
        "generated": work.hash_of(work.results / generated_name(name)),
        "seed": work.settings.run.seed,
    }
    work.stage(
        name,
        "score",
        inputs,
        [scored_name(name), metrics_name(name)],
        lambda progress: _scored(work, trained, inputs, progress),
    )
    work.scratch_delete(f"{name}-score", inputs)


def _generated(work: Work, trained: Trained, inputs: dict[str, Any], progress: StageProgress) -> dict[str, Any]:
    name, table, documents = trained.name, work.settings.generation, test_documents(work)
    read = filtered_texts(work, name)
    settings = GenerationSettings(
        beams=table.beams,
        min_tokens=table.min_tokens,
        max_tokens=table.max_tokens,
        batch_sources=table.batch_size,
        max_source_tokens=work.settings.training.max_source_tokens,
        device=work.settings.run.device,
    )
    scratch = work.scratch(f"{name}-generate", inputs)
    scratch.mkdir(parents=True, exist_ok=True)
    path = scratch / "texts.jsonl"
    rows = rows_there(path)
    known = {row["number"]: row for row in rows}
    progress.steps(len(known), len(documents), f"{len(known):,} of {len(documents):,} texts")
    since = time.monotonic()
    texts = [read[document.id] for document in documents]
    for number, text in generate_some(trained.generator, texts, settings, done=set(known), stop=work.stop):
        row = {"number": number, "text": text, "seconds": round(time.monotonic() - since, 3)}
        append_row(path, row)
        known[number] = row
        progress.steps(len(known), len(documents), f"{len(known):,} of {len(documents):,} texts")
        since = time.monotonic()
    lines = [
        {"source": document.id, "split": document.split, "text": known[number]["text"]}
        for number, document in enumerate(documents)
    ]
    write_rows(work.results / generated_name(name), lines)
    seconds = round(sum(row["seconds"] for row in known.values()), 3)
    return {"n": len(lines), "seconds": seconds, "settings": asdict(settings)}


def _scored(work: Work, trained: Trained, inputs: dict[str, Any], progress: StageProgress) -> dict[str, Any]:
    name, instances = trained.name, work.data.instances
    # The evaluations may have changed since the model was trained.
    check_room(work, name, trained.generator)
    scratch = work.scratch(f"{name}-score", inputs)
    scratch.mkdir(parents=True, exist_ok=True)
    log_p = _log_probabilities(work, trained, scratch / "scores.jsonl", progress)
    lines = [
        {**instance.written(), "log_p_positive": log_p[number][0], "log_p_negative": log_p[number][1]}
        for number, instance in enumerate(instances)
    ]
    facts = _described(work, name, progress)
    write_rows(work.results / scored_name(name), lines)
    return {"instances": len(lines), **facts}


def _log_probabilities(
    work: Work, trained: Trained, path: Path, progress: StageProgress
) -> dict[int, tuple[float, float]]:
    """Score groups of sources with all their instances, and keep what is scored on disk."""
    data, read = work.data, filtered_texts(work, trained.name)
    of_source: dict[str, list[int]] = {}
    for number, instance in enumerate(data.instances):
        of_source.setdefault(data.source_of[instance.target], []).append(number)
    # Groups of sources of like length, which are always the same ones.
    order = sorted(of_source, key=lambda source: (len(read[source]), source))
    groups = [order[at : at + SCORED_AT_ONCE] for at in range(0, len(order), SCORED_AT_ONCE)]
    found = {row["number"]: (row["positive"], row["negative"]) for row in rows_there(path)}
    done = 0
    for group in groups:
        numbers = [number for source in group for number in of_source[source]]
        if not all(number in found for number in numbers):
            scores = score(
                trained.generator,
                [_quad(work, read, number) for number in numbers],
                ScoreSettings(
                    max_source_tokens=work.settings.training.max_source_tokens, device=work.settings.run.device
                ),
                partial(_tell, progress, done, len(order)),
                work.stop,
            ).tolist()
            for number, (positive, negative) in zip(numbers, scores, strict=True):
                append_row(path, {"number": number, "positive": positive, "negative": negative})
                found[number] = (positive, negative)
        done += len(group)
    return found


def _tell(progress: StageProgress, before: int, of: int, done: int, _: int) -> None:
    progress.steps(before + done, of, f"instances of {before + done:,} of {of:,} sources")


def _quad(work: Work, read: dict[str, str], number: int) -> tuple[str, str, str, str]:
    instance = work.data.instances[number]
    return read[work.data.source_of[instance.target]], instance.prefix, instance.positive, instance.negative


def _described(work: Work, name: str, progress: StageProgress) -> dict[str, Any]:
    """Write the figures of the generated texts."""
    progress.report(0.9, "figures of the generated texts")
    form, metrics = work.settings.text_form, work.settings.metrics
    options = Options(style=form.style, outer=work.data.outer, seed=work.settings.run.seed)
    rows = generated_rows(work, name)
    found = generation_metrics(rows, options)
    n_cut = 0
    if metrics.bertscore:
        encoder = work.settings.model(metrics.bertscore)
        n_cut = with_bertscore(found, rows, options, encoder, metrics.bertscore_layer, work.stop)
    write_json(work.results / metrics_name(name), with_record(found, options))
    return {"bertscore_cut": n_cut}


def generated_rows(work: Work, name: str) -> Sequence[Generated]:
    """Return the generated texts of a system with their references and what it read."""
    sentences = filtered_sentences(work, name)
    return [
        Generated(row["source"], row["text"], work.data.targets_of(document), sentences[row["source"]])
        for _, row in read_rows(work.results / generated_name(name))
        for document in [work.data.documents[row["source"]]]
    ]
