"""Answer `python -m al_worker.core generation-metrics ...` on files (docs/methods/interpretation.md)."""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from al_worker.core.answer import Answer, json_line
from al_worker.core.interpretation.sources import SourceText, read_sources
from al_worker.formats.json_files import read_rows_by_id
from al_worker.formats.run_directory import RunDirectoryError
from al_worker.formats.text_form import OUTER, STYLES

HELP = "compare generated texts with the targets of their sources; prints one JSON object"


def add_generation_metrics(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command `generation-metrics`."""
    command = commands.add_parser("generation-metrics", help=HELP, description=HELP)
    command.add_argument("references", type=Path, metavar="REFERENCES.jsonl")
    command.add_argument("candidates", type=Path, metavar="CANDIDATES.jsonl")
    command.add_argument("--style", choices=tuple(STYLES), default="spaces", help="how markers look")
    command.add_argument("--outer", nargs="*", default=OUTER, metavar="NAME", help="categories that hold a sentence")
    command.add_argument("--seed", type=int, default=0, help="of the resampling for the intervals (0)")
    command.add_argument("--bertscore", metavar="ENCODER", help="add BERTScore with this encoder")
    command.add_argument("--bertscore-layer", type=int, default=0, help="the encoder's layer, from 1 (the last)")
    command.set_defaults(answer=_metrics)


def _metrics(arguments: argparse.Namespace) -> Answer:
    # These load nltk, which takes a second.
    from al_worker.core.interpretation.metrics import (
        Generated,
        Options,
        generation_metrics,
        with_bertscore,
        with_record,
    )

    sources = read_sources(arguments.references, arguments.style, arguments.outer)
    texts = _candidates(arguments.candidates)
    both = [source for source in sources if source.id in texts and source.targets]
    if not both:
        message = f"no line of it has a target and a text in {arguments.candidates.name}; both name sources by their id"
        raise RunDirectoryError(arguments.references.name, message)
    rows = [Generated(source.id, texts[source.id], source.targets, source.sentences) for source in both]
    options = Options(style=arguments.style, outer=arguments.outer, seed=arguments.seed)
    found = generation_metrics(rows, options)
    n_cut = (
        with_bertscore(found, rows, options, name, arguments.bertscore_layer) if (name := arguments.bertscore) else 0
    )
    found = with_record(found, options, _unmatched(sources, texts))
    notes = list(_notes(arguments.style, found, found["left_out"]))
    if n_cut:
        notes.append(f"{n_cut} texts are longer than {arguments.bertscore} takes, and were cut for BERTScore")
    return Answer([json_line(found)], notes)


def _candidates(path: Path) -> dict[str, str]:
    """Read {"id", "text"} a line. A text may be empty: the model then said nothing."""
    found = {}
    for number, name, row in read_rows_by_id(path):
        if not isinstance(row.get("text"), str):
            raise RunDirectoryError(path.name, '"text" must be the generated text; it may be empty', line=number)
        found[name] = row["text"]
    return found


def _unmatched(sources: Sequence[SourceText], texts: dict[str, str]) -> dict[str, list[str]]:
    known = {source.id for source in sources}
    return {
        "without_candidate": [source.id for source in sources if source.id not in texts],
        "without_targets": [source.id for source in sources if source.id in texts and not source.targets],
        "without_reference": [name for name in texts if name not in known],
    }


def _notes(style: str, found: dict[str, Any], left_out: dict[str, list[str]]) -> Iterator[str]:
    for reason, ids in left_out.items():
        more = f" and {len(ids) - 3} more" if len(ids) > 3 else ""
        yield f"left out, {reason.replace('_', ' ')}: {', '.join(ids[:3])}{more}"
    if not found["references"]["categories"]:
        yield f"no target has a marker of the style {style}; is --style right?"
