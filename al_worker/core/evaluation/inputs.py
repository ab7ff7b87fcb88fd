"""Read the files of an evaluation. Every fault is a RunDirectoryError that names the file and the line."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from al_worker.core.evaluation.config import EvaluationSettings
from al_worker.core.evaluation.predictions import confidence_read
from al_worker.formats.run_directory import RunDirectoryError, read_json, read_rows

# {stage: {annotator: {item: label}}}, as the alternative annotator test takes them.
Answers = Mapping[str, Mapping[str, Mapping[str, str]]]
Rows = Mapping[tuple[str, str], Mapping[str, Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolItem:
    """Hold an item with the values of the prompt's variables.

    One that is not `in_pool` is predicted too, and counts for no share, because chance did not choose it.
    """

    id: str
    text: str
    speaker: str
    context: str
    in_pool: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldItem(PoolItem):
    """Hold an item with its gold label. `is_unanimous` says whether everybody gave it; None where nothing tells."""

    label: str
    is_unanimous: bool | None


@dataclass(frozen=True)
class Inputs:
    """Hold what the files say, by stage; `given` are predictions that are there already, by system.

    `answers` are people's, and `humans` figures of them; both are None where no file is named.
    """

    gold: Mapping[str, list[GoldItem]]
    pool: Mapping[str, list[PoolItem]]
    answers: Answers | None
    given: Mapping[str, Rows]
    humans: Mapping[str, Any] | None


def read_inputs(settings: EvaluationSettings) -> Inputs:
    """Read all files that the configuration names."""
    data = settings.data
    answers = read_answers(settings.file(data.answers)) if data.answers else None
    return Inputs(
        gold=read_gold(settings, answers),
        pool=read_pool(settings),
        answers=answers,
        given=read_given(settings.file(data.predictions)) if data.predictions else {},
        humans=read_json(settings.file(data.humans)) if data.humans else None,
    )


def read_gold(settings: EvaluationSettings, answers: Answers | None) -> dict[str, list[GoldItem]]:
    """Return the gold items of each configured stage: a line is {"id", "stage", "label", "text"}.

    It may have "speaker", "context" and "is_unanimous"; without the last one people's answers tell.
    """
    path = settings.file(settings.data.gold)
    gold: dict[str, list[GoldItem]] = {stage: [] for stage in settings.stages}
    for number, stage, row in _stage_rows(path, settings, "label"):
        label = row["label"]
        if label not in settings.stages[stage].labels:
            raise RunDirectoryError(
                path.name, f"{label!r} is no label of the stage {stage!r}; name one of its labels", line=number
            )
        is_unanimous = row.get("is_unanimous", _unanimous((answers or {}).get(stage, {}), row["id"], label))
        if not isinstance(is_unanimous, bool | None):
            raise RunDirectoryError(path.name, '"is_unanimous" must be true, false or null', line=number)
        gold[stage].append(GoldItem(**_texts(row), label=label, is_unanimous=is_unanimous))
    for stage, items in gold.items():
        if not items:
            raise RunDirectoryError(path.name, f"holds no gold label of the stage {stage!r}")
    return gold


def read_pool(settings: EvaluationSettings) -> dict[str, list[PoolItem]]:
    """Return the unlabelled items of each stage: a line is {"id", "stage", "text"}.

    With "in_pool" false the item is predicted and counts for no share.
    """
    pool: dict[str, list[PoolItem]] = {stage: [] for stage in settings.stages}
    if settings.data.pool:
        for _, stage, row in _stage_rows(settings.file(settings.data.pool), settings):
            pool[stage].append(PoolItem(**_texts(row), in_pool=row.get("in_pool") is not False))
    return pool


def read_answers(path: Path) -> Answers:
    """Return people's answers: a line is {"id", "stage", "annotator", "label"}."""
    found: dict[str, dict[str, dict[str, str]]] = defaultdict(lambda: defaultdict(dict))
    for number, row in read_rows(path):
        _check_texts(path, number, row, ("id", "stage", "annotator", "label"))
        own = found[row["stage"]][row["annotator"]]
        if row["id"] in own:
            message = f"{row['annotator']!r} answers {row['id']!r} twice at {row['stage']!r}"
            raise RunDirectoryError(path.name, message, line=number)
        own[row["id"]] = row["label"]
    return {stage: dict(of_stage) for stage, of_stage in found.items()}


def read_given(path: Path) -> dict[str, dict[tuple[str, str], Mapping[str, Any]]]:
    """Return predictions that are there already: a line is {"id", "stage", "system", "label", "confidence"}."""
    found: dict[str, dict[tuple[str, str], Mapping[str, Any]]] = defaultdict(dict)
    for number, row in read_rows(path):
        _check_texts(path, number, row, ("id", "stage", "system"))
        label = row.setdefault("label", None)
        if not isinstance(label, str | None):
            raise RunDirectoryError(path.name, '"label" must be a text or null', line=number)
        row["confidence"] = confidence_read(path.name, number, row)
        found[row["system"]][row["stage"], row["id"]] = row
    return dict(found)


def _stage_rows(path: Path, settings: EvaluationSettings, *needed: str) -> Iterator[tuple[int, str, dict[str, Any]]]:
    seen: set[tuple[str, str]] = set()
    for number, row in read_rows(path):
        _check_texts(path, number, row, ("id", "stage", "text", *needed))
        key = row["stage"], row["id"]
        if row["stage"] not in settings.stages:
            continue
        if key in seen:
            raise RunDirectoryError(path.name, f"{row['id']!r} stands twice at {row['stage']!r}", line=number)
        seen.add(key)
        yield number, row["stage"], row


def _check_texts(path: Path, number: int, row: Mapping[str, Any], needed: tuple[str, ...]) -> None:
    if not all(isinstance(row.get(key), str) and row[key] for key in needed):
        raise RunDirectoryError(path.name, f"needs {', '.join(needed)}, all of them texts", line=number)
    if not all(isinstance(row.get(key, ""), str) for key in ("speaker", "context")):
        raise RunDirectoryError(path.name, "takes speaker and context, both of them texts", line=number)


def _texts(row: Mapping[str, Any]) -> dict[str, Any]:
    return {key: row.get(key, "") for key in ("id", "text", "speaker", "context")}


def _unanimous(by_annotator: Mapping[str, Mapping[str, str]], item: str, label: str) -> bool | None:
    given = {own[item] for own in by_annotator.values() if item in own}
    n = sum(item in own for own in by_annotator.values())
    return given == {label} if n > 1 else None
