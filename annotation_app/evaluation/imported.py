"""Read a file of predictions that were made elsewhere, and name every fault with its line."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, BinaryIO

from al_worker.formats.evaluation import SYSTEM_NAME, SYSTEM_NAME_WORDS
from annotation_app.evaluation.questions import Question
from annotation_app.evaluation.spec import MAX_SYSTEMS
from annotation_app.ingest.labelled import bad_words, fault_words, faults_listed
from annotation_app.ingest.readers.jsonl import Given, line_objects
from annotation_app.ingest.rows import BadLine, Fault, Unreadable, kind, required_id, required_string
from annotation_app.ingest.source import Source
from annotation_app.models import Project
from annotation_app.refusals import Invalid

MAX_BYTES = 50 * 1024**2
FIELDS = ("id", "stage", "label", "confidence", "model", "explanation")
NO_LABEL = "no_label"


@dataclass(frozen=True)
class ImportedPrediction:
    """Hold what a line of the file says. `label` is None where the model gave none, which counts as not compliant."""

    line: int
    model: str
    stage: str
    item_id: int
    label: str | None
    confidence: float | None
    explanation: str


@dataclass
class Reading:
    """Hold what was read so far, to check each line against those before it."""

    questions: Mapping[str, Question]
    items: Mapping[str, int]
    taken: Collection[str]
    predictions: list[ImportedPrediction] = field(default_factory=list)
    lines: dict[tuple[str, str, int], int] = field(default_factory=dict)
    # Whether the labels of a model at a stage have confidences, by the first line that has a label.
    stated: dict[tuple[str, str], tuple[int, bool]] = field(default_factory=dict)

    def take(self, given: Given) -> None:
        """Check a line and keep it. Raises Fault."""
        prediction = self.checked(given)
        key = (prediction.model, prediction.stage, prediction.item_id)
        if (before := self.lines.setdefault(key, given.line)) != given.line:
            raise Fault("id", f"{prediction.model} has predicted this item at {prediction.stage} in line {before}.")
        if prediction.label is not None:
            has_one = prediction.confidence is not None
            first, first_has = self.stated.setdefault(key[:2], (given.line, has_one))
            if has_one != first_has:
                raise Fault(
                    "confidence", f"Give one in each line of {key[0]} at {key[1]} or in none: see line {first}."
                )
        self.predictions.append(prediction)

    def checked(self, given: Given) -> ImportedPrediction:
        fields = given.fields
        if unknown := [name for name in fields if name not in FIELDS]:
            raise Fault(unknown[0][:64], f"Not read here: a line has {', '.join(FIELDS)}.")
        name, stage = required_id(fields, "id"), required_string(fields, "stage")
        if stage not in self.questions:
            raise Fault("stage", f'"{stage[:64]}" is not evaluated: there are {", ".join(self.questions)}.')
        if name not in self.items:
            raise Fault("id", f'The project has no item "{name[:100]}".')
        label = fields["label"] if "label" in fields else required_string(fields, "label")
        labels = self.questions[stage].labels
        if label is not None and label not in labels:
            shown = label[:64] if isinstance(label, str) else kind(label)
            raise Fault(
                "label", f'"{shown}" is no label of {stage}: use {", ".join(labels)}, or null where it gave none.'
            )
        return ImportedPrediction(
            given.line,
            model_of(fields, self.taken),
            stage,
            self.items[name],
            label,
            confidence_of(fields.get("confidence")),
            required_string(fields, "explanation") if "explanation" in fields else "",
        )


def model_of(fields: Mapping[str, Any], taken: Collection[str]) -> str:
    model = required_string(dict(fields), "model")
    if not SYSTEM_NAME.fullmatch(model):
        raise Fault("model", f"Use {SYSTEM_NAME_WORDS}.")
    if model in taken:
        raise Fault("model", f"Another system is called {model}: choose another name.")
    return model


def confidence_of(value: Any) -> float | None:
    if value is None:
        return None
    if type(value) not in (int, float) or not 0 <= value <= 1:
        raise Fault("confidence", "Must be a number from 0 to 1, or left out.")
    return float(value)


def predictions_read(
    *, project: Project, file: BinaryIO, name: str, questions: Mapping[str, Question], taken: Collection[str]
) -> list[ImportedPrediction]:
    """Return the predictions of a JSON Lines file. `taken` are names of other systems.

    Raises Invalid with the first faults by line, and how many more there are.
    """
    reading = Reading(questions, dict(project.items.values_list("external_id", "pk")), taken)
    faults = list(faults_of(reading, Source(name, file=file)))
    models = {prediction.model for prediction in reading.predictions}
    if not faults and not models:
        faults = ["There is no prediction in the file: a line holds id, stage, label and model."]
    if len(models) > MAX_SYSTEMS:
        faults.append(f"Holds {len(models)} models, at most {MAX_SYSTEMS} are taken.")
    if faults:
        raise Invalid({"predictions": faults_listed(faults)})
    return reading.predictions


def faults_of(reading: Reading, source: Source) -> Iterator[str]:
    """Take every line of the file up, and yield what is wrong with those that cannot be."""
    try:
        for given in line_objects(source):
            if isinstance(given, BadLine):
                yield bad_words(given)
                continue
            try:
                reading.take(given)
            except Fault as fault:
                yield fault_words(given.line, fault.field, fault.message)
    except Unreadable as error:
        yield bad_words(error.bad)


def models_in(predictions: Sequence[ImportedPrediction]) -> list[str]:
    """Return the models of the file, in the order of their first lines."""
    return list(dict.fromkeys(prediction.model for prediction in predictions))
