"""Answer `python -m al_worker.core filter ...` on files (docs/methods/interpretation.md)."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from al_worker.core.answer import Answer, from_one, json_line
from al_worker.core.interpretation.sources import SourceText, read_sources
from al_worker.core.interpretation.texts import without_markers
from al_worker.formats.interpretation import FILTERBERT
from al_worker.formats.run_directory import RunDirectoryError
from al_worker.formats.tables import ConfigError
from al_worker.formats.text_form import STYLES

HELP = "choose the sentences of each source that fit into a model; prints their numbers, a source a line"
# Named here too, because the registry loads nltk, which takes a second; a test compares the two.
NAMES = ("lead", "oracle", "oracle-selection", FILTERBERT)


def add_filter(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command `filter`."""
    command = commands.add_parser("filter", help=HELP, description=HELP)
    command.add_argument("filter", choices=NAMES)
    command.add_argument("sources", type=Path, metavar="TARGETS_AND_SOURCES.jsonl")
    command.add_argument("--tokenizer", required=True, metavar="NAME", help="a folder or the name of a model")
    command.add_argument("--budget", type=from_one, default=512, help="tokens that may be kept (512)")
    command.add_argument("--model", type=Path, metavar="FOLDER", help="a FilterBERT that `interpret` has trained")
    command.add_argument("--style", choices=tuple(STYLES), default="spaces", help="how markers look in targets")
    command.set_defaults(answer=_filter)


def _filter(arguments: argparse.Namespace) -> Answer:
    # These load nltk, torch and transformers, which take seconds.
    from al_worker.core.backends.loading import load_tokenizer
    from al_worker.core.backends.locate import locate_files
    from al_worker.core.interpretation.filters.base import Source
    from al_worker.core.interpretation.filters.registry import FILTERS

    chosen = FILTERS[arguments.filter]
    if chosen.needs_scores != (arguments.model is not None):
        raise ConfigError(f"the filter {FILTERBERT} needs --model FOLDER, and no other filter takes it")
    texts = read_sources(arguments.sources, arguments.style)
    for text in texts:
        _check(arguments, text, chosen.needs_targets)
    tokenizer = load_tokenizer(locate_files(arguments.tokenizer))
    scores = _scores(arguments.model, texts) if chosen.needs_scores else [()] * len(texts)
    lines, notes = [], []
    for text, own_scores in zip(texts, scores, strict=True):
        sentences = text.sentences or ()
        lengths = tuple(len(ids) for ids in tokenizer(list(sentences))["input_ids"])
        targets = tuple(without_markers(target, arguments.style) for target in text.targets)
        kept = chosen.keep(Source(sentences, lengths, targets, own_scores), arguments.budget)
        tokens = sum(lengths[number] for number in kept)
        lines.append(json_line({"id": text.id, "kept": kept, "tokens": tokens}))
        place = f"{arguments.sources.name} line {text.line}: source {text.id!r}"
        if tokens > arguments.budget:
            notes.append(f"{place}: the one sentence kept has {tokens} tokens, more than {arguments.budget}")
        elif not kept:
            notes.append(f"{place}: no sentence shares two words in a row with a target, so none is kept")
    return Answer(lines, notes)


def _scores(folder: Path, texts: Sequence[SourceText]) -> list[tuple[float, ...]]:
    from al_worker.core.backends.device import execution_for
    from al_worker.core.interpretation.filters.filterbert_model import filterbert_from, sentence_scores
    from al_worker.core.run.config import TrainingSettings

    model = filterbert_from(folder)
    return sentence_scores(model, [text.sentences or () for text in texts], execution_for(TrainingSettings()))


def _check(arguments: argparse.Namespace, text: SourceText, needs_targets: bool) -> None:
    if text.sentences is None:
        message = '"sentences" is missing; give the source as a list of sentences'
        raise RunDirectoryError(arguments.sources.name, message, line=text.line)
    if needs_targets and not text.targets:
        message = f'"targets" is missing or empty, and {arguments.filter} compares with them; give them, or use lead'
        raise RunDirectoryError(arguments.sources.name, message, line=text.line)
