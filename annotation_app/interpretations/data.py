"""Read the sources and targets of an interpretation, and write its data files."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from al_worker.equivalence.evaluations import evaluations_text
from al_worker.equivalence.parts import Rules
from al_worker.equivalence.targets import Target
from al_worker.formats.interpretation import EVALUATIONS, SOURCES, SPLITS, TARGETS, TEST, TRAIN, VALID
from annotation_app.cached import Cache
from annotation_app.equivalence.data import EXAMPLES, LeftOut, MarkedSource, MarkedTarget, marked_data, source_sentences
from annotation_app.interpretations.evaluations import Chosen
from annotation_app.interpretations.spec import CURRENT, InterpretationSpec
from annotation_app.models import Project

# The form of markers that models read and write.
STYLE = "spaces"
NEEDED = {TRAIN: "training", VALID: "validation", TEST: "test"}
NO_SOURCE = "No source document is linked to the target"
EMPTY_SOURCE = "The source document of the target is empty"
# The counts of releases, which never change, by project and release.
RELEASED: Cache[tuple[int, str], "Counts"] = Cache(1_000)


@dataclass(frozen=True)
class Counts:
    """Count sources and targets by split. `reason` says why no model can be trained of them; empty where one can."""

    sources: Mapping[str, int]
    targets: Mapping[str, int]
    reason: str


@dataclass(frozen=True)
class Data:
    """Hold the targets that have a source, with these sources by external id.

    `outer` are the markers of the categories that hold target sentences.
    """

    sources: Mapping[str, MarkedSource]
    targets: Sequence[MarkedTarget]
    outer: tuple[str, ...]
    left_out: Sequence[LeftOut]

    @property
    def counts(self) -> Counts:
        split_of = {target.source: target.split for target in self.targets}
        sources = Counter(split_of.values())
        lacking = [words for split, words in NEEDED.items() if not sources[split]]
        targets = Counter(target.split for target in self.targets)
        return Counts(by_split(sources), by_split(targets), reason_of(lacking, len(split_of)))

    @property
    def tested(self) -> list[Target]:
        """Return the targets as equivalence classes are tested on them."""
        return [each.target for each in self.targets]

    def left_out_view(self) -> list[dict[str, Any]]:
        return [asdict(each) | {"examples": list(each.examples)} for each in self.left_out]


def data_of(project: Project, key: str) -> Data:
    """Return the data of "current" or "release:N". Raises Invalid for a release that is not there."""
    marked = marked_data(project, key)
    usable, left_out = [], list(marked.left_out)
    without: dict[str, list[str]] = {NO_SOURCE: [], EMPTY_SOURCE: []}
    for target in marked.targets:
        if target.source is None:
            without[NO_SOURCE].append(target.id)
        elif not marked.sources[target.source].text.strip():
            without[EMPTY_SOURCE].append(target.id)
        else:
            usable.append(target)
    left_out += [LeftOut(reason, len(ids), tuple(ids[:EXAMPLES])) for reason, ids in without.items() if ids]
    named = {target.source for target in usable}
    sources = {name: source for name, source in marked.sources.items() if name in named}
    return Data(sources, usable, marked.outer, left_out)


def by_split(counted: Mapping[str, int]) -> dict[str, int]:
    return {split: counted.get(split, 0) for split in SPLITS}


def reason_of(lacking: Sequence[str], n: int) -> str:
    if not n:
        return "No settled target has a source document: import sources, mark spans and validate them."
    if not lacking:
        return ""
    number = f"{n} source document{'' if n == 1 else 's'}"
    return f"Of {number} with targets none is for {', '.join(lacking)}: the three parts take ten or more."


def counts_by_key(project: Project, key: str) -> Counts:
    """Return the counts of a project's data. Those of a release are read once."""
    if key == CURRENT:
        return data_of(project, key).counts
    at = (project.pk, key)
    return RELEASED.read([at], lambda keys: {at: data_of(project, key).counts})[at]


def rules_of(spec: InterpretationSpec, data: Data) -> Rules:
    return Rules(
        seed=spec.seed,
        source=spec.rules,
        prefix=spec.prefix,
        style=STYLE,
        outer=data.outer,
        replace_positive=spec.replace_positive,
    )


def files_write(folder: Path, data: Data, chosen: Sequence[Chosen]) -> list[Path]:
    """Write sources, targets and evaluations into the folder, line by line, as sources are long."""
    lines_write(folder / SOURCES, source_lines(data))
    lines_write(folder / TARGETS, (target.written() for target in data.targets))
    (folder / EVALUATIONS).write_text(evaluations_text(each.evaluation for each in chosen), "utf-8")
    return [folder / name for name in (SOURCES, TARGETS, EVALUATIONS)]


def source_lines(data: Data) -> Iterator[Mapping[str, Any]]:
    for name, sentences in source_sentences(data.sources.values()):
        yield {"id": name, "title": data.sources[name].title, "sentences": sentences}


def lines_write(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    with path.open("wb") as file:
        for row in rows:
            file.write(json.dumps(row, ensure_ascii=False, allow_nan=False).encode() + b"\n")
