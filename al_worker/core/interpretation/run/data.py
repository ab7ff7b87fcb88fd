"""Read the sources, targets and evaluations of an interpretation, and check that they go together."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from al_worker.core.interpretation.run.config import InterpretationSettings
from al_worker.core.interpretation.sources import SourceText, read_sources
from al_worker.equivalence.evaluations import Evaluation, Member, read_evaluations, repeated_members, same_category
from al_worker.equivalence.instances import Instance, Tally, make_instances, unused_members, without_spans
from al_worker.equivalence.targets import Target, categories_of, read_targets
from al_worker.formats.interpretation import SPLITS, TEST, TRAIN, VALID
from al_worker.formats.json_files import read_rows_by_id
from al_worker.formats.run_directory import RunDirectoryError
from al_worker.formats.text_form import linearize

WITHOUT_TARGET = "source without a target: nothing says what to learn from it, or to which split it belongs"
WITHOUT_INSTANCE = "evaluation without an instance"
REPEATED = "member that stands in its class already: it counts once"
# How many of those that were left out are shown.
EXAMPLES = 10
UNUSED = "member that occurs in no target: it is only ever a negative"


@dataclass(frozen=True, slots=True)
class Document:
    """Hold a source: its sentences, its split, and the numbers of its targets, from 0, in the order of their file."""

    id: str
    sentences: tuple[str, ...]
    split: str
    targets: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class InterpretationData:
    """Hold what the files say.

    `linear` are the text forms of `targets`, in which the categories `outer` hold a sentence. `sources_of` has the ids
    of each target's sources. Instances are scored with the first of them, which `source_of` has by the target's id.
    `left_out` has, for each reason, how many there are and some of them.
    """

    documents: Mapping[str, Document]
    targets: tuple[Target, ...]
    sources_of: tuple[tuple[str, ...], ...]
    source_of: Mapping[str, str]
    linear: tuple[str, ...]
    outer: tuple[str, ...]
    evaluations: tuple[Evaluation, ...]
    instances: tuple[Instance, ...]
    tallies: tuple[Tally, ...]
    left_out: tuple[dict[str, Any], ...]
    notices: tuple[str, ...]

    def of_split(self, split: str) -> list[Document]:
        return [each for each in self.documents.values() if each.split == split]

    def targets_of(self, document: Document) -> tuple[str, ...]:
        """Return the text forms of a source's targets."""
        return tuple(self.linear[number] for number in document.targets)

    def counts(self) -> dict[str, dict[str, int]]:
        """Return the numbers of sources and of targets in each split."""
        return {
            "sources": {split: len(self.of_split(split)) for split in SPLITS},
            "targets": {split: sum(target.split == split for target in self.targets) for split in SPLITS},
        }


def read_data(settings: InterpretationSettings) -> InterpretationData:
    """Read all files that the configuration names.

    A source takes the split of its targets. Raises RunDirectoryError and EquivalenceInvalid, which name the place: a
    target of an unknown source, a source in two splits, a split without a target, and what the readers refuse.
    """
    data, style = settings.data, settings.text_form.style
    sources = read_sources(_there(settings.file(data.sources)), style, settings.text_form.outer)
    path = settings.file(data.targets)
    read = [replace(each, split=_split(each.split)) for each in read_targets(path, style)]
    sources_of, lines = _links(path, {source.id for source in sources}, data.sources)
    documents = _documents(data.sources, sources, path, read, sources_of, lines)
    _check_splits(path, read)
    holding = {same_category(name) for name in settings.text_form.outer}
    outer = sorted(name for name in categories_of(read) if same_category(name) in holding)
    evaluations = read_evaluations(settings.file(data.evaluations)) if data.evaluations else []
    evaluated = [target for target in read if target.split == settings.instances.split]
    instances, tallies = make_instances(evaluations, evaluated, settings.rules)
    unknown = without_spans(evaluations, read)
    reasons = {
        WITHOUT_TARGET: [f"{data.sources} line {each.line}: {each.id}" for each in sources if each.id not in documents],
        WITHOUT_INSTANCE: list(_without_instance(settings, evaluations, tallies, unknown)),
        REPEATED: [_member(data.evaluations, each) for each in repeated_members(evaluations)],
        UNUSED: [
            _member(data.evaluations, each)
            for each in unused_members(evaluations, read, settings.rules)
            if each.evaluation not in unknown
        ],
    }
    return InterpretationData(
        documents=documents,
        targets=tuple(read),
        sources_of=tuple(sources_of),
        source_of={target.id: ids[0] for target, ids in zip(read, sources_of, strict=True)},
        linear=tuple(linearize(each.text, each.spans, style, outer) for each in read),
        outer=tuple(outer),
        evaluations=tuple(evaluations),
        instances=tuple(instances),
        tallies=tuple(tallies),
        left_out=tuple(
            {"reason": reason, "n": len(found), "examples": found[:EXAMPLES]}
            for reason, found in reasons.items()
            if found
        ),
        notices=tuple(
            f"{data.evaluations}: [{at}].annotation: no target has a span of {evaluations[at].annotation!r}."
            for at in unknown
        ),
    )


