"""Describe the software that the dataset was made with, and what a release is."""

from collections.abc import Iterator

from annotation_app.releases.datasheet_facts.facts import DatasheetFacts
from annotation_app.releases.datasheet_facts.text_parts import bullets, paragraphs
from annotation_app.releases.datasheet_facts.texts import splitter_words
from annotation_app.releases.markdown import code, inline


def software(facts: DatasheetFacts) -> str:
    """List the software, from the import reports and the report's table of artifacts."""
    splitters = [each.report["splitter"] for each in facts.imports if each.report.get("splitter")]
    cut = dict.fromkeys(f"Sentences were cut by {splitter_words(each)}." for each in splitters)
    models = [model_words(*row[1:]) for row in facts.artifacts if row[0] == "model"]
    return bullets(["The annotation platform is Quorum.", *cut, *models, *library_words(facts)])


def model_words(name: str, revision: str, sha256: str, purpose: str) -> str:
    parts = [
        inline(name),
        *([f"revision {code(revision)}"] if revision else []),
        *([f"weights with SHA-256 {code(sha256)}"] if sha256 else []),
    ]
    return f"Model of {inline(purpose)}: {', '.join(parts)}."


def library_words(facts: DatasheetFacts) -> Iterator[str]:
    """List libraries, those of the same rounds on one line."""
    used: dict[str, list[str]] = {}
    for kind, name, version, _, purpose in facts.artifacts:
        if kind == "library":
            used.setdefault(purpose, []).append(f"{inline(name)} {code(version)}")
    for purpose, named in used.items():
        yield f"Libraries of {inline(purpose)}: {', '.join(sorted(named))}."


def first_experiments(facts: DatasheetFacts) -> str | None:
    models = [row for row in facts.artifacts if row[0] == "model"]
    if not models:
        return None
    named = bullets(f"{inline(name)}: {inline(purpose)}." for _, name, _, _, purpose in models)
    return paragraphs(
        ["Models learned its labels in order to choose items. `rounds.json` has what they were measured to be.", named]
    )


def channels(facts: DatasheetFacts) -> str:
    return (
        "A release is one folder: JSON Lines, JSON and this card. The Python package `datasets` loads it, from a "
        "disk or from the hub."
    )


def terms(facts: DatasheetFacts) -> str | None:
    lines = facts.answers.get("licence", "").strip().splitlines()
    return f"The licence named at the head: {inline(lines[0])}." if lines else None


def old_versions(facts: DatasheetFacts) -> str:
    return (
        "Releases are numbered, and Quorum keeps each as it was made. The content hash tells whether two copies hold "
        "the same data."
    )
