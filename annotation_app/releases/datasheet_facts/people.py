"""Describe who labelled, when, for how long, and with what guidelines."""

from collections.abc import Iterator

from al_worker.formats.plurals import several
from annotation_app.dashboards.report.minutes import rounded_words
from annotation_app.models import Capability, Role, roles_with
from annotation_app.releases.datasheet_facts.facts import AnnotatorWork, DatasheetFacts, Version
from annotation_app.releases.datasheet_facts.size import nothing_yet, slots_words
from annotation_app.releases.datasheet_facts.text_parts import bullets, day, listed, numbers, paragraphs
from annotation_app.releases.folder import NOTES
from annotation_app.releases.markdown import code, inline, quoted

NO_ANSWER = "No answer is given yet."
# Guidelines that are longer are cut where a paragraph ends: the whole stands in the codebook.
GUIDELINES_LENGTH = 6_000


def workers(facts: DatasheetFacts) -> str:
    if not facts.first_look:
        return nothing_yet(facts) or NO_ANSWER
    number = several(len(facts.first_look), "annotator")
    lines = [worked_words(each) for each in facts.first_look]
    return paragraphs([f"{number} labelled:", bullets([*lines, *beside(facts)])])


def worked_words(each: AnnotatorWork) -> str:
    skipped = f", {each.skipped:,} of them skipped" if each.skipped else ""
    return (
        f"Annotator {each.number}: {several(each.answers, 'answer')}{skipped}, in {minutes(each.wall_ms)} minutes "
        f"({minutes(each.active_ms)} of them active)."
    )


def minutes(milliseconds: int) -> str:
    return rounded_words(milliseconds / 60_000)


def beside(facts: DatasheetFacts) -> Iterator[str]:
    if facts.second_look:
        named = listed([str(each.number) for each in facts.second_look])
        spent = minutes(sum(each.wall_ms for each in facts.second_look))
        yield f"Second look: annotators {named}, in {spent} minutes together."
    if "adjudication" in facts.decisions:
        items, people = facts.decisions["adjudication"]
        yield f"{several(people, 'person', 'people').capitalize()} adjudicated {several(items, 'item')}."
    validated = [facts.decisions[kind] for kind in ("accepted", "edited", "rejected") if kind in facts.decisions]
    if validated:
        yield f"The spans of {several(sum(items for items, _ in validated), 'item')} were validated by senior people."


def timeframe(facts: DatasheetFacts) -> str:
    days = sorted({each for worked in facts.worked for each in worked.days})
    if not days:
        return nothing_yet(facts) or NO_ANSWER
    zone = inline(facts.project.time_zone)
    if len(days) == 1:
        said = f"Everything was labelled on {day(days[0])} ({zone})."
    else:
        said = f"The labels were given from {day(days[0])} to {day(days[-1])}, on {several(len(days), 'day')} ({zone})."
    return paragraphs([said, dated(facts)])


def dated(facts: DatasheetFacts) -> str:
    given = facts.given
    if not given.dated:
        return ""
    when = f"from {given.first_day} to {given.last_day}" if given.first_day != given.last_day else f"{given.first_day}"
    return f"{given.dated:,} of {several(given.documents, 'document')} carry a date: {when}."


def acquisition(facts: DatasheetFacts) -> str:
    if nothing_yet(facts):
        return nothing_yet(facts)
    said = [
        f"Labels are given by people: each item to {slots_words(facts)}, who answer independently. They see neither "
        "each other's answers nor a model's predictions.",
        *insiders(facts),
        "Each annotator has the items of a batch in an order of their own. Answers can be revised until the next round "
        "begins; the last one counts.",
    ]
    if facts.second_look:
        said.append(
            "After a batch was closed, annotators took a second look at their own items on which labels differed, told "
            "where but not how. The aggregated labels are of the independent answers."
        )
    if facts.given.with_marks:
        said.append(f"{several(facts.given.with_marks, 'item')} came with spans, from which annotators could start.")
    return bullets(said)


def insiders(facts: DatasheetFacts) -> Iterator[str]:
    """Name annotators who run the project or decide its disagreements: they are less blind than the others."""
    who_see = {*roles_with(Capability.MANAGE), *roles_with(Capability.RESOLVE)}
    found = [each.number for each in facts.first_look if each.role in who_see]
    if found:
        who = f"Annotator {found[0]} is" if len(found) == 1 else f"Annotators {numbers(found)} are"
        roles = " or ".join(role for role in Role if role in who_see)
        yield f"{who} also {roles} of the project, who may see others' answers once they are in."


def mechanisms(facts: DatasheetFacts) -> str:
    newest = next((each for each in reversed(facts.versions)), None)
    if newest is None:
        return "No codebook is published yet."
    used = next((each for each in reversed(facts.versions) if each.is_used), newest)
    task = " and ".join(
        ["answer its questions"] * bool(used.codebook.stages) + ["mark spans"] * bool(used.codebook.span_layer)
    )
    context = "They can open its context step by step: its utterance, five sentences before, 200 words before."
    return paragraphs(
        [
            f"Annotators read each item in a browser, in the annotation platform Quorum, and {task} by the codebook "
            f"{inline(used.codebook.name)} (version {used.version}). {context if used.codebook.stages else ''}".strip(),
            guidelines(used),
            *notes_words(facts.notes),
        ]
    )


def notes_words(n: int) -> list[str]:
    """Say where the notes are that admins published to everybody, where there are any."""
    if n == 0:
        return []
    was, them = ("was", "it") if n == 1 else ("were", "them")
    return [
        f"While people worked, {several(n, 'note')} beside the codebook {was} published to everybody, often in answer "
        f"to a question; {code(NOTES)} has {them}. Notes that were withdrawn are left out."
    ]


def guidelines(version: Version) -> str:
    """Return the annotators' guidelines, quoted, in full or their beginning."""
    text = version.codebook.guidelines.strip()
    file = code(f"codebooks/v{version.version}.json")
    if not text:
        return f"The codebook has no general guidelines; {file} has the questions with their help and examples."
    kept = text if len(text) <= GUIDELINES_LENGTH else beginning(text)
    cut = "" if kept == text else " What follows here is only the beginning."
    return paragraphs(
        [
            f"The guidelines, as annotators had them; {file} has them with all questions, help and examples.{cut}",
            quoted(kept),
        ]
    )


def beginning(text: str) -> str:
    at = text.rfind("\n\n", 0, GUIDELINES_LENGTH)
    return text[: at if at > 0 else GUIDELINES_LENGTH]


def privacy(facts: DatasheetFacts) -> str | None:
    if not facts.first_look:
        return None
    return "Annotators stand in the files by number only, as in “annotator 2”."
