"""Split text into sentences with spaCy. Its import takes seconds, so it happens only where a splitter is made."""

import functools
import importlib.metadata
from collections.abc import Sequence
from typing import Any, Protocol

from annotation_app.ingest.options import BLANK, RULED, SENTENCIZER
from annotation_app.ingest.sentence_rules import VERSION, sentences, trimmed

Bounds = list[tuple[int, int]]
# What sentence bounds do not need.
UNNEEDED = ("tagger", "morphologizer", "attribute_ruler", "lemmatizer", "ner", "entity_linker", "textcat", "spancat")
# A pipeline keeps every new word for as long as it lives, which makes it fast and ever larger: it is made anew after
# so many characters. (spaCy's memory zones free the words too, but tokenize three times as slowly.)
RENEW_CHARACTERS = 50_000_000


class SplitterMissing(ValueError):
    """The pipeline is not installed here, or finds no sentences."""


class Splits(Protocol):
    """Split rows into sentences."""

    name: str

    @property
    def max_length(self) -> int: ...

    def record(self) -> dict[str, str]: ...

    def bounds(self, texts: Sequence[str]) -> list[Bounds]: ...


def splitter_installed(name: str) -> bool:
    """Tell whether the splitter is there; does not load it."""
    if name == SENTENCIZER or RULED.fullmatch(name):
        return True
    # Any package can be installed; a pipeline says that it is one.
    return any(entry.name == name for entry in importlib.metadata.entry_points(group="spacy_models"))


def splitter_load() -> None:
    """Load what makes a process's first splitter slow: spaCy, and the language of the usual one."""
    Splitter(BLANK)


class Splitter:
    """Find sentence bounds as code points.

    `blank` is spaCy's tokenizer and sentencizer for English with `sentence_rules`, `blank:de` the same for another
    language (`xx`: any). `sentencizer` is `spacy.blank("en")` and its sentencizer alone, as the papers used it. Any
    other name is an installed pipeline's. Raises SplitterMissing.
    """

    def __init__(self, name: str) -> None:
        import spacy

        self.spacy_version: str = spacy.__version__
        self.name = name
        ruled = RULED.fullmatch(name)
        self.language: str | None = (ruled[1] or "en") if ruled else None
        self.pipeline = self.load(spacy, name, self.language)
        own = bool(ruled) or name == SENTENCIZER
        self.version: str = spacy.__version__ if own else str(self.pipeline.meta["version"])
        self._renew = functools.partial(self.load, spacy, name, self.language)
        self._passed = 0

    @staticmethod
    def load(spacy: Any, name: str, language: str | None) -> Any:
        if language or name == SENTENCIZER:
            return sentencizer(spacy, language or "en")
        if not splitter_installed(name):
            raise SplitterMissing(f"The spaCy pipeline {name!r} is not installed: pip install it, or use {BLANK!r}.")
        pipeline = spacy.load(name, exclude=list(UNNEEDED))
        if not set(pipeline.pipe_names) & {"parser", "senter", "sentencizer"}:
            raise SplitterMissing(f"The spaCy pipeline {name!r} finds no sentences: it has no parser and no senter.")
        return pipeline

    @property
    def max_length(self) -> int:
        """Return the length in code points of the longest text it takes."""
        return int(self.pipeline.max_length)

    def record(self) -> dict[str, str]:
        """Give what the import's report and the datasheet name."""
        named = {"name": self.name, "version": self.version, "spacy": self.spacy_version}
        return named | {"language": self.language, "rules": VERSION} if self.language else named

    def bounds(self, texts: Sequence[str]) -> list[Bounds]:
        """Return each text's sentences in order, without surrounding whitespace; whitespace alone is none."""
        self._passed += sum(map(len, texts))
        if self._passed > RENEW_CHARACTERS:
            self.pipeline, self._passed = self._renew(), 0
        docs = self.pipeline.pipe(texts, batch_size=64)
        return [self._bounds_of(text, doc) for text, doc in zip(texts, docs, strict=True)]

    def _bounds_of(self, text: str, doc: Any) -> Bounds:
        if self.language:
            return sentences(text, (sentence.start_char for sentence in doc.sents), self.language)
        spans = (trimmed(text, sentence.start_char, sentence.end_char) for sentence in doc.sents)
        return [(start, end) for start, end in spans if start < end]


def sentencizer(spacy: Any, language: str) -> Any:
    """Make spaCy's tokenizer and sentencizer for a language. Raises SplitterMissing where spaCy lacks it."""
    try:
        pipeline = spacy.blank(language)
    except ImportError as error:
        # Some languages need a package of their own to find words; sentences need none.
        raise SplitterMissing(f"spaCy has no tokenizer here for the language {language!r}: use 'blank:xx'.") from error
    pipeline.add_pipe("sentencizer")
    # The limit guards the memory of parsers; the sentencizer needs none.
    pipeline.max_length = 2**31
    return pipeline
