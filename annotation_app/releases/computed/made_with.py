"""What it was made with, and what a release is."""

from annotation_app.releases.computed.facts import SheetFacts
from annotation_app.releases.computed.words import bullets, paragraphs
from annotation_app.releases.markdown import code, inline


def software(facts: SheetFacts) -> str:
    """From the report's table of artifacts."""
    used = [artifact_words(*row) for row in facts.artifacts if row[0] in ("splitter", "model", "library")]
    return paragraphs(["The annotation platform is Quorum.", bullets(used)])


def artifact_words(kind: str, name: str, version: str, sha256: str, purpose: str) -> str:
    parts = [f"{kind} {inline(name)}"]
    if version:
        parts.append(code(version))
    if sha256:
        parts.append(f"weights SHA-256 {code(sha256)}")
    return f"{', '.join(parts)}: {inline(purpose)}."


def first_experiments(facts: SheetFacts) -> str | None:
    models = [row for row in facts.artifacts if row[0] == "model"]
    if not models:
        return None
    named = bullets(f"{inline(name)}: {inline(purpose)}." for _, name, _, _, purpose in models)
    return paragraphs(
        ["Models learned its labels in order to choose items. `rounds.json` has what they were measured to be.", named]
    )


def channels(facts: SheetFacts) -> str:
    return (
        "A release is one folder: JSON Lines, JSON and this card. The Python package `datasets` loads it, from a "
        "disk or from the hub."
    )


def terms(facts: SheetFacts) -> str | None:
    lines = facts.answers.get("licence", "").strip().splitlines()
    return f"The licence named at the head: {inline(lines[0])}." if lines else None


def old_versions(facts: SheetFacts) -> str:
    return (
        "Releases are numbered, and Quorum keeps each as it was made. The content hash tells whether two copies hold "
        "the same data."
    )
