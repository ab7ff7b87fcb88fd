"""An evaluation's rows -> the core's configuration and data files, in a scratch folder that a restart finds again."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from django.conf import settings

from al_worker.bridge.simulation_directory import model_source, tables_under
from al_worker.formats.evaluation import GIVEN, GOLD, HUMANS, MAJORITY, PEOPLE, POOL, RESULTS, VOTES
from al_worker.formats.run_directory import write_atomic, write_json, write_rows
from al_worker.formats.toml_text import toml_dumps
from annotation_app.dashboards.report.humans import humans_figures
from annotation_app.evaluation.people import people_answers
from annotation_app.evaluation.prompts import ItemTexts, texts_of
from annotation_app.models import Evaluation, Item, Prediction
from annotation_app.models.evaluations import SERVER_NAME

CONFIG = "evaluation.toml"
# What a line may tell of an answer, and how many characters of it a row holds: None stands for all.
TOLD = {"explanation": None, "prompt": None, "raw": None, "model": SERVER_NAME, "fingerprint": SERVER_NAME}
NOT_RANDOM = {
    False: "A model chose some of the items with gold labels: only batches drawn at random are a random sample.",
    None: "The gold labels' source does not tell whether its items are a random sample.",
}


def directory_of(row: Evaluation) -> Path:
    return Path(settings.RUNS_DIR) / "evaluations" / str(row.uuid)


def results_of(row: Evaluation) -> Path:
    return directory_of(row) / RESULTS


def config_build(row: Evaluation) -> Path:
    """Write the gold labels and the pool once, and what may have changed at every start; return the configuration.

    Predictions that are there already go into the file of given predictions, so that the core never asks again.
    """
    folder = directory_of(row)
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / POOL).is_file():
        write_rows(folder / GOLD, gold_lines(row))
        write_rows(folder / POOL, pool_lines(row))
    write_rows(folder / VOTES, answer_lines(row))
    write_json(folder / HUMANS, humans_figures(row.project) if PEOPLE in row.spec["systems"] else {})
    write_rows(folder / GIVEN, given_lines(row))
    write_atomic(folder / CONFIG, config_text(row).encode())
    return folder / CONFIG


def config_text(row: Evaluation) -> str:
    """Return the configuration that docs/methods/evaluation.md describes. Raises ModelNotOffered."""
    spec = row.spec
    is_random = spec["is_random_sample"]
    note = {} if is_random else {"sample_note": NOT_RANDOM[is_random]}
    files = {"gold": GOLD, "answers": VOTES, "pool": POOL, "predictions": GIVEN, "humans": HUMANS}
    systems = [name for name in spec["systems"] if name != PEOPLE]
    trained = {name: model_source(name) for name in systems if spec["kinds"][name] == "trained"}
    tables: dict[str, Any] = {
        "data": {**files, "results": RESULTS, "is_random_sample": bool(is_random), **note},
        "run": {
            "systems": systems,
            # The operator's path is relative to the servers' folder, and one in the configuration to its own.
            "models": str(Path(settings.LANGUAGE_MODELS).absolute()) if spec["language_models"] else "",
            **{name: spec[name] for name in ("folds", "examples", "seed", "epsilon")},
            "limit": spec["limit"] or 0,
        },
        "trained": trained,
        "titles": spec["titles"],
    }
    # The database does not keep the order of `questions`.
    stages = {
        key: {
            "labels": question["labels"],
            "prompt": question["prompt"]["template"],
            "definitions": question["definitions"],
            "hypothesis": question["hypothesis"],
            "has_gate": question["has_gate"],
        }
        for key in spec["stages"]
        for question in (spec["questions"][key],)
    }
    return "\n".join([toml_dumps(tables), tables_under("stages", stages)])


def answer_lines(row: Evaluation) -> Iterator[dict[str, str]]:
    for given in people_answers(row):
        yield {"id": given.item, "stage": given.stage, "annotator": str(given.annotator), "label": given.label}


def gold_lines(row: Evaluation) -> Iterator[dict[str, Any]]:
    rows = list(row.gold.order_by("pk").values_list("item_id", "stage", "label", "is_unanimous"))
    texts = texts_by_item([item for item, *_ in rows])
    for item, stage, label, is_unanimous in rows:
        yield {**text_fields(texts[item]), "stage": stage, "label": label, "is_unanimous": is_unanimous}


def pool_lines(row: Evaluation) -> Iterator[dict[str, Any]]:
    """Yield the items without a gold label that systems predict too: of the pool, and of the chosen batch."""
    drawn = set(row.spec["pool_items"])
    names = {*drawn, *row.spec["batch_items"]}
    items = row.project.items.filter(external_id__in=names).order_by("pk").values_list("pk", flat=True)
    texts = texts_by_item(list(items))
    labelled = set(row.gold.values_list("stage", "item_id"))
    for stage in row.spec["stages"]:
        for item, text in texts.items():
            in_pool = text.external_id in drawn
            # A gated stage has no share in the pool, so that nothing is asked for one.
            if (stage, item) not in labelled and not (in_pool and row.spec["questions"][stage]["has_gate"]):
                yield {**text_fields(text), "stage": stage, "in_pool": in_pool}


def texts_by_item(items: Sequence[int]) -> Mapping[int, ItemTexts]:
    return {text.item_id: text for text in texts_of(sorted(set(items)))}


def text_fields(text: ItemTexts) -> dict[str, str]:
    return {"id": text.external_id, "text": text.text, "speaker": text.speaker, "context": text.context}


def given_lines(row: Evaluation) -> Iterator[dict[str, Any]]:
    """Yield the predictions that no one has to make again: imported ones, and a language model's answers."""
    computed = [name for name, kind in row.spec["kinds"].items() if kind in (MAJORITY, "trained")]
    rows = row.predictions.exclude(system__in=computed).select_related("item").order_by("pk")
    for each in rows.iterator(chunk_size=2_000):
        line = {
            "id": each.item.external_id,
            "stage": each.stage,
            "system": each.system,
            "label": each.label,
            "confidence": each.confidence,
            "problem": each.problem,
            "model": each.model,
            "fingerprint": each.fingerprint,
            "tokens_in": each.tokens_in,
            "tokens_out": each.tokens_out,
        }
        if each.prompt:
            line["prompt_sha256"] = hashlib.sha256(each.prompt.encode()).hexdigest()
        yield line


