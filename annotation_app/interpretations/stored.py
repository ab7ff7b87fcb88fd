"""Read an interpretation's stored lines for its pages: texts beside their references, and instances with their scores.

Files are read line by line, so that a page takes as much memory for a long file as for a short one.
"""

import json
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.core.files.storage import default_storage

from al_worker.formats.interpretation import GENERATIONS, SOURCES, TARGETS, filtered_name, scored_name
from al_worker.formats.text_form import linearize, parse, span_of
from annotation_app.models import Interpretation
from annotation_app.refusals import Invalid, Refused

Line = dict[str, Any]


@dataclass(frozen=True)
class Page:
    """Hold some of the lines that were asked for, and how many there are."""

    total: int
    rows: list[Line]


@dataclass(frozen=True)
class InstanceFilter:
    """Say which instances are asked for; None stands for any."""

    annotation: str | None = None
    evaluation: str | None = None
    positive_class: int | None = None
    negative_class: int | None = None
    mistakes: bool = False

    def takes(self, line: Line) -> bool:
        wanted = (
            ("annotation", self.annotation),
            ("evaluation", self.evaluation),
            ("positive_class", self.positive_class),
            ("negative_class", self.negative_class),
        )
        return all(value is None or line[name] == value for name, value in wanted) and not (
            self.mistakes and is_right(line)
        )


def is_right(line: Line) -> bool:
    """Tell whether the true continuation is likelier; a tie is a mistake."""
    return bool(line["log_p_positive"] > line["log_p_negative"])


def lines_of(row: Interpretation, name: str) -> Iterator[Line]:
    """Yield the objects of a stored JSONL file. Raises Refused where there is none, as before the end."""
    file = row.files.filter(name=name).first()
    if file is None:
        raise Refused("no_results", f"There are no results before the end; this interpretation is {row.state}.")
    with default_storage.open(file.path) as stored:
        for line in stored:
            yield json.loads(line)


def by_id(row: Interpretation, name: str, ids: Collection[str]) -> dict[str, Line]:
    """Return the lines with these ids."""
    return {line["id"]: line for line in lines_of(row, name) if line["id"] in ids}


def page_of(lines: Iterator[Line], takes: Callable[[Line], bool], *, limit: int, offset: int) -> Page:
    """Return a page of the lines that are taken, each with its `number` in the whole file, from 0."""
    total, rows = 0, []
    for number, line in enumerate(lines):
        if takes(line):
            if offset <= total < offset + limit:
                rows.append(line | {"number": number})
            total += 1
    return Page(total, rows)


def system_check(row: Interpretation, name: str) -> None:
    """Raise Invalid for a system that is not there."""
    names = [each["name"] for each in row.spec["systems"]]
    if name not in names:
        raise Invalid({"system": [f"{name!r} is no system of this interpretation: there are {', '.join(names)}."]})


def generations_page(row: Interpretation, system: str, *, limit: int, offset: int) -> Page:
    """Return generated texts of a system, each beside the sentences that it read and its references."""
    system_check(row, system)
    page = page_of(lines_of(row, GENERATIONS), lambda line: line["system"] == system, limit=limit, offset=offset)
    wanted = {line["source"] for line in page.rows}
    sources = by_id(row, SOURCES, wanted)
    kept = by_id(row, filtered_name(system), wanted)
    targets: dict[str, list[Line]] = {name: [] for name in wanted}
    for target in lines_of(row, TARGETS):
        for name in wanted.intersection(target["sources"]):
            targets[name].append(target)
    return Page(page.total, [generation_view(row, line, sources, kept, targets) for line in page.rows])


def generation_view(
    row: Interpretation,
    line: Line,
    sources: Mapping[str, Line],
    kept: Mapping[str, Line],
    targets: Mapping[str, list[Line]],
) -> Line:
    source = sources[line["source"]]
    return {
        "number": line["number"],
        "source": source["id"],
        "source_title": source["title"],
        "n_sentences": len(source["sentences"]),
        "filtered": [source["sentences"][number] for number in kept[source["id"]]["kept"]],
        "references": [reference_view(row, target) for target in targets[source["id"]]],
        "generated": generated_view(line["text"], row.spec["style"]),
    }


def reference_view(row: Interpretation, target: Line) -> Line:
    spans = [span_of(each, target["text"]) for each in target["spans"]]
    linear = linearize(target["text"], spans, row.spec["style"], row.spec["outer"])
    return {"id": target["id"], "linear": linear, "text": target["text"], "spans": spans}


def generated_view(linear: str, style: str) -> Line:
    """Return what a model wrote, with the spans that its markers say and the faults of the markers."""
    parsed = parse(linear, style)
    return {"linear": linear, "text": parsed.text, "spans": parsed.spans, "faults": parsed.faults}


def instances_page(row: Interpretation, system: str, wanted: InstanceFilter, *, limit: int, offset: int) -> Page:
    """Return scored instances of a system in the order of the file, with the sources and items of their targets."""
    system_check(row, system)
    page = page_of(lines_of(row, scored_name(system)), wanted.takes, limit=limit, offset=offset)
    targets = by_id(row, TARGETS, {line["target"] for line in page.rows})
    named = {name for target in targets.values() for name in target["sources"]}
    titles = {name: source["title"] for name, source in by_id(row, SOURCES, named).items()}
    items = row.project.items.filter(external_id__in={target["item"] for target in targets.values()})
    ids = dict(items.values_list("external_id", "uuid"))
    return Page(page.total, [instance_view(line, targets[line["target"]], titles, ids) for line in page.rows])


def instance_view(line: Line, target: Line, titles: Mapping[str, str], ids: Mapping[str, Any]) -> Line:
    [source] = target["sources"]
    return line | {
        "right": is_right(line),
        "source": source,
        "source_title": titles[source],
        # An import that was undone has taken the item away.
        "item": ids.get(target["item"]),
        "item_id": target["item"],
    }
