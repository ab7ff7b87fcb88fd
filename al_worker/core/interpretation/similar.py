"""Find the strings that are nearest to each other by an encoder's vectors."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch

from al_worker.core.backends.loading import load_encoder, load_tokenizer, token_limit
from al_worker.core.backends.locate import locate_model

BATCH = 64
# Rows of the matrix of cosines that are in memory at a time.
ROWS = 1_024
NO_CUT = 10**9


@dataclass(frozen=True, slots=True)
class Similar:
    """Hold for each string the numbers, from 0, of the nearest others with their cosines, the nearest first.

    `encoder` names the model and its revision. `n_cut` strings were longer than it takes.
    """

    encoder: str
    nearest: list[list[tuple[int, float]]]
    n_cut: int


def nearest_strings(
    strings: Sequence[str], name: str, most: int, report: Callable[[float, str], None] = lambda fraction, detail: None
) -> Similar:
    """Return up to `most` nearest others of each string, of equal ones the earlier.

    A string's vector is the mean over its tokens in the last layer, as sentence encoders such as MiniLM were trained
    (Reimers and Gurevych 2019, section 3). Raises ModelUnavailable.
    """
    source = locate_model(name)
    tokenizer, model = load_tokenizer(source), load_encoder(source)
    limit = token_limit(source, tokenizer, NO_CUT)
    order = sorted(range(len(strings)), key=lambda number: (len(strings[number]), number))
    vectors: dict[int, torch.Tensor] = {}
    n_cut = 0
    for start in range(0, len(order), BATCH):
        numbers = order[start : start + BATCH]
        texts = [strings[number] for number in numbers]
        n_cut += sum(len(ids) > limit for ids in tokenizer(texts)["input_ids"])
        encoded = tokenizer(texts, padding=True, truncation=True, max_length=limit, return_tensors="pt")
        with torch.inference_mode():
            hidden = model(**encoded).last_hidden_state
        mask = encoded["attention_mask"].unsqueeze(-1)
        means = (hidden * mask).sum(dim=1) / mask.sum(dim=1)
        vectors.update(zip(numbers, torch.nn.functional.normalize(means, dim=-1), strict=True))
        report(0.9 * (start + len(numbers)) / len(order), f"{start + len(numbers)} of {len(order)} strings")
    matrix = torch.stack([vectors[number] for number in range(len(strings))]) if strings else torch.zeros(0, 1)
    nearest = [row for start in range(0, len(strings), ROWS) for row in _nearest(matrix, start, most)]
    report(1.0, f"{len(strings)} strings compared")
    revision = f" {source.revision}" if source.revision else ""
    return Similar(f"{name}{revision}", nearest, n_cut)


def _nearest(matrix: torch.Tensor, start: int, most: int) -> list[list[tuple[int, float]]]:
    cosines = matrix[start : start + ROWS] @ matrix.T
    own = torch.arange(len(cosines))
    cosines[own, own + start] = -2.0
    # A stable sort of all, since the order of equal values in topk is not defined.
    values, numbers = torch.sort(cosines, dim=1, descending=True, stable=True)
    kept = min(most, len(matrix) - 1)
    return [
        [(number, round(value, 4)) for number, value in zip(row[:kept], row_values[:kept], strict=True)]
        for row, row_values in zip(numbers[:, :kept].tolist(), values[:, :kept].tolist(), strict=True)
    ]
