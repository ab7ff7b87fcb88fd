"""The stage `filter`: choose the sentences of each source that a system reads."""

from collections.abc import Sequence
from dataclasses import asdict
from statistics import fmean
from typing import Any

from al_worker.core.backends.loading import NO_LIMIT, load_tokenizer, token_limit
from al_worker.core.backends.locate import Source as Files
from al_worker.core.backends.locate import locate_files, locate_model
from al_worker.core.interpretation.filters.base import Source
from al_worker.core.interpretation.filters.filterbert_model import filterbert_from, new_filterbert, sentence_scores
from al_worker.core.interpretation.filters.filterbert_training import FilterEpoch, train_filterbert
from al_worker.core.interpretation.filters.recall import Recall
from al_worker.core.interpretation.filters.registry import FILTERS
from al_worker.core.interpretation.run.data import Document
from al_worker.core.interpretation.run.work import StageProgress, Work, rows_there, versions
from al_worker.core.interpretation.texts import without_markers
from al_worker.core.run.files import append_row, value_hash
from al_worker.core.run.steps import Step, marker_read, step_run
from al_worker.core.run.stop_signal import Stopped
from al_worker.formats.interpretation import TEST, TRAIN, VALID, filtered_name
from al_worker.formats.run_directory import read_rows, write_rows

FILTERBERTS = "filterberts"


def filter_stage(work: Work, name: str) -> None:
    """Write the numbers of the sentences that each source keeps: {"id", "kept", "tokens"} a line."""
    system = work.settings.systems[name]
    files = locate_files(work.settings.model(system.model))
    chosen = FILTERS[system.filter]
    inputs = {
        "data": work.data_files(),
        "style": work.settings.text_form.style,
        "filter": system.filter,
        "budget": system.budget,
        "figures": TEST,
        "tokenizer": work.model_files(files.folder),
        "filterbert": _filterbert_inputs(work, name) if chosen.needs_scores else None,
        "limit": work.settings.training.max_source_tokens,
    }
    work.stage(
        name, "filter", inputs, [filtered_name(name)], lambda progress: _filtered(work, name, files, inputs, progress)
    )
    work.scratch_delete(f"{name}-filter", inputs)


def filtered_texts(work: Work, name: str) -> dict[str, str]:
    """Return what a system reads of each source, as one text."""
    documents = work.data.documents
    return {
        row["id"]: " ".join(documents[row["id"]].sentences[number] for number in row["kept"])
        for _, row in read_rows(work.results / filtered_name(name))
    }


def filtered_sentences(work: Work, name: str) -> dict[str, tuple[str, ...]]:
    """Return the sentences that a system reads of each source."""
    documents = work.data.documents
    return {
        row["id"]: tuple(documents[row["id"]].sentences[number] for number in row["kept"])
        for _, row in read_rows(work.results / filtered_name(name))
    }


def plain_targets(work: Work, document: Document) -> tuple[str, ...]:
    """Return the targets of a source without markers."""
    return tuple(without_markers(each, work.settings.text_form.style) for each in work.data.targets_of(document))


def _filtered(work: Work, name: str, files: Files, inputs: dict[str, Any], progress: StageProgress) -> dict[str, Any]:
    system, documents = work.settings.systems[name], list(work.data.documents.values())
    chosen, tokenizer = FILTERS[system.filter], load_tokenizer(files)
    scores: Sequence[tuple[float, ...]] = [()] * len(documents)
    trained = None
    if chosen.needs_scores:
        trained, scores = _filterbert_scores(work, name, documents, progress)
    limit = work.settings.training.max_source_tokens or token_limit(files, tokenizer, NO_LIMIT)
    # What is filtered is kept on disk, since an oracle looks long at long sources.
    path = work.scratch(f"{name}-filter", inputs) / "filtered.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = rows_there(path)
    for at in range(len(rows), len(documents)):
        if work.stop():
            raise Stopped
        rows.append(_kept(work, name, documents[at], scores[at], tokenizer, limit))
        append_row(path, rows[-1])
        progress.steps(at + 1, len(documents), f"{at + 1:,} of {len(documents):,} sources")
    write_rows(
        work.results / filtered_name(name), ({key: row[key] for key in ("id", "kept", "tokens")} for row in rows)
    )
    # Training sources would hide how well a filter does on sources that it has not learned from.
    tested = [row for row, document in zip(rows, documents, strict=True) if document.split == TEST]
    recalls = [row["recall"] for row in tested if row["recall"] is not None]
    return {
        "sources": len(rows),
        "sentences_mean": fmean(len(row["kept"]) for row in tested),
        "tokens_mean": fmean(row["tokens"] for row in tested),
        "rouge2_recall": fmean(recalls) if recalls else None,
        "empty": sum(row["empty"] for row in rows),
        "too_long": sum(row["tokens"] > system.budget for row in rows),
        "cut": sum(row["cut"] for row in rows),
        "limit": limit,
        "filterbert": trained,
    }


