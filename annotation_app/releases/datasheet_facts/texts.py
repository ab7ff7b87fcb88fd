"""Describe the texts, their preprocessing, and what a record holds of them."""

from collections.abc import Iterator, Mapping, Sequence

from al_worker.formats.plurals import several
from annotation_app.ingest.order import order_notes
from annotation_app.releases.datasheet_facts.facts import DatasheetFacts, Imported
from annotation_app.releases.datasheet_facts.size import nothing_yet, unit
from annotation_app.releases.datasheet_facts.text_parts import bullets, listed, paragraphs
from annotation_app.releases.markdown import code, inline

# Columns that the card names; the others it counts.
MOST_NAMED = 30
AS_IMPORTED = "Texts stand in the files exactly as they were imported, to the character."
NOTHING_IMPORTED = "Nothing is imported yet."
ROWS = {"sentence": "Sentences", "utterance": "Utterances", "document": "Whole texts"}


def units(facts: DatasheetFacts) -> str:
    given = facts.given
    if nothing := nothing_yet(facts):
        return nothing
    what = f"One record is one {unit(facts)}"
    if given.sentences == given.items:
        what += ", cut out of an utterance or text"
    parts = [f"{what}. {size_words(facts)}"]
    if given.with_sources:
        parts.append(
            f"{given.with_sources:,} of {several(given.items, 'item')} are about other texts, their source documents; "
            f"there are {facts.corpus.sources:,} of these."
        )
    return paragraphs(parts)


def size_words(facts: DatasheetFacts) -> str:
    given = facts.given
    if given.shortest == given.longest:
        return f"Each has {several(given.longest or 0, 'character')}."
    return f"Items have {given.shortest:,} to {given.longest:,} characters, the median {given.middle:,}."


def fields(facts: DatasheetFacts) -> str:
    if nothing := nothing_yet(facts):
        return nothing
    parts = [
        "The text of the item, its speaker where there is one, the id and title of its document, and its place there.",
        "Its context: the rest of its utterance, the five sentences before that, and the whole sentences that hold the "
        "200 words before. Places are code points, half-open.",
        "How it came to be labelled: the round, the rank, and the score by which it was chosen.",
    ]
    if facts.has_stages:
        parts.append("For each stage the state, the label, the votes, and the label of each annotator.")
    if facts.has_spans:
        parts.append("Spans: start, end, category, comment, and the source document where one is meant.")
    if facts.columns:
        parts.append(f"Under `meta`, what came with the texts when they were imported: {column_words(facts.columns)}.")
    parts.append(
        "In the raw file, for each annotator and item: the answers, comment or reason for skipping, how far the "
        "context was opened before answering, and the time it took, in milliseconds."
    )
    return bullets(parts)


def column_words(columns: Sequence[str]) -> str:
    more = len(columns) - MOST_NAMED
    named = [code(name) for name in columns[:MOST_NAMED] if code(name)]
    return listed([*named, f"{more:,} more"] if more > 0 else named)


def relations(facts: DatasheetFacts) -> str:
    given = facts.given
    if nothing := nothing_yet(facts):
        return nothing
    parts = [
        "Items of one document carry its id and their place in it: the utterance's number and, where sentences were "
        f"cut, the sentence's. {several(given.items, 'item')} are from {several(given.documents, 'document')} and "
        f"{several(given.utterances, 'utterance')}.",
        "Records of the raw file carry the item's id.",
    ]
    if given.speakers:
        parts.append("Items of one speaker carry the speaker's name as it was imported.")
    if given.with_sources:
        parts.append("Items that are about the same source document name it by one id.")
    return bullets(parts)


def self_contained(facts: DatasheetFacts) -> str:
    if nothing := nothing_yet(facts):
        return nothing
    sources = " Source documents stand with their texts beside the spans." if facts.given.with_sources else ""
    return f"The texts and their context are in the files: none has to be fetched from elsewhere.{sources}"


