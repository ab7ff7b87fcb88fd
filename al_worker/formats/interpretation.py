"""Name the kinds of models, the filters and the files of an interpretation, for the web side and the model side."""

import re
from dataclasses import dataclass

TRANSFORMER, BERT, BART = "transformer", "bert", "bart"
FILTERBERT = "filterbert"
SPLITS = TRAIN, VALID, TEST = ("train", "valid", "test")
GENERATE = "generate"
STAGES = ("filter", "train", GENERATE, "score")

CONFIG, RESULTS = "interpretation.toml", "results"
SOURCES, TARGETS, EVALUATIONS = "sources.jsonl", "targets.jsonl", "evaluations.json"
FIGURES, CURVES, RECORD = "figures.json", "curves.json", "record.json"
GENERATIONS, INSTANCES = "generations.jsonl", "instances.jsonl"
TABLES, PLOTS = "tables", "plots"
# A system's name is part of its files' names.
SYSTEM_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,99}")
# After a request to stop, the step that is under way is waited for so long.
STOP_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class KindDeclaration:
    """Declare a kind of generative model. `epochs` is the paper's most (Marfurt et al. 2022, 4.4)."""

    name: str
    title: str
    needs: str
    epochs: int


@dataclass(frozen=True, slots=True)
class FilterDeclaration:
    """Declare a filter. A test compares these with the core's own list."""

    name: str
    title: str
    needs_targets: bool
    note: str


KINDS = {
    each.name: each
    for each in (
        KindDeclaration(
            TRANSFORMER,
            "Transformer",
            "An encoder, of which it takes the shape and the tokenizer. All its weights are random at first.",
            10,
        ),
        KindDeclaration(BERT, "BERT", "An encoder, which is trained further. Its decoder is random at first.", 10),
        KindDeclaration(BART, "BART", "An encoder-decoder, such as BART, which is trained further.", 20),
    )
}

FILTERS = {
    each.name: each
    for each in (
        FilterDeclaration("lead", "Lead", False, "The first sentences, as many as the budget takes."),
        FilterDeclaration(
            "oracle",
            "Oracle",
            True,
            "The sentences that share most with the targets. It looks at the targets of the test too, so its figures "
            "are a limit for filters and not what a model does on new sources.",
        ),
        FilterDeclaration(
            "oracle-selection",
            "Oracle selection",
            True,
            "What FilterBERT learns: the oracle's sentences, without filling up the budget.",
        ),
        FilterDeclaration(
            FILTERBERT, "FilterBERT", False, "A model learns to select as the oracle does. It takes time to train."
        ),
    )
}


def scored_name(system: str) -> str:
    """Return the name of the file with a system's scored instances."""
    return f"scored-{system}.jsonl"


def filtered_name(system: str) -> str:
    """Return the name of the file with the numbers of the sentences that a system reads."""
    return f"filtered-{system}.jsonl"
