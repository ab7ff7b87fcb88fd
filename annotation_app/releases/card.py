"""Make the dataset card, a Markdown file that the hub and GitHub show, from the datasheet by a template."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

from django.template import Context, Engine, Template

from al_worker.formats.plurals import several
from annotation_app.releases.datasheet import Datasheet, Question
from annotation_app.releases.folder import NOTES
from annotation_app.releases.head import card_head
from annotation_app.releases.markdown import code, inline, quoted
from annotation_app.releases.released_sets import ReleasedSet, SetConfig, set_config, set_file_description
from annotation_app.releases.shape import Shape

TEMPLATES = Path(__file__).parent / "templates"
# Questions whose answers stand at the head of the card.
AT_THE_HEAD = ("title", "summary")
# By the file of each configuration: a variable for it, its name, and what it holds.
CONFIGS = {
    "data/aggregated.jsonl": ("items", "", "one record an item, with what came of its answers"),
    "data/annotations.jsonl": ("answers", "annotations", "one record an annotator and item"),
    "data/spans.jsonl": ("marked", "spans", "texts with the spans that people marked"),
    "data/text.jsonl": ("texts", "text", "texts with markers where spans begin and end"),
}
FILES = {
    "data/aggregated.jsonl": "Items with their context and what came of their answers (the default configuration)",
    "data/annotations.jsonl": "What each annotator answered (configuration `annotations`)",
    "data/spans.jsonl": "Texts with the spans marked in them (configuration `spans`)",
    "data/text.jsonl": "Texts with markers where spans begin and end (configuration `text`)",
    NOTES: "What annotators were told beside the codebook while they worked",
    "rounds.json": "How each batch was chosen: strategy, seed, model, measurements",
    "agreement.json": "Agreement between annotators: every statistic with its interval",
    "datasheet.json": "The questions and answers below, for programs",
    "SHA256SUMS": "Hashes of the files, which the content hash is of",
    "release.json": "This release: number, content hash, files",
    "README.md": "This card",
}


@dataclass(frozen=True)
class File:
    """Describe a file of the release: its path in the folder, and its lines, None where it has none."""

    path: str
    lines: int | None = None


@dataclass(frozen=True)
class About:
    """Describe the release that a card is about. A preview has no content hash and no day.

    `counts` are the release's own ({"items": 12, ...}); `files` are those of its folder, in order.
    """

    project_name: str
    description: str
    number: int
    notes: str
    content_hash: str | None
    created_on: date | None
    counts: Mapping[str, int]
    files: Sequence[File]
    # What is to be known before its files are loaded, in Markdown.
    notices: Sequence[str] = ()
    text_sets: Sequence[ReleasedSet] = ()


def card_with_head(*, about: About, sheet: Datasheet, shape: Shape) -> str:
    """Return the card with the YAML head by which `datasets` loads its files."""
    kinds = [path.removeprefix("data/").removesuffix(".jsonl") for path in loadable(about.files)]
    head = card_head(
        name=about.project_name,
        sheet=sheet,
        shape=shape,
        kinds=kinds,
        items=about.counts["items"],
        sets=set_configs(about.files),
    )
    return card_markdown(about=about, sheet=sheet, head=head)


def card_markdown(*, about: About, sheet: Datasheet, head: str) -> str:
    """Render the card. `head` is the YAML block at the top with its two lines of dashes, or empty."""
    text = template().render(Context(parts(about, sheet) | {"head": head.strip()}, autoescape=False))
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"


@cache
def template() -> Template:
    return Engine(dirs=[str(TEMPLATES)], autoescape=False).get_template("card.md")


def parts(about: About, sheet: Datasheet) -> dict[str, Any]:
    return {
        "title": inline(sheet.answer("title") or about.project_name),
        "summary": quoted(sheet.answer("summary") or about.description),
        "made": release_line(about),
        "loading": list(loading(about)),
        "files": files_table(about.files),
        "notes": quoted(about.notes),
        "notices": list(about.notices),
        "text_sets": [text_set_parts(each, about.files) for each in about.text_sets],
        "source": sheet.source,
        "sections": sections(sheet),
        **{name: sheet.blocks.get(name, "") for name in ("figures", "labels", "agreement")},
    }


def release_line(about: About) -> str:
    """Say which release this is, in one line."""
    if about.content_hash is None:
        return (
            f"This is a preview of release {about.number}, as it would be now. Its files are not made yet: their sizes "
            "and hashes, the content hash, and which fields hold nothing but dates come with them."
        )
    day = f" of {about.created_on:%d %B %Y}".replace(" 0", " ") if about.created_on else ""
    return f"Release {about.number}{day}. Content hash (SHA-256 of `SHA256SUMS`): {code(about.content_hash)}."


def loadable(files: Sequence[File]) -> list[str]:
    """Return the paths of configurations that can be loaded; an empty file cannot."""
    return [file.path for file in files if file.path in CONFIGS and file.lines]


def set_configs(files: Sequence[File]) -> list[SetConfig]:
    """Return the configurations of text sets."""
    return [config for file in files if file.lines and (config := set_config(file.path))]


def text_set_parts(text_set: ReleasedSet, files: Sequence[File]) -> dict[str, Any]:
    return {
        "title": inline(text_set.name),
        "n_texts": several(text_set.n_texts, "text"),
        "folder": code(f"factoids/{text_set.folder}"),
        "loading": [config.loading for config in set_configs(files) if config.folder == text_set.folder],
        "agreement": text_set.agreement,
    }


def loading(about: About) -> Iterator[str]:
    """Yield lines of Python that load the configurations. Those of text sets stand in a section of their own."""
    for path in loadable(about.files) or ([] if about.text_sets else ["data/aggregated.jsonl"]):
        variable, config, what = CONFIGS[path]
        name = f', "{config}"' if config else ""
        yield f'{variable} = load_dataset(folder{name}, split="train")  # {what}'


def files_table(files: Sequence[File]) -> str:
    rows = [
        f"| {code(file.path)} | {file_description(file.path)} | {'' if file.lines is None else f'{file.lines:,}'} |"
        for file in files
    ]
    return "\n".join(["| File | What it holds | Lines |", "|---|---|---:|", *rows]) if rows else ""


def file_description(path: str) -> str:
    if path in FILES:
        return FILES[path]
    if path.startswith("codebooks/"):
        return "A version of the codebook, as it was published"
    return set_file_description(path)


def sections(sheet: Datasheet) -> list[dict[str, Any]]:
    """Return each section: questions that have an answer, then the names of those that nobody answered."""
    return [
        section_parts([q for q in each.questions if q.key not in AT_THE_HEAD], each.title) for each in sheet.sections
    ]


def section_parts(questions: Sequence[Question], title: str) -> dict[str, Any]:
    bodies = [(question, body(question)) for question in questions]
    return {
        "title": title,
        "questions": [{"text": question.text, "body": said} for question, said in bodies if said],
        "unanswered": [question.text for question, said in bodies if question.is_open and not said],
    }


def body(question: Question) -> str:
    """Return the computed answer, then the people's answer, quoted; empty where there is neither."""
    said = [part for part in (question.computed, quoted(question.answer)) if part]
    if question.is_open and question.computed:
        said.append("*By the people who made it:* Not answered.")
    return "\n\n".join(said)
