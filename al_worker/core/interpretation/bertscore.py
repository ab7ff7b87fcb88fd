"""Compute BERTScore with any encoder, without idf and without a baseline (Zhang et al. 2020, section 3).

The package bert-score has had no release since 2023. Tests compare this with it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from al_worker.core.backends.loading import load_encoder, load_tokenizer, token_limit
from al_worker.core.backends.locate import locate_model
from al_worker.core.errors import ModelUnavailable
from al_worker.core.run.stop_signal import Stopped

BATCH = 32
NO_CUT = 10**9


@dataclass(frozen=True, slots=True)
class BertScores:
    """Hold F1 of each generated text, how many texts were cut, and the `title` that names encoder and layer."""

    title: str
    f1: list[float]
    n_cut: int


@dataclass(frozen=True, slots=True)
class _Embedded:
    """Hold (t, d) unit vectors of a text's tokens, and (t,) whether a token is a word's and no special token."""

    vectors: torch.Tensor
    is_word: torch.Tensor


def bert_scores(
    generated: Sequence[str],
    references: Sequence[Sequence[str]],
    name: str,
    layer: int,
    stop: Callable[[], bool] = lambda: False,
) -> BertScores:
    """Return the F1 of each text against the best of its references.

    Each token is matched with the most similar one of the other text. F1 is of the mean similarities, over the words
    of the generated text and over those of the reference. `layer` counts from 1; 0 is the last. Texts longer than the
    encoder takes are cut. Raises ModelUnavailable, and Stopped soon after `stop` returns True.
    """
    source = locate_model(name)
    tokenizer = load_tokenizer(source)
    model = load_encoder(source)
    n_layers = model.config.num_hidden_layers
    if not 0 <= layer <= n_layers:
        raise ModelUnavailable(f'model "{name}" has layers 1 to {n_layers}, and no {layer}; name one of these')
    layer = layer or n_layers
    limit = token_limit(source, tokenizer, NO_CUT)
    texts = sorted({*generated, *(text for each in references for text in each)}, key=lambda text: (len(text), text))
    embedded: dict[str, _Embedded] = {}
    n_cut = 0
    for start in range(0, len(texts), BATCH):
        if stop():
            raise Stopped
        batch = texts[start : start + BATCH]
        n_cut += sum(len(ids) > limit for ids in tokenizer(batch)["input_ids"])
        embedded.update(zip(batch, _embedded(batch, tokenizer, model, layer, limit), strict=True))
    f1 = [
        max(_f1(embedded[text], embedded[reference]) for reference in given)
        for text, given in zip(generated, references, strict=True)
    ]
    # A folder of this machine says nothing to readers of a table beyond its own name.
    shown = Path(name).name if Path(name).is_absolute() else name
    return BertScores(f"BERTScore F1 ({shown}, layer {layer} of {n_layers}, no idf, no baseline)", f1, n_cut)


def _embedded(texts: Sequence[str], tokenizer: Any, model: Any, layer: int, limit: int) -> list[_Embedded]:
    encoded = tokenizer(
        list(texts),
        padding=True,
        truncation=True,
        max_length=limit,
        return_special_tokens_mask=True,
        return_tensors="pt",
    )
    is_word = encoded.pop("special_tokens_mask") == 0
    with torch.inference_mode():
        hidden = model(**encoded, output_hidden_states=True).hidden_states[layer]
    vectors = torch.nn.functional.normalize(hidden, dim=-1)
    lengths = encoded["attention_mask"].sum(dim=1).tolist()
    # Paddings are special tokens too, so the mask of words needs no cut of its own beyond the length.
    return [_Embedded(vectors[row, :n], is_word[row, :n]) for row, n in enumerate(lengths)]


def _f1(one: _Embedded, other: _Embedded) -> float:
    if not bool(one.is_word.any()) or not bool(other.is_word.any()):
        return 0.0
    similar = one.vectors @ other.vectors.T
    precision = similar.amax(dim=1)[one.is_word].mean()
    recall = similar.amax(dim=0)[other.is_word].mean()
    total = precision + recall
    return float(2 * precision * recall / total) if float(total) else 0.0