def prediction_of(row: Evaluation, system: str, line: Mapping[str, Any], item: int) -> Prediction:
    """Return the row of a prediction that the core wrote. Longer names of a server's are cut, so that it is stored."""
    told = {key: line[key][:most] for key, most in TOLD.items() if line.get(key)}
    numbers = {key: line.get(key) for key in ("tokens_in", "tokens_out", "seconds")}
    return Prediction(
        evaluation=row,
        system=system,
        item_id=item,
        stage=line["stage"],
        label=line["label"],
        confidence=line["confidence"],
        problem=line.get("problem") or "",
        **told,
        **numbers,
    )


def answers_whole(row: Evaluation) -> Iterator[dict[str, Any]]:
    """Yield every answer of the language models with its prompt, its raw text, its tokens and its time."""
    fields = (
        *("system", "stage", "label", "confidence", "problem", "explanation", "prompt", "raw", "model"),
        *("fingerprint", "tokens_in", "tokens_out", "seconds"),
    )
    rows = row.predictions.filter(system__in=row.spec["language_models"]).select_related("item")
    for each in rows.order_by("pk").iterator(chunk_size=2_000):
        yield {
            "id": each.item.external_id,
            **{name: getattr(each, name) for name in fields},
            "prompt_sha256": hashlib.sha256(each.prompt.encode()).hexdigest(),
            "answered_at": each.created_at.isoformat(),
        }


def item_ids(row: Evaluation) -> dict[str, int]:
    """Return the ids of all items that the evaluation may predict, by their external ids."""
    names = {*row.spec["pool_items"], *row.spec["batch_items"]}
    labelled = row.gold.values("item_id")
    rows = [
        *Item.objects.filter(pk__in=labelled).values_list("external_id", "pk"),
        *row.project.items.filter(external_id__in=names).values_list("external_id", "pk"),
    ]
    return dict(rows)
