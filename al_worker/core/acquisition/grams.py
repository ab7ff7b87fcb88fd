"""n-grams of many texts as whole numbers, in one flat array: exact, without a hash that could collide."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

WORDS = re.compile(r"\w+|[^\w\s]")


@dataclass(frozen=True, slots=True)
class GramTable:
    """Text i has the grams data[offsets[i]:offsets[i + 1]], repeated ones repeated, and lengths[i] tokens."""

    data: NDArray[np.int32]
    offsets: NDArray[np.int64]
    lengths: NDArray[np.int64]
    n_grams: int

    def of(self, text: int) -> NDArray[np.int32]:
        """Grams of one text."""
        return self.data[self.offsets[text] : self.offsets[text + 1]]


def tokenize(text: str, tokenizer: str, lowercase: bool) -> list[str]:
    """Tokens of a text: "words" are runs of word characters and single marks, "whitespace" splits at white space."""
    text = text.lower() if lowercase else text
    return text.split() if tokenizer == "whitespace" else WORDS.findall(text)


def build_grams(token_lists: Sequence[Sequence[str]], longest: int) -> GramTable:
    """All n-grams, n = 1..longest. They do not cross texts; a text shorter than n has none of length n."""
    lengths = np.array([len(tokens) for tokens in token_lists], dtype=np.int64)
    vocabulary: dict[str, int] = {}
    unigrams = np.array(
        [vocabulary.setdefault(token, len(vocabulary)) for tokens in token_lists for token in tokens], dtype=np.int64
    )
    text_of = np.repeat(np.arange(len(lengths)), lengths)
    left = np.concatenate([np.arange(length, 0, -1) for length in lengths]) if len(unigrams) else unigrams
    starts, grams = np.arange(len(unigrams)), unigrams
    all_texts, all_grams, total = [text_of], [unigrams], len(vocabulary)
    for n in range(2, longest + 1):
        # A gram of n tokens is a gram of n - 1 and the token after it: pairs of numbers, numbered anew.
        fits = left[starts] >= n
        starts = starts[fits]
        pairs = grams[fits] * max(len(vocabulary), 1) + unigrams[starts + n - 1]
        distinct, grams = np.unique(pairs, return_inverse=True)
        all_texts.append(text_of[starts])
        all_grams.append(grams + total)
        total += len(distinct)
    texts = np.concatenate(all_texts)
    order = np.argsort(texts, kind="stable")
    offsets = np.concatenate([[0], np.cumsum(np.bincount(texts, minlength=len(lengths)))]).astype(np.int64)
    return GramTable(np.concatenate(all_grams)[order].astype(np.int32), offsets, lengths, total)
