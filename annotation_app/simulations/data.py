"""Prepare a simulation's labelled texts: two uploaded files, or the project's labels with a part held out."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from al_worker.formats.missing import Missing
from al_worker.formats.run_directory import Item, RunDirectoryError, read_items, read_rows, write_items
from al_worker.formats.simulation import TEST, TRAIN
from annotation_app.codebook.definition import codebook_of
from annotation_app.codebook.question_types.label import LabelStage
from annotation_app.ingest.labelled import LabelledRow, bad_words, faults_listed, labelled_rows
from annotation_app.ingest.rows import BadLine, Unreadable
from annotation_app.ingest.source import Source
from annotation_app.models import Item as ItemRow
from annotation_app.models import Project
from annotation_app.projects.services import published_codebook
from annotation_app.refusals import Invalid
from annotation_app.rounds.batches import usable_batches
from annotation_app.rounds.training_set import training_set
from annotation_app.simulations.spec import Errors, Part
from annotation_app.simulations.split import holdout_split

MIN_ITEMS = 50
MIN_PER_LABEL = 10
MAX_LABELS = 50
SHARES = (0.1, 0.5)
NAME_THEM = ""
MAY_BE_MARKS = "If they mean that there is no label, name them as marks for missing: their lines are then left out."


@dataclass(frozen=True)
class StageSource:
    """Choose the project's majority labels of a stage; `share` of them are held out for testing by `random_state`."""

    stage: str
    share: float
    random_state: int


@dataclass(frozen=True)
class Files:
    """train.jsonl and test.jsonl in a folder, with what is to be told of them."""

    folder: Path
    n_train: int
    about: dict[str, Any]
    positive_labels: Sequence[str] = ()
    notices: list[str] = field(default_factory=list)
    missing: frozenset[str] = frozenset()

    def part_faults(self, parts: Sequence[Part]) -> Errors:
        """Say which parts no line of the test file falls into."""
        rows = [row for _, row in read_rows(self.folder / TEST)] if parts else []
        return {
            f"parts[{index}].value": [f'No line of the test file has "{part.field}" = {json.dumps(part.value)}.']
            for index, part in enumerate(parts)
            if not any(is_value(row.get(part.field), part.value) for row in rows)
        }


def is_value(found: object, wanted: str | int | bool) -> bool:
    """Return whether they are equal and of one type: 1 is not true."""
    return type(found) is type(wanted) and found == wanted


def upload_write(path: Path, source: Source) -> None:
    """Write an uploaded file as the JSON Lines that the core reads. A row keeps its line, so that whatever is said of
    it later names its place in the upload.

    Raises Invalid with all bad lines of the file.
    """
    faults: list[str] = []
    try:
        with path.open("w", encoding="utf-8", newline="\n") as out:
            written = 0
            for found in labelled_rows(source):
                if isinstance(found, BadLine):
                    faults.append(bad_words(found))
                    continue
                out.write("\n" * (found.row.line - 1 - written))
                out.write(json.dumps(core_line(found), ensure_ascii=False, allow_nan=False) + "\n")
                written = found.row.line
    except Unreadable as error:
        faults.append(bad_words(error.bad))
    if faults:
        raise Invalid({path.stem: faults_listed(faults)})


def core_line(found: LabelledRow) -> dict[str, Any]:
    """Return the fields of a row under their own names, with all other columns, from which parts are made."""
    row = found.row
    fields = {"document_id": row.document_id, "speaker": row.speaker or None, "position": row.position}
    known = {name: value for name, value in fields.items() if value is not None}
    return found.beside | known | {"id": row.id, "text": row.text, "label": found.label}


def files_check(folder: Path, names: dict[str, str], marks: frozenset[str] = frozenset()) -> Files:
    """Read the uploaded files as the core does, without lines whose label is a mark for missing.

    Raises Invalid with the file, the line and the remedy.
    """
    missing = {name: Missing(marks, NAME_THEM, MAY_BE_MARKS) for name in (TRAIN, TEST)}
    train, test = (_read(folder, name, missing[name]) for name in (TRAIN, TEST))
    both = {item.id for item in train} & {item.id for item in test}
    if both:
        raise Invalid({"test": [f'Item "{min(both)}" stands in both files: take it out of one.']})
    _check_labels(train, test)
    return Files(
        folder,
        len(train),
        {"source": "upload", "files": names, **_counts(train, test)},
        notices=[*_shared_texts(train, test), *(f"{n}: {said}" for n, of in missing.items() for said in of.notices)],
        missing=marks,
    )


