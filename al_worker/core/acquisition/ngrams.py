"""Number the n-grams of many texts, in one flat array. Numbers are exact: no hash is used that could collide."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain, count

import numpy as np
from numpy.typing import NDArray

from al_worker.formats.words import tokens


@dataclass(frozen=True, slots=True)
class NgramSettings:
    """Hold what determines a text's n-grams: lengths 1 to `j` over the tokens that `tokenizer` and `lowercase` give."""

    j: int
    tokenizer: str
    lowercase: bool


@dataclass(frozen=True, slots=True)
class Ngrams:
    """Hold n-grams: row i has data[offsets[i]:offsets[i + 1]] with repetitions, and lengths[i] tokens."""

    data: NDArray[np.int32]
    offsets: NDArray[np.int64]
    lengths: NDArray[np.int64]

    @property
    def n_distinct(self) -> int:
        """Return the number of distinct n-grams, which are numbered from 0."""
        return int(self.data.max()) + 1 if len(self.data) else 0

    def of(self, row: int) -> NDArray[np.int32]:
        """Return the n-grams of one row."""
        return self.data[self.offsets[row] : self.offsets[row + 1]]


@dataclass(frozen=True, slots=True)
class NgramTable:
    """Hold the row of each text that was asked for. Equal texts share a row, and other texts may have rows as well."""

    ngrams: Ngrams
    rows: NDArray[np.intp]


MakeTable = Callable[[Sequence[str], NgramSettings], NgramTable]


def make_table(texts: Sequence[str], settings: NgramSettings) -> NgramTable:
    """Return the table of these texts, built from nothing else."""
    row_of = {text: row for row, text in enumerate(dict.fromkeys(texts))}
    rows = np.fromiter((row_of[text] for text in texts), dtype=np.intp, count=len(texts))
    return NgramTable(ngrams_of(list(row_of), settings), rows)


def ngrams_of(texts: Sequence[str], settings: NgramSettings) -> Ngrams:
    """Return the n-grams of the texts, one row each."""
    return build_ngrams([tokenize(text, settings.tokenizer, settings.lowercase) for text in texts], settings.j)


def tokenize(text: str, tokenizer: str, lowercase: bool) -> list[str]:
    """Split a text into tokens.

    "words" gives words and single marks by Unicode's rules; "whitespace" splits at white space.
    """
    text = text.lower() if lowercase else text
    return text.split() if tokenizer == "whitespace" else tokens(text)


def build_ngrams(token_lists: Sequence[Sequence[str]], longest: int) -> Ngrams:
    """Return all n-grams with n = 1..longest.

    N-grams do not cross texts. A text shorter than n has none of length n.
    """
    lengths = np.array([len(tokens) for tokens in token_lists], dtype=np.int64)
    vocabulary: defaultdict[str, int] = defaultdict(count().__next__)
    unigrams = np.fromiter(map(vocabulary.__getitem__, chain.from_iterable(token_lists)), dtype=np.int64)
    text_of = np.repeat(np.arange(len(lengths)), lengths)
    left = np.repeat(np.cumsum(lengths), lengths) - np.arange(len(unigrams))
    starts, ngrams = np.arange(len(unigrams)), unigrams
    all_texts, all_grams, total = [text_of], [unigrams], len(vocabulary)
    for n in range(2, longest + 1):
        # An n-gram is an (n - 1)-gram and the token after it: a pair of numbers. Each distinct pair gets a new number.
        fits = left[starts] >= n
        starts = starts[fits]
        pairs = ngrams[fits] * max(len(vocabulary), 1) + unigrams[starts + n - 1]
        distinct, ngrams = np.unique(pairs, return_inverse=True)
        all_texts.append(text_of[starts])
        all_grams.append(ngrams + total)
        total += len(distinct)
    texts = np.concatenate(all_texts)
    order = np.argsort(texts, kind="stable")
    offsets = np.concatenate([[0], np.cumsum(np.bincount(texts, minlength=len(lengths)))]).astype(np.int64)
    return Ngrams(np.concatenate(all_grams)[order].astype(np.int32), offsets, lengths)
