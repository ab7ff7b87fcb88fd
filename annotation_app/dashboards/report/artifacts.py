"""Make Table 6: what the dataset was made with, as far as the rows know it."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any

from al_worker.formats.models import MODELS
from al_worker.formats.paper_tables import Cell, Column, Table, words
from annotation_app.models import CodebookVersion, Import, Project, Round

NO_ARTIFACTS = "Nothing was used yet: import text, publish a codebook, start a round."
# (kind, name, version, hash, used for).
Used = tuple[str, str, str, str, str]


def table_6(project: Project) -> Table:
    """List models with their revision, libraries with their version, corpora and codebooks with their hash."""
    used = [*corpora(project), *codebooks(project), *machinery(project)]
    return Table(
        key="table_6",
        title="Artifacts used",
        source="Table 6",
        about="What the data and the choices were made with. Licences and citations are for the authors to add.",
        columns=(
            Column("kind", "Kind"),
            Column("artifact", "Artifact"),
            Column("version", "Version"),
            Column("sha256", "SHA-256"),
            Column("used_for", "Used for"),
        ),
        rows=[artifact_row(each) for each in used],
        missing="" if used else NO_ARTIFACTS,
    )


def artifact_row(used: Used) -> list[Cell]:
    kind, name, version, sha256, purpose = used
    return [words(kind), words(name), words(version), Cell(sha256[:12], sha256), words(purpose)]


def corpora(project: Project) -> list[Used]:
    imports = project.imports.filter(state=Import.State.DONE).order_by("pk")
    files = [
        ("corpus", row.filename, row.format, report.get("sha256") or "", f"{report.get('items', 0):,} items")
        for row in imports
        if (report := row.report or {}) is not None
    ]
    return files + splitters(row.report or {} for row in imports)


def splitters(reports: Iterable[Mapping[str, Any]]) -> list[Used]:
    """List the pipelines that split sentences, each once."""
    found: dict[tuple[str, str], str] = {}
    for report in reports:
        if splitter := report.get("splitter"):
            found[str(splitter["name"]), str(splitter["version"])] = str(splitter["spacy"])
    return [
        ("splitter", name, version, "", f"sentences, with spaCy {spacy}") for (name, version), spacy in found.items()
    ]


def codebooks(project: Project) -> list[Used]:
    versions = project.codebooks.filter(state=CodebookVersion.State.PUBLISHED).order_by("version")
    return [
        ("codebook", str(row.definition.get("name", "")), str(row.version), definition_hash(row.definition), "labels")
        for row in versions
    ]


def definition_hash(definition: Mapping[str, Any]) -> str:
    """Return the sha256 of the definition as JSON with sorted keys."""
    text = json.dumps(definition, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def machinery(project: Project) -> list[Used]:
    """Collect models and libraries from the rounds' records, with the rounds that used them."""
    done = project.rounds.exclude(state=Round.State.CANCELLED).order_by("number")
    records = done.values_list("number", "record__machine__model", "record__machine__versions")
    found: dict[tuple[str, str, str, str], list[int]] = {}
    for number, model, versions in records:
        for key in [*model_keys(model), *library_keys(versions)]:
            found.setdefault(key, []).append(number)
    ordered = sorted(found.items(), key=lambda each: each[0][0] != "model")
    return [(*key, rounds_words(numbers)) for key, numbers in ordered]


def model_keys(model: Mapping[str, Any] | None) -> list[tuple[str, str, str, str]]:
    if not model:
        return []
    name = str(model["name"])
    shown = MODELS[name].title if name in MODELS else name
    weights = str(model.get("pretrained_weights_sha256") or "")
    return [("model", shown, str(model.get("model_revision") or ""), weights)]


def library_keys(versions: Mapping[str, str | None] | None) -> list[tuple[str, str, str, str]]:
    return [("library", name, version, "") for name, version in (versions or {}).items() if version]


def rounds_words(numbers: list[int]) -> str:
    """Name rounds, as in "round 3", "rounds 1 to 4", "rounds 2, 5"."""
    first, last = numbers[0], numbers[-1]
    if len(numbers) == 1:
        return f"round {first}"
    if last - first == len(numbers) - 1:
        return f"rounds {first} to {last}"
    return f"rounds {', '.join(map(str, numbers))}"
