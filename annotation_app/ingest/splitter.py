"""Text to sentences with spaCy. Its import takes seconds: it happens only where a splitter is made."""

import functools
import importlib.metadata
from collections.abc import Sequence
from typing import Any

from annotation_app.ingest.options import BLANK

Bounds = list[tuple[int, int]]
# What sentence bounds do not need.
UNNEEDED = ("tagger", "morphologizer", "attribute_ruler", "lemmatizer", "ner", "entity_linker", "textcat", "spancat")
# A pipeline keeps every new word for as long as it lives, which makes it fast and ever larger: it is made anew after
# so many characters. (spaCy's memory zones free the words too, but tokenize three times as slowly.)
RENEW_CHARACTERS = 50_000_000


class SplitterMissing(ValueError):
    """The pipeline is not installed here, or finds no sentences."""


def splitter_installed(name: str) -> bool:
    """Whether the pipeline is there; does not load it."""
    if name == BLANK:
        return True
    # Any package can be installed; a pipeline says that it is one.
    return any(entry.name == name for entry in importlib.metadata.entry_points(group="spacy_models"))


class Splitter:
    """Sentence bounds as code points. `blank` is `spacy.blank("en")` with the rule-based sentencizer.

    Raises SplitterMissing.
    """

    def __init__(self, name: str) -> None:
        import spacy

        self.spacy_version: str = spacy.__version__
        self.name = name
        self.pipeline = self.load(spacy, name)
        self.version: str = spacy.__version__ if name == BLANK else str(self.pipeline.meta["version"])
        self._renew = functools.partial(self.load, spacy, name)
        self._passed = 0

    @staticmethod
    def load(spacy: Any, name: str) -> Any:
        if name == BLANK:
            pipeline = spacy.blank("en")
            pipeline.add_pipe("sentencizer")
            # The limit guards the memory of parsers; the sentencizer needs none.
            pipeline.max_length = 2**31
            return pipeline
        if not splitter_installed(name):
            raise SplitterMissing(f"The spaCy pipeline {name!r} is not installed: pip install it, or use {BLANK!r}.")
        pipeline = spacy.load(name, exclude=list(UNNEEDED))
        if not set(pipeline.pipe_names) & {"parser", "senter", "sentencizer"}:
            raise SplitterMissing(f"The spaCy pipeline {name!r} finds no sentences: it has no parser and no senter.")
        return pipeline

    @property
    def max_length(self) -> int:
        """Code points of the longest text it takes."""
        return int(self.pipeline.max_length)

    def record(self) -> dict[str, str]:
        return {"name": self.name, "version": self.version, "spacy": self.spacy_version}

    def bounds(self, texts: Sequence[str]) -> list[Bounds]:
        """For each text its sentences in order, without surrounding whitespace; whitespace alone is none."""
        self._passed += sum(map(len, texts))
        if self._passed > RENEW_CHARACTERS:
            self.pipeline, self._passed = self._renew(), 0
        found = []
        for text, doc in zip(texts, self.pipeline.pipe(texts, batch_size=64), strict=True):
            spans = (trimmed(text, sentence.start_char, sentence.end_char) for sentence in doc.sents)
            found.append([(start, end) for start, end in spans if start < end])
        return found


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """The range without the whitespace at its ends; the text itself stays as it is."""
    part = text[start:end]
    return start + len(part) - len(part.lstrip()), start + len(part.rstrip())