def _kept(
    work: Work, name: str, document: Document, scores: tuple[float, ...], tokenizer: Any, limit: int
) -> dict[str, Any]:
    """Return what the filter keeps of a source, and for a test source the recall, None without a bigram."""
    system = work.settings.systems[name]
    lengths = tuple(len(ids) for ids in tokenizer(list(document.sentences))["input_ids"])
    source = Source(document.sentences, lengths, plain_targets(work, document), scores)
    kept = FILTERS[system.filter].keep(source, system.budget)
    is_empty = not kept
    # A model reads something of every source. So does the oracle where nothing fits.
    kept = kept or [0]
    joined = " ".join(document.sentences[number] for number in kept)
    recall = None
    if document.split == TEST:
        counted = Recall(source)
        total = sum(counted.reference.values())
        recall = counted.shared(kept) / total if total else None
    return {
        "id": document.id,
        "kept": kept,
        "tokens": sum(lengths[number] for number in kept),
        "empty": is_empty,
        "cut": len(tokenizer(joined)["input_ids"]) > limit,
        "recall": recall,
    }


def _filterbert_inputs(work: Work, name: str) -> dict[str, Any]:
    system = work.settings.systems[name]
    return {
        "data": work.data_files(),
        "style": work.settings.text_form.style,
        "model": work.model_files(locate_model(work.settings.model(system.filter_model)).folder),
        "settings": asdict(work.settings.filterbert),
        "seed": work.settings.run.seed,
        "device": work.execution.device_name,
        "versions": versions(),
    }


def _filterbert_scores(
    work: Work, name: str, documents: Sequence[Document], progress: StageProgress
) -> tuple[dict[str, Any], list[tuple[float, ...]]]:
    """Train FilterBERT, unless another system has trained the same one, and let it score all sentences."""
    inputs = _filterbert_inputs(work, name)
    key = f"filterbert-{value_hash(inputs)[:16]}"
    folder = work.results / FILTERBERTS / key
    step = Step(
        name=key,
        inputs=inputs,
        outputs=[f"{FILTERBERTS}/{key}"],
        work=lambda run, _: _trained(work, name, inputs, key, progress),
    )
    step_run(work.results, step, progress)
    work.scratch_delete(key, inputs)
    marker = marker_read(work.results, key)
    assert marker is not None, "the step is done"
    scores = sentence_scores(
        filterbert_from(folder),
        [document.sentences for document in documents],
        work.execution,
        lambda done, n: progress.steps(done, n, f"FilterBERT reads, {done:,} of {n:,} pieces"),
        work.stop,
    )
    return marker["facts"], scores


def _trained(work: Work, name: str, inputs: dict[str, Any], key: str, progress: StageProgress) -> dict[str, Any]:
    settings, system = work.settings.filterbert, work.settings.systems[name]
    model = new_filterbert(work.settings.model(system.filter_model), settings, work.settings.run.seed)
    train, valid = (
        [(document.sentences, plain_targets(work, document)) for document in work.data.of_split(split)]
        for split in (TRAIN, VALID)
    )

    def report(epoch: FilterEpoch) -> None:
        progress.report(0.0, f"FilterBERT, epoch {epoch.epoch} of {settings.max_epochs}: F1 {epoch.f1:.3f}")

    scratch = work.scratch(key, inputs)
    found = train_filterbert(
        model,
        train,
        valid,
        settings,
        work.settings.run.seed,
        work.execution,
        scratch,
        report,
        work.stop,
        lambda done, steps: progress.steps(done, steps, f"FilterBERT learns, step {done:,} of {steps:,} at most"),
    )
    model.save(work.results / FILTERBERTS / key)
    return {**asdict(found), "model": model.facts, "folder": f"{FILTERBERTS}/{key}"}
