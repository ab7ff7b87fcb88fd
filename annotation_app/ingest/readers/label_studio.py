"""Read a JSON export of Label Studio: an array of tasks, whose labelled ranges of the text become marks.

Older versions count UTF-16 units and later ones code points (HumanSignal/label-studio#1347, #1559); the words of each
range tell which. Other results, such as choices, are kept beside the text.
"""

from collections.abc import Iterator
from typing import Any

from annotation_app.ingest.readers.foreign import Marked, in_code_points, marked_rows
from annotation_app.ingest.readers.json_array import array_objects
from annotation_app.ingest.rows import BadLine, Fault, ImportRow, kind
from annotation_app.ingest.source import Source

RANGE = "labels"


def read_label_studio(source: Source) -> Iterator[ImportRow | BadLine]:
    return marked_rows(source, array_objects(source), task_of)


def task_of(task: dict[str, Any]) -> Marked:
    data = task.get("data")
    if not isinstance(data, dict):
        raise Fault("data", "Missing object: this is no task of Label Studio's JSON export.")
    name = text_field(data)
    results = results_of(task)
    spans, others = [], []
    for place, result in enumerate(results):
        if result.get("type") == RANGE:
            spans += spans_of(result, data[name], f"result[{place}]")
        else:
            others.append(result)
    beside = {key: value for key, value in data.items() if key != name}
    return Marked(task.get("id"), data[name], spans, beside | ({"results": others} if others else {}))


def text_field(data: dict[str, Any]) -> str:
    """Return the name of the text in a task's data: `text`, else the only one that holds words."""
    if isinstance(data.get("text"), str):
        return "text"
    texts = [name for name, value in data.items() if isinstance(value, str)]
    if len(texts) != 1:
        raise Fault("data", f"Holds {len(texts)} texts and none named `text`: name the one that was labelled `text`.")
    return texts[0]


def results_of(task: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the results of the task's one annotation. Raises Fault where several differ and none is ground truth."""
    given = task.get("annotations", task.get("completions", []))
    if not isinstance(given, list) or not all(isinstance(each, dict) for each in given):
        raise Fault("annotations", f"Must be an array of objects, not {kind(given)}.")
    done = [each for each in given if not (each.get("was_cancelled") or each.get("skipped"))]
    chosen = [each for each in done if each.get("ground_truth")] or done
    results = [each.get("result", []) for each in chosen]
    if not all(isinstance(each, list) and all(isinstance(one, dict) for one in each) for each in results):
        raise Fault("annotations", "Each annotation needs an array `result` of objects.")
    said = [sorted(repr((one.get("type"), one.get("value"))) for one in each) for each in results]
    if any(each != said[0] for each in said[1:]):
        message = (
            f"The task has {len(chosen)} annotations that differ: export one annotator's, or mark one ground truth."
        )
        raise Fault("annotations", message)
    return results[0] if results else []


def spans_of(result: dict[str, Any], text: str, path: str) -> list[dict[str, Any]]:
    value = result.get("value")
    labels = value.get("labels") if isinstance(value, dict) else None
    if not isinstance(value, dict) or not isinstance(labels, list) or not all(isinstance(each, str) for each in labels):
        raise Fault(path, "A labelled range needs a value with start, end and an array of labels.")
    start, end = in_code_points(text, value.get("start"), value.get("end"), value.get("text"), path)
    return [{"start": start, "end": end, "category": label} for label in labels]
