"""What the texts are, what was done to them, and what a record holds of them."""

from collections.abc import Iterator

from annotation_app.releases.computed.facts import Imported, SheetFacts
from annotation_app.releases.computed.size import nothing_yet, unit
from annotation_app.releases.computed.words import bullets, paragraphs, several
from annotation_app.releases.markdown import code, inline

AS_IMPORTED = "Texts stand in the files exactly as they were imported, to the character."
ROWS = {"sentence": "sentences", "utterance": "utterances", "document": "whole texts"}


def units(facts: SheetFacts) -> str | None:
    given = facts.given
    if nothing_yet(facts):
        return None
    what = f"One record is one {unit(facts)}"
    if given.sentences == given.items:
        what += ", cut out of an utterance or text"
    parts = [f"{what}, from {several(given.documents, 'document')}. {size_words(facts)}"]
    if given.with_sources:
        parts.append(
            f"{given.with_sources:,} of {given.items:,} items are about other texts, their source documents, of which the "
            f"project has {facts.corpus.sources:,}."
        )
    return paragraphs(parts)


def size_words(facts: SheetFacts) -> str:
    given = facts.given
    return (
        f"The texts have {given.shortest:,} to {several(given.longest or 0, 'character')}, the median {given.middle:,}."
    )


def fields(facts: SheetFacts) -> str | None:
    if nothing_yet(facts):
        return None
    parts = [
        "The text of the item, its speaker where there is one, the id and title of its document, its place there, and its "
        "context: the rest of its utterance, the five sentences before the utterance, and the whole sentences that make up "
        "the 200 words before it. Places are code points, half-open.",
        "How it came to be labelled: the round, the rank and the score by which it was chosen.",
    ]
    if facts.has_stages:
        parts.append("For each stage the state, the label, the votes, and the label of each annotator.")
    if facts.has_spans:
        parts.append("Spans: start, end, category, comment, and the source document where one is meant.")
    parts.append(
        "In the raw file, for each annotator and item: the answers, comment or reason for skipping, how far the context was "
        "opened before answering, and the time it took, in milliseconds."
    )
    return bullets(parts)


def relations(facts: SheetFacts) -> str | None:
    given = facts.given
    if nothing_yet(facts):
        return None
    parts = [
        "Items of one document carry its id, and their place in it: the utterance's number and, where sentences were cut, "
        f"the sentence's. {several(given.items, 'item').capitalize()} come from {several(given.documents, 'document')} and "
        f"{several(given.utterances, 'utterance')}.",
        "Records of the raw file carry the item's id.",
    ]
    if given.speakers:
        parts.append("Items of one speaker carry the speaker's name as it was imported.")
    if given.with_sources:
        parts.append("Items that are about the same source document name it by one id.")
    return bullets(parts)


def self_contained(facts: SheetFacts) -> str | None:
    if nothing_yet(facts):
        return None
    sources = " Source documents stand with their texts beside the spans." if facts.given.with_sources else ""
    return f"The texts and their context are in the files: none has to be fetched from elsewhere.{sources}"


def identifiable(facts: SheetFacts) -> str | None:
    given = facts.given
    if nothing_yet(facts):
        return None
    said = [
        f"{several(given.speakers, 'speaker')} {'is' if given.speakers == 1 else 'are'} named, in {given.with_speaker:,} of "
        f"{several(given.items, 'item')}. The turns in the context may name others."
        if given.speakers
        else "No item names its speaker. The turns in the context may name some."
        if facts.corpus.utterances > given.utterances
        else "No item names its speaker.",
        "Nobody looked for names inside the texts here.",
        "Annotators stand in the files by number, without a name.",
    ]
    if n := sum(each.comments for each in facts.worked):
        said.append(
            f"{several(n, 'answer')} {'carries' if n == 1 else 'carry'} a comment in the annotator's own words."
        )
    return bullets(said)


def preprocessing(facts: SheetFacts) -> str:
    if not facts.imports:
        return "Nothing is imported yet."
    parts = [
        AS_IMPORTED,
        *dict.fromkeys(words for imported in facts.imports for words in import_words(imported)),
        *left_out(facts),
    ]
    if facts.rounds and facts.has_stages:
        parts.append("Labels of several annotators were made into one by majority, stage by stage.")
    return bullets(parts)


def import_words(imported: Imported) -> Iterator[str]:
    """How its items were cut and filtered."""
    rows, limits = imported.report.get("rows"), imported.report.get("limits")
    if splitter := imported.report.get("splitter"):
        name = (
            "spaCy's rule-based sentencizer"
            if splitter["name"] == "blank"
            else f"the spaCy pipeline {code(splitter['name'])}"
        )
        version = (
            f"version {splitter['version']}"
            if splitter["name"] == "blank"
            else f"version {splitter['version']}, spaCy {splitter['spacy']}"
        )
        yield f"Sentences were cut by {name} ({version}). Wrong cuts were not mended here."
    if limits:
        low, high = limits["min_tokens"], limits["max_tokens"]
        yield (
            f"{ROWS.get(rows, 'texts').capitalize()} with fewer than {low:,} or more than {high:,} words (between white space) "
            "left the pool; they remain as context."
        )


def left_out(facts: SheetFacts) -> Iterator[str]:
    corpus = facts.corpus
    if corpus.too_short or corpus.too_long:
        yield (
            f"The filters left out {several(corpus.too_short, unit(facts))} of texts that are too short and "
            f"{corpus.too_long:,} of texts that are too long; {corpus.pool:,} are in the pool."
        )


def raw(facts: SheetFacts) -> str:
    if not facts.imports:
        return "Nothing is imported yet."
    files = [
        f"{inline(each.filename)} ({inline(each.format)})"
        + (f", SHA-256 {code(each.report['sha256'])}" if each.report.get("sha256") else "")
        for each in facts.imports
    ]
    return paragraphs(
        [
            f"{AS_IMPORTED} Each annotator's answers stand beside what was made of them. The imported files themselves are "
            f"no part of a release. {'It was' if len(files) == 1 else 'They were'}:",
            bullets(files),
        ]
    )
