"""Read factoid lists and relations from JSON files, and refuse what is wrong in them with its place and its remedy."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from al_worker.factoids.errors import FactoidsInvalid
from al_worker.factoids.lists import RELATIONS, Factoid, FactoidList, natural_key
from al_worker.formats.json_files import read_json_file

LIST_FORM = '{"annotator", "texts": [id], "factoids": [{"id", "description", "sentences": [id]}]}'
RELATION_FORM = '[{"a", "b", "relation"}]'


def read_list(path: Path) -> FactoidList:
    """Read a list from its file, which `factoid_list` describes. Raises FactoidsInvalid."""
    return factoid_list(read_json_file(path, FactoidsInvalid), str(path))


def factoid_list(value: Any, file: str) -> FactoidList:
    """Check a list, {"annotator", "texts": [id], "factoids": [{"id", "description", "sentences": [id]}]}.

    The text of a sentence is what stands before the last hyphen of its id. Where the list has
    "sentences": [{"text", "id"}], that says it, and no other sentence belongs to the set.
    Messages call the list `file`. Raises FactoidsInvalid.
    """
    if not isinstance(value, dict):
        raise FactoidsInvalid(file, "", f"must be an object: {LIST_FORM}")
    annotator = _text(file, value, "annotator", "")
    texts = _ids(file, value.get("texts"), "texts")
    if len(texts) < 2:
        raise FactoidsInvalid(file, "texts", f"a set has two texts or more, not {len(texts)}; name all of them")
    known = frozenset(texts)
    declared = dict(_sentences(file, value["sentences"], known)) if "sentences" in value else None
    text_of: dict[str, str] = declared or {}
    factoids: dict[str, Factoid] = {}
    places: dict[str, str] = {}
    for place, record in _objects(file, value.get("factoids"), "factoids"):
        name = _text(file, record, "id", place)
        if name in factoids:
            raise FactoidsInvalid(file, f"{place}.id", f"{name!r} is the id of {places[name]} too; renumber one")
        description = record.get("description")
        if not isinstance(description, str | None):
            raise FactoidsInvalid(file, f"{place}.description", "must be a text; it may be empty")
        sentences = _ids(file, record.get("sentences"), f"{place}.sentences")
        for at, sentence in enumerate(sentences):
            text_of[sentence] = _text_of(file, f"{place}.sentences[{at}]", sentence, known, declared)
        of_texts = frozenset(text_of[sentence] for sentence in sentences)
        factoids[name] = Factoid(name, description or "", frozenset(sentences), of_texts)
        places[name] = place
    ordered = tuple(factoids[name] for name in sorted(factoids, key=natural_key))
    return FactoidList(file, annotator, tuple(sorted(texts, key=natural_key)), ordered, text_of, declared is not None)


def read_relations(path: Path, first: FactoidList, second: FactoidList) -> dict[tuple[str, str], str]:
    """Read [{"a", "b", "relation"}] as {(a, b): relation}, for factoids of two lists. Raises FactoidsInvalid."""
    file = str(path)
    found: dict[tuple[str, str], str] = {}
    for place, record in _objects(file, read_json_file(path, FactoidsInvalid), "", RELATION_FORM):
        pair = _text(file, record, "a", place), _text(file, record, "b", place)
        for field, name, owner in zip("ab", pair, (first, second), strict=True):
            if name not in owner.by_id:
                message = f"{owner.source} has no factoid {name!r}; correct the id, or leave the relation out"
                raise FactoidsInvalid(file, f"{place}.{field}", message)
        relation = record.get("relation")
        if relation not in RELATIONS:
            message = f"{relation!r} is no relation; it is one of {', '.join(RELATIONS)}"
            raise FactoidsInvalid(file, f"{place}.relation", message)
        if pair in found:
            message = f"{pair[0]!r} and {pair[1]!r} have a relation already ({found[pair]}); leave one of the two"
            raise FactoidsInvalid(file, place, message)
        found[pair] = relation
    return found


def check_same_set(lists: Sequence[FactoidList]) -> None:
    """Raise FactoidsInvalid where the lists are not all about one text set."""
    first = lists[0]
    for other in lists[1:]:
        _same(other, "texts", first.source, other.texts, first.texts, "lists of one set name the same texts")
        for one, two in ((first, other), (other, first)):
            for sentence, text in two.text_of.items():
                if one.text_of.get(sentence, None if one.declares_sentences else text) != text:
                    message = f"{sentence!r} of {text!r} is not so in {one.source}; lists of one set have one division"
                    raise FactoidsInvalid(two.source, "sentences", f"{message} into sentences")


def check_same_factoids(lists: Sequence[FactoidList]) -> None:
    """Raise FactoidsInvalid where the lists do not hold the same factoids: they then annotate different lists."""
    for other in lists[1:]:
        remedy = "annotate one list, or give the relations of two lists with --relations"
        _same(other, "factoids", lists[0].source, tuple(other.by_id), tuple(lists[0].by_id), remedy)


def _same(
    other: FactoidList, place: str, source: str, given: Sequence[str], wanted: Sequence[str], remedy: str
) -> None:
    lacking, more = (sorted(set(a) - set(b), key=natural_key) for a, b in ((wanted, given), (given, wanted)))
    if lacking or more:
        said = " and ".join(
            f"{verb} {', '.join(map(repr, names[:3]))}{' and others' if len(names) > 3 else ''}"
            for verb, names in (("lacks", lacking), ("has", more))
            if names
        )
        raise FactoidsInvalid(other.source, place, f"{said}, unlike {source}; {remedy}")


def _objects(file: str, value: Any, place: str, form: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    if not isinstance(value, list):
        raise FactoidsInvalid(file, place, f"must be a list{form and f': {form}'}")
    for at, record in enumerate(value):
        if not isinstance(record, dict):
            raise FactoidsInvalid(file, f"{place}[{at}]", "must be an object")
        yield f"{place}[{at}]", record


def _text(file: str, record: dict[str, Any], field: str, place: str) -> str:
    value = record.get(field)
    if not isinstance(value, str) or not value:
        where = f"{place}.{field}" if place else field
        raise FactoidsInvalid(file, where, "must be a text that is not empty")
    return value


def _ids(file: str, value: Any, place: str) -> list[str]:
    if not isinstance(value, list):
        raise FactoidsInvalid(file, place, "must be a list of ids; it may be empty")
    before: dict[str, int] = {}
    for at, name in enumerate(value):
        if not isinstance(name, str) or not name:
            raise FactoidsInvalid(file, f"{place}[{at}]", "must be an id: a text that is not empty")
        if before.setdefault(name, at) != at:
            raise FactoidsInvalid(file, f"{place}[{at}]", f"{name!r} is {place}[{before[name]}] too; leave one of them")
    return value


def _sentences(file: str, value: Any, texts: frozenset[str]) -> Iterator[tuple[str, str]]:
    before: dict[str, str] = {}
    for place, record in _objects(file, value, "sentences"):
        name, text = _text(file, record, "id", place), _text(file, record, "text", place)
        if text not in texts:
            raise FactoidsInvalid(
                file, f"{place}.text", f'{text!r} is not in the set; correct it, or add it to "texts"'
            )
        if before.setdefault(name, place) != place:
            raise FactoidsInvalid(file, f"{place}.id", f"{name!r} is the id of {before[name]} too; leave one of them")
        yield name, text


def _text_of(file: str, place: str, sentence: str, texts: frozenset[str], declared: Mapping[str, str] | None) -> str:
    if declared is not None:
        if sentence not in declared:
            message = f'{sentence!r} is not in the set; correct it, or add it to the set\'s own "sentences"'
            raise FactoidsInvalid(file, place, message)
        return declared[sentence]
    text, hyphen, _ = sentence.rpartition("-")
    if not hyphen:
        message = f'{sentence!r} has no hyphen after its text\'s id; name its text in "sentences": [{{"text", "id"}}]'
        raise FactoidsInvalid(file, place, message)
    if text not in texts:
        message = f'{sentence!r} is of the text {text!r}, which is not in the set; correct it, or add it to "texts"'
        raise FactoidsInvalid(file, place, message)
    return text