def _there(path: Path) -> Path:
    if not path.is_file():
        raise RunDirectoryError(path.name, f"missing in {path.parent}; check the path")
    return path


def _split(name: str) -> str:
    return VALID if name == "validation" else name


def _links(path: Path, known: set[str], file: str) -> tuple[list[tuple[str, ...]], list[int]]:
    """Return the ids of each target's sources, and its line. Raises RunDirectoryError."""
    found, lines = [], []
    for number, name, row in read_rows_by_id(path):
        ids = row.get("sources")
        if not isinstance(ids, list) or not ids or not all(isinstance(each, str) for each in ids):
            message = f'"sources" of {name!r} must be a list of ids of sources, one or more'
            raise RunDirectoryError(path.name, message, line=number)
        for each in ids:
            if each not in known:
                message = f"{name!r} is of the source {each!r}, which {file} does not have; add it, or leave it out"
                raise RunDirectoryError(path.name, message, line=number)
        found.append(tuple(dict.fromkeys(ids)))
        lines.append(number)
    return found, lines


def _documents(
    file: str,
    sources: Sequence[SourceText],
    path: Path,
    targets: Sequence[Target],
    sources_of: Sequence[Sequence[str]],
    lines: Sequence[int],
) -> dict[str, Document]:
    """Return the sources that have a target, in the order of their file. Raises RunDirectoryError."""
    first: dict[str, int] = {}
    numbers: dict[str, list[int]] = {}
    for number, (target, ids) in enumerate(zip(targets, sources_of, strict=True)):
        for each in ids:
            before = first.setdefault(each, number)
            numbers.setdefault(each, []).append(number)
            other = targets[before].split
            if other != target.split:
                message = (
                    f"source {each!r} is in {target.split} here and in {other} on line {lines[before]}; "
                    "all targets of a source belong to one split"
                )
                raise RunDirectoryError(path.name, message, line=lines[number])
    found = {}
    for source in sources:
        if source.sentences is None:
            raise RunDirectoryError(file, '"sentences" is missing; give the source as a list of them', line=source.line)
        if source.id in first:
            split = targets[first[source.id]].split
            found[source.id] = Document(source.id, source.sentences, split, tuple(numbers[source.id]))
    return found


def _check_splits(path: Path, targets: Sequence[Target]) -> None:
    needed = {TRAIN: "to learn from", VALID: "to stop the training by", TEST: "to describe models by"}
    for split, purpose in needed.items():
        if not any(target.split == split for target in targets):
            raise RunDirectoryError(path.name, f'no target has the split "{split}"; one or more is needed {purpose}')


def _without_instance(
    settings: InterpretationSettings,
    evaluations: Sequence[Evaluation],
    tallies: Sequence[Tally],
    unknown: Sequence[int],
) -> Iterator[str]:
    with_one = {(tally.annotation, tally.evaluation) for tally in tallies if tally.instances}
    for at, each in enumerate(evaluations):
        if (each.annotation, each.name) not in with_one:
            why = "no target has its category" if at in unknown else f"no span of {settings.instances.split} serves"
            yield f"{settings.data.evaluations} [{at}]: {each.annotation} | {each.name} ({why})"


def _member(file: str, member: Member) -> str:
    return f"{file} {member.place}: {member.text}"
