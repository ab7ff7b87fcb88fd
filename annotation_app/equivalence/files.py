"""Write the evaluations of a project as their authors' JSON, and read such a file into them."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from uuid import uuid4

from django.db import transaction

from al_worker.equivalence.errors import EquivalenceInvalid
from al_worker.equivalence.evaluations import (
    FORM,
    Evaluation,
    evaluation_of,
    evaluations_text,
    repeated_members,
)
from al_worker.formats.json_files import read_json_bytes
from annotation_app.codebook.texts import shown
from annotation_app.equivalence.categories import Category, categories_of, category_named, names_words
from annotation_app.equivalence.content import ClassContent, Content, content_check
from annotation_app.equivalence.selectors import evaluations_in_use, evaluations_shown, latest_revisions
from annotation_app.equivalence.services import about, evaluation_write, name_key, revision_add
from annotation_app.equivalence.strings import Reader, Strings, strings_read
from annotation_app.models import EquivalenceEvaluation, Project, User, event_write
from annotation_app.projects.writable import writable_lock
from annotation_app.refusals import Invalid

MOST_BYTES = 16 * 1024**2
NOT_IMPORTED = "The evaluations were not imported."


@dataclass(frozen=True)
class FileFault:
    """Hold what is wrong in a file, and where: "[2].equivalence_classes[0][1]"."""

    place: str
    message: str


@dataclass
class FileRead:
    """Hold what an import did or would do; `created`, `changed` and `unchanged` are names of evaluations.

    With a fault nothing is imported.
    """

    created: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    unknown_categories: list[str] = field(default_factory=list)
    faults: list[FileFault] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class _Stored:
    row: EquivalenceEvaluation
    number: int
    content: Content


def evaluations_file(project: Project) -> str:
    """Return the file of the evaluations that have two classes or more, none of them empty, in their order."""
    shown_ones = evaluations_shown(evaluations_in_use(project), categories_of(project), Strings({}))
    return evaluations_text(each.content.evaluation for each in shown_ones if not each.content.unfinished)


@transaction.atomic
def evaluations_import(*, project: Project, actor: User, data: bytes, filename: str, dry_run: bool) -> FileRead:
    """Import a file: an evaluation of a new name is created, one of a known name and category gets a revision.

    A class of a known evaluation stays the class with which it shares most strings, so that reviews stay with it. With
    `dry_run` nothing is written. Raises Invalid with all faults where there are any, and ProjectArchived.
    """
    project = writable_lock(project.pk)
    read = FileRead()
    evaluations = _records(data, read)
    contents = _contents(project, evaluations, read)
    if read.faults and not dry_run:
        raise Invalid({"file": [f"{each.place}: {each.message}" for each in read.faults]}, NOT_IMPORTED)
    _notices(project, contents, read)
    categories = categories_of(project)
    stored = _stored(project, categories)
    for content in contents:
        known = stored.get(name_key(content, categories))
        if known is None:
            read.created.append(content.name)
            if not dry_run:
                evaluation_write(project, actor, content, f"Imported from {filename}", uuid4())
            continue
        after = joined(known.content, content)
        (read.unchanged if after == known.content else read.changed).append(content.name)
        if after != known.content and not dry_run:
            action = f"Imported from {filename}"
            revision_add(known.row, actor, after, action=action, client_id=uuid4(), undo_to=known.number)
            event_write(
                verb="equivalence_changed", **about(known.row, actor), name=after.name, revision=known.row.revision
            )
    return read


def joined(before: Content, given: Content) -> Content:
    """Return what a file gives, with the keys of the classes that it goes on with, and their names if it has none.

    Each class goes on with the one that shares most strings with it; of equal ones with the earlier. Two classes never
    go on with the same one. The category stays as it is written.
    """
    shared = Counter(
        {
            (number, old.key): n
            for number, each in enumerate(given.classes)
            for old in before.classes
            if (n := len(each.says[1] & old.says[1]))
        }
    )
    keys: dict[int, str] = {}
    for (number, key), _ in shared.most_common():
        if number not in keys and key not in keys.values():
            keys[number] = key
    names = {old.key: old.name for old in before.classes}
    has_names = any(each.name for each in given.classes)
    classes = tuple(
        replace(
            each,
            key=keys.get(number, each.key),
            name=each.name if has_names else names.get(keys.get(number, ""), ""),
        )
        for number, each in enumerate(given.classes)
    )
    return replace(given, annotation=before.annotation, classes=classes)


def _records(data: bytes, read: FileRead) -> list[tuple[str, Evaluation]]:
    """Return the evaluations that can be read with their places; the others become faults, each its first one."""
    try:
        value = read_json_bytes(data, "", EquivalenceInvalid)
    except EquivalenceInvalid as error:
        read.faults.append(FileFault(error.place or "the file", error.message))
        return []
    if not isinstance(value, list):
        read.faults.append(FileFault("the file", f"must be a list: {FORM}"))
        return []
    found = []
    for number, record in enumerate(value):
        place = f"[{number}]"
        try:
            found.append((place, evaluation_of(record, "", place)))
        except EquivalenceInvalid as error:
            read.faults.append(FileFault(error.place, error.message))
    return found


def _contents(project: Project, evaluations: Sequence[tuple[str, Evaluation]], read: FileRead) -> list[Content]:
    categories = categories_of(project)
    places: dict[tuple[str, str], str] = {}
    found = []
    for place, each in evaluations:
        content = _content(each)
        before = places.setdefault(name_key(content, categories), place)
        if before != place:
            message = f"“{shown(each.name)}” of {shown(each.annotation)} is {before} too; rename one, or join the two"
            read.faults.append(FileFault(f"{place}.evaluation", message))
        if category_named(each.annotation, categories) is None:
            message = f"“{shown(each.annotation)}” is no category of the codebook; it has {names_words(categories)}"
            read.faults.append(FileFault(f"{place}.annotation", message))
            if each.annotation not in read.unknown_categories:
                read.unknown_categories.append(each.annotation)
        try:
            content_check(content, content)
        except Invalid as error:
            read.faults += [FileFault(f"{place}: {at}", said[0]) for at, said in error.errors.items()]
        found.append(content)
    return found


def _content(evaluation: Evaluation) -> Content:
    names = evaluation.class_names or ("",) * len(evaluation.classes)
    classes = tuple(
        ClassContent(str(uuid4()), name, members) for name, members in zip(names, evaluation.classes, strict=True)
    )
    return Content(evaluation.annotation, evaluation.name, evaluation.part, evaluation.in_depth, classes)


def _notices(project: Project, contents: Sequence[Content], read: FileRead) -> None:
    """Name strings that stand twice in a class, and count those that no settled span has."""
    for member in repeated_members([each.evaluation for each in contents]):
        name = contents[member.evaluation].name
        read.notices.append(
            f"{member.place}: “{shown(member.text)}” of “{name}” stands in its class already; it counts once."
        )
    strings, categories = strings_read(Reader(project)), categories_of(project)
    for each in contents:
        category = category_named(each.annotation, categories)
        if category is None:
            continue
        unused = each.members - strings.of(category.key, each.part).strings.keys()
        if unused:
            some = ", ".join(f"“{shown(text)}”" for text in sorted(unused)[:3])
            more = ", …" if len(unused) > 3 else ""
            read.notices.append(
                f"{len(unused):,} of {len(each.members):,} strings of “{each.name}” occur in no settled span, and are "
                f"only ever negatives: {some}{more}."
            )


def _stored(project: Project, categories: Sequence[Category]) -> dict[tuple[str, str], _Stored]:
    rows = evaluations_in_use(project)
    latest = latest_revisions(rows)
    found = {}
    for row in rows:
        content = Content.read(latest[row.pk].content)
        row.project = project
        found[name_key(content, categories)] = _Stored(row, latest[row.pk].number, content)
    return found
