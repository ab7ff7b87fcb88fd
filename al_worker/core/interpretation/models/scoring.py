"""Score continuations: the sum of the log-probabilities of their tokens after a prefix, given a source.

A loop over instances reads source and prefix again for each continuation. Here a source is encoded once, and its keys
and values for the cross attention are computed once. A text that begins another one of the same source is read off it.
Logits are computed only where a continuation's token is predicted.

Reading only continuations, with the keys and values of their prefixes kept, was measured. It costs as much on a CPU:
prefixes differ in length, and models without explicit positions need a call for each length.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
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
Tokens = tuple[int, ...]
Layers = list[tuple[torch.Tensor, torch.Tensor]]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreSettings:
    """Hold how to score. It runs in fp32, as differences between continuations are small."""

    max_source_tokens: int = 0
    long_sources: Literal["cut", "refuse"] = "cut"
    device: str = "auto"
    threads: int = 0


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
    generator.model.to(execution.device).eval()
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
    layers: Layers


def _encoded(
    generator: Generator, execution: Execution, sources: Sequence[Sequence[int]], numbers: Sequence[int]
) -> Iterator[tuple[int, _Encoded]]:
    """Encode the sources together, and yield each without padding."""
    model, send = generator.model, execution.send
    rows = [sources[number] for number in numbers]
    mask = send(source_mask(rows))
    states = model.get_encoder()(input_ids=send(padded_rows(rows, generator.pad)), attention_mask=mask)[0]
    across: Any = DynamicCache()
    model(
        encoder_outputs=BaseModelOutput(states),
        attention_mask=mask,
        decoder_input_ids=send(torch.tensor([generator.opening[:1]] * len(rows))),
        cache=EncoderDecoderCache(DynamicCache(), across),
        use_cache=True,
    )
    for at, (number, row) in enumerate(zip(numbers, rows, strict=True)):
        own, length = slice(at, at + 1), len(row)
        kept = [(layer.keys[own, :, :length], layer.values[own, :, :length])
                for layer in across.layers]  # fmt: skip
        yield number, _Encoded(states[own, :length], kept)


def _scored(
    generator: Generator,
    execution: Execution,
    source: _Encoded,
    continued: Sequence[Sequence[tuple[list[int], list[int]]]],
) -> NDArray[np.float64]:
    """Return (n, 2) sums for the instances of one source."""
    spans = [[((*before, *after), len(before)) for before, after in pairs] for pairs in continued]
    rows, row_of = _rows({text for pairs in spans for text, _ in pairs})
    places: list[set[int]] = [set() for _ in rows]
    for text, start in (span for pairs in spans for span in pairs):
        places[row_of[text]].update(range(start, len(text)))
    found = _log_probabilities(generator, execution, source, rows, places)
    sums = [[sum(found[row_of[text], place] for place in range(start, len(text))) for text, start in pairs]
            for pairs in spans]  # fmt: skip
    return np.array(sums)


def _rows(texts: set[Tokens]) -> tuple[list[Tokens], dict[Tokens, int]]:
    """Return the texts that begin no other one, and for each text the number of one that it begins."""
    rows: list[Tokens] = []
    row_of = {}
    for text in sorted(texts, reverse=True):
        # In this order a text follows those that it begins. The last row is one of them, if there is any.
        if not rows or rows[-1][: len(text)] != text:
            rows.append(text)
        row_of[text] = len(rows) - 1
    return rows, row_of


def _log_probabilities(
    generator: Generator,
    execution: Execution,
    source: _Encoded,
    rows: Sequence[Tokens],
    places: Sequence[set[int]],
) -> dict[tuple[int, int], float]:
    """Return the log-probabilities of the tokens at the places of each row, by (row, place)."""
    found: dict[tuple[int, int], float] = {}
    shift, send = len(generator.opening) - 1, execution.send
    for batch in plan_batches(*_planned(rows), execution.score_batch_tokens, execution.exact_rows):
        numbers = batch.rows.tolist()
        # The last token is only predicted, never read.
        inputs = padded_rows([[*generator.opening, *rows[row][:-1]] for row in numbers], generator.pad)
        wanted = [(row, place) for row in numbers for place in sorted(places[row])]
        flat = torch.tensor(
            [at * inputs.shape[1] + shift + place for at, row in enumerate(numbers) for place in sorted(places[row])]
        )
        with _logits_at(generator, send(flat)):
            logits = generator.model(
                encoder_outputs=BaseModelOutput(source.states.expand(len(numbers), -1, -1)),
                decoder_input_ids=send(inputs),
                cache=EncoderDecoderCache(DynamicCache(), _cache(source.layers, len(numbers))),
                use_cache=True,
            ).logits
        tokens = send(torch.tensor([rows[row][place] for row, place in wanted]))
        each = logits.float().log_softmax(-1).gather(-1, tokens[:, None]).squeeze(-1).tolist()
        found |= dict(zip(wanted, each, strict=True))
    return found


def _cache(layers: Layers, n: int) -> DynamicCache:
    """Return a cache of these keys and values for n rows, without copying them."""
    cache = DynamicCache()
    for keys, values in layers:
        layer = DynamicLayer()
        layer.lazy_initialization(keys, values)
        layer.keys, layer.values = keys.expand(n, -1, -1, -1), values.expand(n, -1, -1, -1)
        cache.layers.append(layer)
    return cache


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
