"""Let a trained model generate targets by beam search (Marfurt et al. 2022, 4.4), with transformers' own search."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import torch
from transformers import Cache, DynamicCache, EncoderDecoderCache, GenerationConfig
from transformers.cache_utils import DynamicLayer

from al_worker.core.backends.device import execution_for
from al_worker.core.interpretation.models.generator import Generator
from al_worker.core.interpretation.models.text_tokens import decoded, padded_rows, source_mask, source_tokens
from al_worker.core.run.config import TrainingSettings
from al_worker.core.run.stop_signal import Stopped
from al_worker.formats.tables import ConfigError

CPU_SOURCES, GPU_SOURCES = 8, 64


@dataclass(frozen=True, slots=True, kw_only=True)
class GenerationSettings:
    """Hold how to generate. Defaults are the paper's: no length penalty, and no n-gram is blocked.

    A hypothesis is ranked by its log-probability divided by its length ** `length_penalty`. `batch_sources` of 0 is
    chosen for the device. `cache` says how keys and values are kept.
    """

    beams: int = 5
    min_tokens: int = 50
    max_tokens: int = 500
    length_penalty: float = 0.0
    max_source_tokens: int = 0
    long_sources: Literal["cut", "refuse"] = "cut"
    batch_sources: int = 0
    cache: Literal["dynamic", "static"] = "dynamic"
    device: str = "auto"
    precision: str = "fp32"
    threads: int = 0


def generate(
    generator: Generator,
    sources: Sequence[str],
    settings: GenerationSettings | None = None,
    stop: Callable[[], bool] = lambda: False,
) -> list[str]:
    """Return a text for each source, in order. Raises as `generate_some`."""
    found = dict(generate_some(generator, sources, settings, stop=stop))
    return [found[at] for at in range(len(sources))]


def generate_some(
    generator: Generator,
    sources: Sequence[str],
    settings: GenerationSettings | None = None,
    done: Collection[int] = (),
    stop: Callable[[], bool] = lambda: False,
) -> Iterator[tuple[int, str]]:
    """Yield (number of the source, text) batch by batch, longest sources first.

    Numbers in `done` are left out, and change nothing in the others' texts: batches are planned for all sources.
    Raises Stopped before a batch once `stop` returns True, ConfigError for more tokens than the decoder takes, and
    TextRefused for an empty source, or one that is too long where these are refused.
    """
    settings = settings or GenerationSettings()
    _check(generator, settings)
    execution = execution_for(
        TrainingSettings(device=settings.device, precision=settings.precision, threads=settings.threads)
    )
    ids = source_tokens(generator, sources, settings.max_source_tokens, settings.long_sources).ids
    order = sorted(range(len(ids)), key=lambda at: (-len(ids[at]), ids[at], at))
    size = settings.batch_sources or (GPU_SOURCES if execution.device == "cuda" else CPU_SOURCES)
    generator.model.to(execution.device).eval()
    config = _config(generator, settings)
    for start in range(0, len(order), size):
        numbers = order[start : start + size]
        if all(number in done for number in numbers):
            continue
        if stop():
            raise Stopped
        rows = [ids[number] for number in numbers]
        with torch.inference_mode(), execution.autocast():
            found = generator.model.generate(
                input_ids=execution.send(padded_rows(rows, generator.pad)),
                attention_mask=execution.send(source_mask(rows)),
                decoder_input_ids=execution.send(torch.tensor([generator.opening] * len(rows))),
                generation_config=config,
                **_cache(settings),
            )
        for number, row in zip(numbers, found[:, len(generator.opening) :].tolist(), strict=True):
            if number not in done:
                yield number, decoded(generator, row)


class _SourceLayer(DynamicLayer):
    """Hold the keys and values of sources. All beams of a source have the same, so their order does not matter."""

    def reorder_cache(self, beam_idx: torch.LongTensor) -> None:
        pass


def _cache(settings: GenerationSettings) -> dict[str, Any]:
    if settings.cache == "static":
        return {}
    return {"cache": EncoderDecoderCache(DynamicCache(), Cache(layer_class_to_replicate=_SourceLayer))}


def _check(generator: Generator, settings: GenerationSettings) -> None:
    if settings.beams < 1 or not 0 <= settings.min_tokens <= settings.max_tokens or not settings.max_tokens:
        raise ConfigError(
            f"beams = {settings.beams}, min_tokens = {settings.min_tokens}, max_tokens = {settings.max_tokens}: there "
            "must be one beam or more, and at least one token, and no fewer tokens at most than at least"
        )
    if settings.max_tokens > generator.max_target_tokens:
        raise ConfigError(
            f"max_tokens = {settings.max_tokens}, and the decoder takes {generator.max_target_tokens}; ask for at most "
            "that"
        )


def _config(generator: Generator, settings: GenerationSettings) -> GenerationConfig:
    return GenerationConfig(
        num_beams=settings.beams,
        do_sample=False,
        min_new_tokens=settings.min_tokens,
        max_new_tokens=settings.max_tokens,
        length_penalty=settings.length_penalty,
        early_stopping=settings.beams > 1,
        no_repeat_ngram_size=0,
        cache_implementation="static" if settings.cache == "static" else None,
        decoder_start_token_id=generator.opening[0],
        bos_token_id=generator.opening[-1],
        eos_token_id=generator.end,
        pad_token_id=generator.pad,
    )
