"""Score continuations: the sum of the log-probabilities of their tokens after a prefix, given a source.

A loop over instances reads a source again for each continuation. Here a source is encoded once, and its keys and values
for the cross attention are computed once. What a continuation shares with a longer one from its beginning is read from
that one, and logits are computed only where a continuation's token is predicted.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, Literal

import numpy as np
import torch
from numpy.typing import NDArray
from transformers import DynamicCache, EncoderDecoderCache
from transformers.cache_utils import DynamicLayer
from transformers.modeling_outputs import BaseModelOutput

from al_worker.core.backends.batches import plan_batches
from al_worker.core.backends.device import Execution, execution_for
from al_worker.core.errors import NonFiniteScores, TextRefused
from al_worker.core.interpretation.models.generator import Generator
from al_worker.core.interpretation.models.text_tokens import (
    continued_tokens,
    padded_rows,
    source_mask,
    source_tokens,
)
from al_worker.core.run.config import TrainingSettings
from al_worker.core.run.stop_signal import Stopped

# Keys and values of all layers are kept for the sources of one batch, so that it is smaller than in other scans.
GPU_SOURCE_TOKENS = 16_384

Instance = tuple[str, str, str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreSettings:
    """Hold how to score. It runs in fp32, as differences between continuations are small."""

    max_source_tokens: int = 0
    long_sources: Literal["cut", "refuse"] = "cut"
    device: str = "auto"
    threads: int = 0


@dataclass(slots=True)
class _Rows:
    """Hold the distinct token sequences to run for one source, and which of their tokens are asked for.

    `asked` maps (row, place of a token in the row) to its log-probability.
    """

    tokens: list[tuple[int, ...]] = field(default_factory=list)
    asked: dict[tuple[int, int], float] = field(default_factory=dict)


def score(
    generator: Generator,
    instances: Sequence[Instance],
    settings: ScoreSettings | None = None,
    report: Callable[[int, int], None] = lambda done, sources: None,
    stop: Callable[[], bool] = lambda: False,
) -> NDArray[np.float64]:
    """Return (n, 2) log-probabilities of the positives and the negatives of n instances.

    An instance is (source, prefix, positive, negative). A continuation follows its prefix and a space. The model reads
    the true tokens before each one (teacher forcing); the end of a target does not count. `report` is called with the
    numbers of sources done and in all. Raises Stopped, TextRefused with the number of the instance, NonFiniteScores.
    """
    settings = settings or ScoreSettings()
    execution = execution_for(TrainingSettings(device=settings.device, precision="fp32", threads=settings.threads))
    continued = _continued(generator, instances)
    texts = list(dict.fromkeys(instance[0] for instance in instances))
    number_of = {text: number for number, text in enumerate(texts)}
    sources = source_tokens(generator, texts, settings.max_source_tokens, settings.long_sources).ids
    of_source: list[list[int]] = [[] for _ in texts]
    for at, instance in enumerate(instances):
        of_source[number_of[instance[0]]].append(at)
    generator.model.to(execution.device).eval()  # type: ignore[arg-type]
    found = np.full((len(instances), 2), np.nan)
    done = 0
    for numbers in _source_batches(sources, execution):
        if stop():
            raise Stopped
        with torch.inference_mode():
            for number, encoded in _encoded(generator, execution, sources, numbers):
                own = of_source[number]
                found[own] = _scored(generator, execution, encoded, [continued[at] for at in own])
                done += 1
        report(done, len(texts))
    if not np.isfinite(found).all():
        raise NonFiniteScores("a log-probability is not finite; the model's weights are not usable, train it anew")
    return found


def _continued(generator: Generator, instances: Sequence[Instance]) -> list[list[tuple[list[int], list[int]]]]:
    """Return for each instance the tokens of (prefix, positive) and (prefix, negative)."""
    found = []
    for at, (_, prefix, *continuations) in enumerate(instances):
        pairs = [continued_tokens(generator, prefix, continuation) for continuation in continuations]
        for name, text, (before, after) in zip(("positive", "negative"), continuations, pairs, strict=True):
            if not text.strip() or not after:
                raise TextRefused(f"instance {at}: its {name} is empty; leave the instance out")
            if len(before) + len(after) > generator.max_target_tokens:
                raise TextRefused(
                    f"instance {at}: prefix and {name} have {len(before) + len(after)} tokens, and the model takes "
                    f"{generator.max_target_tokens}; begin the prefix with its sentence"
                )
        found.append(pairs)
    return found


def _source_batches(sources: Sequence[Sequence[int]], execution: Execution) -> Iterator[list[int]]:
    """Yield numbers of sources of similar length."""
    if not sources:
        return
    budget = min(execution.score_batch_tokens, GPU_SOURCE_TOKENS)
    for batch in plan_batches(*_planned(sources), budget, execution.exact_rows):
        yield batch.rows.tolist()


def _planned(rows: Sequence[Sequence[int]]) -> tuple[NDArray[np.int64], list[bytes]]:
    """Return the lengths and hashes by which batches are planned."""
    keys = [blake2b(np.array(row, dtype=np.int32).tobytes(), digest_size=16).digest() for row in rows]
    return np.array([len(row) for row in rows], dtype=np.int64), keys


@dataclass(frozen=True, slots=True)
class _Encoded:
    """Hold (1, s, d) states of a source, and the (1, heads, s, d/heads) keys and values of each decoder layer."""

    states: torch.Tensor
    layers: list[tuple[torch.Tensor, torch.Tensor]]


def _encoded(
    generator: Generator, execution: Execution, sources: Sequence[Sequence[int]], numbers: Sequence[int]
) -> Iterator[tuple[int, _Encoded]]:
    """Encode the sources together, and yield each without padding."""
    model, send = generator.model, execution.send
    rows = [sources[number] for number in numbers]
    mask = send(source_mask(rows))
    states = model.get_encoder()(input_ids=send(padded_rows(rows, generator.pad)), attention_mask=mask)[0]
    cache = EncoderDecoderCache(DynamicCache(), DynamicCache())
    model(
        encoder_outputs=BaseModelOutput(states),
        attention_mask=mask,
        decoder_input_ids=send(torch.tensor([generator.opening[:1]] * len(rows))),
        cache=cache,
        use_cache=True,
    )
    for at, (number, row) in enumerate(zip(numbers, rows, strict=True)):
        own, length = slice(at, at + 1), len(row)
        kept = [(layer.keys[own, :, :length], layer.values[own, :, :length])
                for layer in cache.cross_attention_cache.layers]  # fmt: skip
        yield number, _Encoded(states[own, :length], kept)


def _scored(
    generator: Generator,
    execution: Execution,
    source: _Encoded,
    continued: Sequence[Sequence[tuple[list[int], list[int]]]],
) -> NDArray[np.float64]:
    """Return (n, 2) sums for the instances of one source."""
    rows, places = _Rows(), {}
    wholes = {tuple(before + after) for pairs in continued for before, after in pairs}
    follower: tuple[int, ...] = ()
    for whole in sorted(wholes, reverse=True):
        # In this order, a sequence that begins another stands right after one that it begins.
        if follower[: len(whole)] != whole:
            rows.tokens.append(whole)
            follower = whole
        places[whole] = len(rows.tokens) - 1
    spans = [
        [(places[*before, *after], len(before), len(before) + len(after)) for before, after in pairs]
        for pairs in continued
    ]
    asked = {(row, place) for pairs in spans for row, start, end in pairs for place in range(start, end)}
    rows.asked = dict.fromkeys(asked, 0.0)
    _run_rows(generator, execution, source, rows)
    sums = [[sum(rows.asked[row, place] for place in range(start, end)) for row, start, end in pairs]
            for pairs in spans]  # fmt: skip
    return np.array(sums)


def _run_rows(generator: Generator, execution: Execution, source: _Encoded, rows: _Rows) -> None:
    """Fill in the log-probabilities that are asked for."""
    of_row: dict[int, list[int]] = {}
    for row, place in sorted(rows.asked):
        of_row.setdefault(row, []).append(place)
    shift = len(generator.opening) - 1
    for batch in plan_batches(*_planned(rows.tokens), execution.score_batch_tokens, execution.exact_rows):
        numbers = batch.rows.tolist()
        # The last token is only predicted, never read.
        inputs = padded_rows([[*generator.opening, *rows.tokens[row][:-1]] for row in numbers], generator.pad)
        wanted = [(at, row, place) for at, row in enumerate(numbers) for place in of_row[row]]
        flat = torch.tensor([at * inputs.shape[1] + shift + place for at, _, place in wanted])
        with _logits_at(generator, execution.send(flat)):
            logits = generator.model(
                encoder_outputs=BaseModelOutput(source.states.expand(len(numbers), -1, -1)),
                decoder_input_ids=execution.send(inputs),
                cache=_cache_of(source, len(numbers)),
                use_cache=True,
            ).logits
        tokens = execution.send(torch.tensor([rows.tokens[row][place] for _, row, place in wanted]))
        each = logits.float().log_softmax(-1).gather(-1, tokens[:, None]).squeeze(-1).tolist()
        for (_, row, place), value in zip(wanted, each, strict=True):
            rows.asked[row, place] = value


def _cache_of(source: _Encoded, n: int) -> EncoderDecoderCache:
    """Return a cache with the source's keys and values for n rows, without copying them."""
    across = DynamicCache()
    for keys, values in source.layers:
        layer = DynamicLayer()
        layer.lazy_initialization(keys, values)
        layer.keys, layer.values = keys.expand(n, -1, -1, -1), values.expand(n, -1, -1, -1)
        across.layers.append(layer)
    return EncoderDecoderCache(DynamicCache(), across)


@contextmanager
def _logits_at(generator: Generator, flat: torch.Tensor) -> Iterator[None]:
    """Let the output layer compute logits at these places only, of all rows and places end to end.

    The result of the model has a row for each. No architecture offers this by itself for several rows.
    """

    def choose(module: torch.nn.Module, inputs: tuple[Any, ...]) -> tuple[Any, ...]:
        return (inputs[0].flatten(0, 1)[flat],)

    hook = generator.model.get_output_embeddings().register_forward_pre_hook(choose)
    try:
        yield
    finally:
        hook.remove()
