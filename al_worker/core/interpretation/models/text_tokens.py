"""Turn sources and targets into tokens of a generator, and tokens into targets."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import torch

from al_worker.core.errors import TextRefused
from al_worker.core.interpretation.models.generator import Generator
from al_worker.formats.tables import ConfigError

CUT, REFUSE = "cut", "refuse"
NO_LABEL = -100
# Text without spaces before or after, as English is written. A tokenizer of word pieces keeps no spaces.
_OPENS, _CLOSES = "([{“‘$£€#", ")]}”’,.;:!?%"
_TIDY = (
    (re.compile(rf" ([{re.escape(_CLOSES)}])"), r"\1"),
    (re.compile(rf"([{re.escape(_OPENS)}]) "), r"\1"),
    (re.compile(r"(?<=\w)\s?(['’]) ?(s|t|re|ve|ll|d|m)\b", re.IGNORECASE), r"\1\2"),
    (re.compile(r"(?<=\w) ([-/]) (?=\w)"), r"\1"),
    (re.compile(r"(?<=\d)\. (?=\d)"), "."),
    (re.compile(r"\b(\d{1,3}), (?=\d{3}\b)"), r"\1,"),
    (re.compile(r"\b([A-Za-z])\. (?=[A-Za-z]\.)"), r"\1."),
)
_QUOTED = re.compile(r'" ([^"]*?) "')


@dataclass(frozen=True, slots=True)
class Encoded:
    """Hold token ids of texts, and the numbers of those that were cut."""

    ids: list[list[int]]
    cut: list[int]


def source_tokens(generator: Generator, texts: Sequence[str], limit: int, too_long: str) -> Encoded:
    """Return the tokens of sources with their special tokens. `limit` is the most tokens; 0 is what the model takes.

    A longer source is cut at its end, or TextRefused is raised (`too_long` is "cut" or "refuse"). It is also raised
    for an empty one. Raises ConfigError for a limit above the model's.
    """
    limit = _limit(limit, generator.max_source_tokens, "max_source_tokens")
    ids, cut = _encoded(generator, texts, "source"), []
    tokenizer = generator.tokenizer
    for at, row in enumerate(ids):
        if len(row) <= limit:
            continue
        if too_long == REFUSE:
            raise TextRefused(
                f"source {at}: it has {len(row)} tokens, and the model takes {limit}; filter it to that budget or let "
                'sources be cut (long_sources = "cut")'
            )
        ids[at] = tokenizer(texts[at], truncation=True, max_length=limit)["input_ids"]
        cut.append(at)
    return Encoded(ids, cut)


def target_tokens(generator: Generator, texts: Sequence[str], limit: int) -> Encoded:
    """Return the tokens of targets without special tokens, cut at `limit`; 0 is what the model takes.

    Raises TextRefused for an empty target, and ConfigError for a limit above the model's.
    """
    limit = _limit(limit, generator.max_target_tokens, "max_target_tokens")
    ids = _encoded(generator, texts, "target", special=False)
    cut = [at for at, row in enumerate(ids) if len(row) > limit]
    return Encoded([row[:limit] for row in ids], cut)


def continued_tokens(generator: Generator, prefix: str, continuation: str) -> tuple[list[int], list[int]]:
    """Return the tokens of the prefix, and those of the continuation after it and a space.

    Each is tokenized alone, so that the first are a prefix of the whole. The continuation is tokenized with the space
    before it: byte-level tokens hold the space, and word pieces ignore it.
    """
    spaced = f" {continuation}" if prefix else continuation
    before, after = (generator.tokenizer(text, add_special_tokens=False)["input_ids"] for text in (prefix, spaced))
    return before, after


def decoded(generator: Generator, ids: Sequence[int]) -> str:
    """Return the target that tokens stand for: its markers, no special tokens, and spaces as English is written.

    Tokens from the end token on are left out. A start marker is followed by a space. Where the tokens do not say
    whether a space stands before a marker, there is one, unless the text before ends in an opening bracket.
    """
    tokenizer = generator.tokenizer
    ids = list(ids)
    ids = ids[: ids.index(generator.end)] if generator.end in ids else ids
    marker_ids = {tokenizer.convert_tokens_to_ids(marker): marker for marker in generator.markers}
    keeps_spaces = type(tokenizer.backend_tokenizer.decoder).__name__ == "ByteLevel"
    text, run, after = "", [], ""
    for token in [*ids, None]:
        if token is not None and token not in marker_ids:
            run.append(token)
            continue
        words = tokenizer.decode(run, skip_special_tokens=True, clean_up_tokenization_spaces=False) if run else ""
        text = _joined(text, words if keeps_spaces else tidied(words), after, keeps_spaces)
        run = []
        if token is not None:
            after = marker_ids[token]
            text = text.rstrip(" ")
            text += ("" if not text or text[-1] in _OPENS or text[-1].isspace() else " ") + after
    return (text if keeps_spaces else _QUOTED.sub(r'"\1"', text)).strip()


def tidied(words: str) -> str:
    """Return English text without the spaces of word pieces around punctuation. What is ambiguous may be wrong."""
    for pattern, replacement in _TIDY:
        words = pattern.sub(replacement, words)
    return words


def padded_rows(rows: Sequence[Sequence[int]], pad: int) -> torch.Tensor:
    """Return (r, length of the longest) ids, padded on the right."""
    width = max(map(len, rows))
    return torch.tensor([[*row, *[pad] * (width - len(row))] for row in rows])


def source_mask(rows: Sequence[Sequence[int]]) -> torch.Tensor:
    """Return (r, length of the longest): 1 for a token, 0 for padding."""
    width = max(map(len, rows))
    return torch.tensor([[1] * len(row) + [0] * (width - len(row)) for row in rows])


def _joined(text: str, words: str, marker: str, keeps_spaces: bool) -> str:
    """Return the text with the words after it. The last thing in the text is `marker`, or nothing."""
    if not marker or not words or words[0].isspace():
        return text + words
    is_attached = not marker.endswith("START]") and not marker.endswith("START>")
    if is_attached and (keeps_spaces or words[0] in _CLOSES):
        return text + words
    return f"{text} {words}"


def _encoded(generator: Generator, texts: Sequence[str], what: str, special: bool = True) -> list[list[int]]:
    for at, text in enumerate(texts):
        if not text.strip():
            raise TextRefused(f"{what} {at} is empty; leave it out")
    return generator.tokenizer(list(texts), add_special_tokens=special)["input_ids"] if texts else []


def _limit(asked: int, most: int, name: str) -> int:
    if asked > most:
        raise ConfigError(f"{name} = {asked}, and the model takes {most} tokens; ask for at most that, or 0 for all")
    return asked or most