def identifiable(facts: DatasheetFacts) -> str:
    if nothing := nothing_yet(facts):
        return nothing
    said = [
        speaker_words(facts),
        "Names inside the texts are not counted.",
        "Annotators stand in the files by number, without a name.",
    ]
    if n := sum(each.comments for each in facts.worked):
        carry = "answer carries" if n == 1 else "answers carry"
        said.append(f"{n:,} {carry} a comment in the annotator's own words.")
    return bullets(said)


def speaker_words(facts: DatasheetFacts) -> str:
    """Describe who is named as speaker; speakers in the context may belong to other imported texts."""
    given, everyone = facts.given, facts.corpus.speakers
    if not given.speakers:
        beside = f" The context may: the imported texts name {several(everyone, 'speaker')}." if everyone else ""
        return f"No item names its speaker.{beside}"
    are = "speaker is" if given.speakers == 1 else "speakers are"
    others = everyone - given.speakers
    beside = f" The context may name others: the imported texts have {others:,} more." if others else ""
    return f"{given.speakers:,} {are} named, in {given.with_speaker:,} of {several(given.items, 'item')}.{beside}"


def preprocessing(facts: DatasheetFacts) -> str:
    if not facts.imports:
        return NOTHING_IMPORTED
    parts = [
        AS_IMPORTED,
        *dict.fromkeys(words for imported in facts.imports for words in import_words(imported)),
        *left_out(facts),
    ]
    if facts.rounds and facts.has_stages:
        parts.append("Labels of several annotators were made into one by majority, stage by stage.")
    return bullets(parts)


def import_words(imported: Imported) -> Iterator[str]:
    """Describe how an import's items were cut and filtered."""
    if splitter := imported.report.get("splitter"):
        yield f"Sentences were cut by {splitter_words(splitter)}. Wrong cuts were not mended here."
    if order := imported.report.get("order"):
        yield from order_notes(order)
    if limits := imported.report.get("limits"):
        rows = ROWS.get(str(imported.report.get("rows")), "Texts")
        yield (
            f"{rows} with fewer than {limits['min_tokens']:,} or more than {limits['max_tokens']:,} words "
            f"({imported.report.get('word_rule') or 'white space'}) left the pool; they remain as context."
        )


def splitter_words(splitter: Mapping[str, str]) -> str:
    if "rules" in splitter:
        return (
            f"spaCy's rule-based sentencizer (spaCy {splitter['version']}) and rules for abbreviations, quotation "
            f"marks, blank lines and headings (version {splitter['rules']}, language {code(splitter['language'])})"
        )
    if splitter["name"] in ("blank", "sentencizer"):
        return f"spaCy's rule-based sentencizer (spaCy {splitter['version']})"
    return f"the spaCy pipeline {code(splitter['name'])} {splitter['version']} (spaCy {splitter['spacy']})"


def left_out(facts: DatasheetFacts) -> Iterator[str]:
    corpus = facts.corpus
    if corpus.too_short or corpus.too_long:
        yield (
            f"So the pool is without {several(corpus.too_short, unit(facts))} of texts that are too short and "
            f"{corpus.too_long:,} of texts that are too long; it has {corpus.pool:,}."
        )
    if corpus.by_admin:
        yield f"{several(corpus.by_admin, unit(facts))} left the pool by an admin's decision, each with a reason."


def raw(facts: DatasheetFacts) -> str:
    if not facts.imports:
        return NOTHING_IMPORTED
    return paragraphs(
        [
            f"{AS_IMPORTED} Each annotator's answers stand beside what was made of them. The files that were imported "
            "are no part of a release:",
            bullets(map(file_words, facts.imports)),
        ]
    )


def file_words(imported: Imported) -> str:
    sha256 = imported.report.get("sha256")
    return f"A file of format {inline(imported.format)}" + (f", SHA-256 {code(sha256)}" if sha256 else "")
