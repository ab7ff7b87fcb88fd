"""Describe generated texts beside their references (Marfurt et al. 2022, 4.2): one generated text a source."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Any

import numpy as np

from al_worker.core.evaluation.resampling import mean_interval
from al_worker.core.interpretation.bigrams import bigrams, novel_share
from al_worker.core.interpretation.rouge import MEASURES, best_rouge
from al_worker.core.interpretation.texts import sentences_with_markers, sentences_without_markers, without_markers
from al_worker.formats.text_form import OUTER, parse


@dataclass(frozen=True, slots=True)
class Generated:
    """Hold what a model generated for a source, one reference or more, and the filtered source where it is known."""

    id: str
    text: str
    references: tuple[str, ...]
    source: tuple[str, ...] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Hold the style of the markers, the categories that hold a sentence, and the seed of the resampling."""

    style: str = "spaces"
    outer: Sequence[str] = OUTER
    seed: int = 0


@dataclass(slots=True)
class Described:
    """Hold the figures of a set of texts, as JSON; `left_out` has the ids of texts that a figure leaves out."""

    figures: dict[str, Any]
    left_out: dict[str, list[str]] = field(default_factory=dict)


def generation_metrics(rows: Sequence[Generated], options: Options) -> dict[str, Any]:
    """Return all figures of one generated text or more, with their 95 % intervals where they are means over sources."""
    plain = [_plain(row.text, options) for row in rows]
    marked = [sentences_with_markers(row.text, options.style, options.outer) for row in rows]
    references = [(f"{row.id} target {at}", text, row.source) for row in rows for at, text in enumerate(row.references)]
    generated = _described(((row.id, row.text, row.source) for row in rows), options)
    targets = _described(references, options)
    return {
        "n": len(rows),
        "rouge": {
            "with_markers": _rouge(
                marked,
                [
                    [sentences_with_markers(each, options.style, options.outer) for each in row.references]
                    for row in rows
                ],
                options.seed,
            ),
            "without_markers": _rouge(
                plain, [[_plain(each, options) for each in row.references] for row in rows], options.seed
            ),
        },
        **generated.figures,
        "references": {"n": len(references), **targets.figures},
        "left_out": {**generated.left_out, **{f"references_{key}": ids for key, ids in targets.left_out.items()}},
    }


def with_bertscore(
    found: dict[str, Any],
    rows: Sequence[Generated],
    options: Options,
    name: str,
    layer: int,
    stop: Callable[[], bool] = lambda: False,
) -> int:
    """Add BERTScore with an encoder to the figures, and return how many texts it cut.

    Raises ModelUnavailable, and Stopped soon after `stop` returns True.
    """
    # torch and transformers take seconds to load.
    from al_worker.core.interpretation.bertscore import bert_scores

    scores = bert_scores(
        [without_markers(row.text, options.style) for row in rows],
        [[without_markers(each, options.style) for each in row.references] for row in rows],
        name,
        layer,
        stop,
    )
    found[scores.title] = mean_with_interval(scores.f1, options.seed)
    return scores.n_cut


def with_record(
    found: dict[str, Any], options: Options, left_out: Mapping[str, Sequence[str]] | None = None
) -> dict[str, Any]:
    """Return the figures as `generation-metrics` prints them: what was left out and the record come last."""
    described = {key: value for key, value in found.items() if key != "left_out"}
    left = {key: list(ids) for key, ids in (left_out or {}).items() if ids} | found["left_out"]
    record = {"style": options.style, "seed": options.seed, "rouge_score": version("rouge-score")}
    return {**described, "left_out": left, "record": record}


def mean_with_interval(values: Sequence[float], seed: int) -> dict[str, Any] | None:
    """Return mean, 95 % limits and n as JSON, or None without values."""
    if not values:
        return None
    low, high = mean_interval(np.array(values), seed)
    return {"mean": float(np.mean(values)), "low": low, "high": high, "n": len(values)}


def _plain(text: str, options: Options) -> list[str]:
    return sentences_without_markers(text, options.style, options.outer)


def _rouge(
    generated: Sequence[Sequence[str]], references: Sequence[Sequence[Sequence[str]]], seed: int
) -> dict[str, Any]:
    scores = [best_rouge(text, given) for text, given in zip(generated, references, strict=True)]
    return {measure: mean_with_interval([score[measure] for score in scores], seed) for measure in MEASURES}


def _described(texts: Iterable[tuple[str, str, tuple[str, ...] | None]], options: Options) -> Described:
    """Describe texts, each with its id and its filtered source."""
    distinct: set[tuple[str, str]] = set()
    novel: list[float] = []
    closed: list[float] = []
    counts: list[Counter[str]] = []
    left_out: dict[str, list[str]] = {"without_source": [], "without_bigram": [], "without_marker": []}
    for name, text, source in texts:
        sentences = _plain(text, options)
        distinct |= bigrams(sentences)
        share = novel_share(sentences, source or ())
        if source is None:
            left_out["without_source"].append(name)
        elif share is None:
            left_out["without_bigram"].append(name)
        else:
            novel.append(share)
        parsed = parse(text, options.style)
        counts.append(Counter(span.category for span in parsed.spans))
        if parsed.closed_correctly is None:
            left_out["without_marker"].append(name)
        else:
            closed.append(parsed.closed_correctly)
    figures = {
        "distinct_bigrams": len(distinct),
        "novel_bigrams": mean_with_interval(novel, options.seed),
        "categories": _category_counts(counts),
        "closed_correctly": mean_with_interval(closed, options.seed),
    }
    return Described(figures, {key: ids for key, ids in left_out.items() if ids})


def _category_counts(counts: Sequence[Counter[str]]) -> dict[str, dict[str, float | None]]:
    """Return mean and both standard deviations of the spans of each category, over all texts."""
    found = {}
    for category in sorted({name for each in counts for name in each}):
        values = np.array([each[category] for each in counts], dtype=np.float64)
        found[category] = {
            "mean": float(values.mean()),
            "population_sd": float(values.std()),
            "sample_sd": float(values.std(ddof=1)) if len(values) > 1 else None,
        }
    return found