def _read(folder: Path, name: str, missing: Missing) -> list[Item]:
    field_name = name.removesuffix(".jsonl")
    try:
        items = read_items(folder / name, need_label=True, missing=missing)
    except RunDirectoryError as error:
        said = str(error).removeprefix(f"{name} ")
        raise Invalid({field_name: [f"{said[:1].upper()}{said[1:]}."]}) from error
    if not items:
        said = " ".join(["There is no item in the file: every row holds id, text and label.", *missing.notices])
        raise Invalid({field_name: [said]})
    return items


def _check_labels(train: Sequence[Item], test: Sequence[Item]) -> None:
    learnt, tested = ({str(item.label) for item in items} for items in (train, test))
    if not 2 <= len(learnt) <= MAX_LABELS:
        raise Invalid({"train": [f"Has {len(learnt)} different labels: 2 to {MAX_LABELS} are needed."]})
    if tested - learnt:
        unknown = min(tested - learnt)
        raise Invalid({"test": [f'Has the label "{unknown}", which no line of the train file has.']})


def _shared_texts(train: Sequence[Item], test: Sequence[Item]) -> list[str]:
    learnt = {item.text for item in train}
    shared = sum(item.text in learnt for item in test)
    if not shared:
        return []
    return [
        f"{shared:,} of {len(test):,} test texts also stand in the train file, word for word: scores are flattered."
    ]


def _counts(train: Sequence[Item], test: Sequence[Item]) -> dict[str, Any]:
    return {
        name: {"n": len(items), "class_counts": dict(sorted(Counter(str(item.label) for item in items).items()))}
        for name, items in (("train", train), ("test", test))
    }


def stage_draw(folder: Path, project: Project, source: StageSource) -> Files:
    """Write the two files from the project's own labels. Raises Invalid with the reason."""
    if not SHARES[0] <= source.share <= SHARES[1]:
        raise Invalid({"source.share": [f"Hold out {SHARES[0]} to {SHARES[1]}."]})
    labelled = next((each for each in stages_labelled(project, source.stage)), None)
    if labelled is None:
        said = f"{source.stage!r} is not a stage of the published codebook that is answered with one label of several."
        raise Invalid({"source.stage": [said]})
    if reasons := stage_reasons(labelled.counts):
        raise Invalid({"source.stage": reasons})
    items = _items(project, labelled.labels)
    train, test = holdout_split(items, share=source.share, random_state=source.random_state)
    write_items(folder / TRAIN, train)
    write_items(folder / TEST, test)
    about = {"source": "stage", "stage": source.stage, "share": source.share, "random_state": source.random_state}
    return Files(folder, len(train), {**about, **_counts(train, test)}, positive_labels=labelled.positive)


@dataclass(frozen=True)
class Labelled:
    """Hold a stage with the usable majority labels of the project's rounds, by item."""

    stage: LabelStage
    labels: dict[str, str]

    @property
    def counts(self) -> dict[str, int]:
        return dict(sorted(Counter(self.labels.values()).items()))

    @property
    def positive(self) -> list[str]:
        return [label for label in self.stage.positive if label in self.counts]


def stages_labelled(project: Project, only: str = "") -> Iterator[Labelled]:
    """Return the published codebook's stages, or one, without labels that the codebook keeps out of learning."""
    codebook = published_codebook(project)
    if codebook is None:
        return
    definition = codebook_of(codebook)
    batches = usable_batches(project, codebook)
    for stage in definition.label_stages:
        if only in ("", stage.key):
            examples = training_set(project=project, stages=[stage.key], codebook=definition, batches=batches)
            yield Labelled(stage, {example.item: example.labels[stage.key] for example in examples})


def _items(project: Project, labels: dict[str, str]) -> list[Item]:
    rows = ItemRow.objects.filter(project=project, external_id__in=labels)
    texts = dict(rows.values_list("external_id", "text"))
    return [Item(name, texts[name], label) for name, label in labels.items()]


def stage_views(project: Project) -> list[dict[str, Any]]:
    """Return each stage of the published codebook with its usable labels, and why they may be too few."""
    return [
        {
            "key": labelled.stage.key,
            "title": labelled.stage.title,
            "n": len(labelled.labels),
            "class_counts": labelled.counts,
            "positive": labelled.positive,
            "reasons": stage_reasons(labelled.counts),
        }
        for labelled in stages_labelled(project)
    ]


def stage_reasons(counts: dict[str, int]) -> list[str]:
    """Return why labels with these counts cannot be simulated on; empty where they can."""
    total = sum(counts.values())
    if total < MIN_ITEMS:
        return [f"{total} items have a usable majority label; {MIN_ITEMS} are needed: label more rounds."]
    if len(counts) < 2:
        return ["All labels are the same, so there is nothing to learn."]
    return [
        f'The label "{label}" has {n} items; {MIN_PER_LABEL} are needed, so that some can be held out.'
        for label, n in counts.items()
        if n < MIN_PER_LABEL
    ]
