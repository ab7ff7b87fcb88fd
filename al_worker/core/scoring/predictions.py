"""Read and write predictions.npz: the model's predictions by item id. It is read whole and written all or nothing."""

import os
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from al_worker.core.errors import NonFiniteScores, PredictionsMismatch
from al_worker.core.run.config import HeadSettings
from al_worker.formats.run_directory import PREDICTIONS, RunDirectoryError, replace_durably

HEAD_ARRAYS = ("head_names", "head_sizes", "head_labels", "head_kinds")


@dataclass(frozen=True, slots=True)
class Part:
    """Hold predictions for the pool or the labelled items, rows in the order asked for.

    `logits` are (n, C); `vectors` are (n, d) or None.
    """

    logits: NDArray[np.float64]
    vectors: NDArray[np.floating] | None


def write_arrays(path: Path, arrays: dict[str, NDArray]) -> None:
    """Write an .npz file, all or nothing."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    with temporary.open("wb") as file:
        np.savez(file, allow_pickle=False, **arrays)
        file.flush()
        os.fsync(file.fileno())
    replace_durably(temporary, path)


def read_arrays(path: Path) -> dict[str, NDArray]:
    """Read an .npz file. Pickled objects are refused. Raises RunDirectoryError if it is missing or not readable."""
    if not path.is_file():
        raise RunDirectoryError(path.name, f"missing in {path.parent}; run the score step first")
    try:
        with np.load(path, allow_pickle=False) as archive:
            return {name: archive[name] for name in archive.files}
    except (ValueError, OSError, EOFError, zipfile.BadZipFile) as error:
        raise RunDirectoryError(path.name, f"not a readable .npz file of plain arrays ({error})") from error


def read_part(
    arrays: dict[str, NDArray], part: str, ids: Sequence[str], *, vectors: bool, sizes: Sequence[int] = ()
) -> Part:
    """Return the rows of `part` ("pool" or "labeled") for `ids`, in that order, whatever the order in the file.

    `sizes` are the numbers of declared labels, head by head. Each head's columns must hold a distribution of their own.
    Raises PredictionsMismatch where arrays or items are missing or of another shape.
    Raises NonFiniteScores where a value is NaN or infinite; a logit may be -inf if not all of its row are.
    """
    for name in (f"{part}_ids", f"{part}_logits") + ((f"{part}_vectors",) if vectors else ()):
        if name not in arrays:
            raise PredictionsMismatch(f"{PREDICTIONS} lacks {name}; run the score step again for this strategy")
    rows = _rows(arrays[f"{part}_ids"], part, ids)
    logits = np.asarray(_aligned(arrays, f"{part}_logits", rows, part), dtype=np.float64)
    for columns in _blocks(sizes, logits.shape[1], part):
        _check_logits(logits[:, columns], part, ids)
    found = _aligned(arrays, f"{part}_vectors", rows, part) if vectors else None
    if found is not None:
        _check_finite(np.isfinite(found).all(axis=1), f"{part}_vectors", ids)
    return Part(logits, found)


def _rows(found: NDArray, part: str, ids: Sequence[str]) -> NDArray[np.intp]:
    index = {str(item_id): row for row, item_id in enumerate(found.tolist())}
    if len(index) != len(found):
        raise PredictionsMismatch(f"{PREDICTIONS}: {part}_ids holds an id twice: score again")
    missing = [item_id for item_id in ids if item_id not in index]
    if missing:
        raise PredictionsMismatch(
            f'{PREDICTIONS} lacks {len(missing)} items of {part}.jsonl, the first is "{missing[0]}"; score again'
        )
    return np.array([index[item_id] for item_id in ids], dtype=np.intp)


def _aligned(arrays: dict[str, NDArray], name: str, rows: NDArray[np.intp], part: str) -> NDArray:
    array = arrays[name]
    if array.ndim != 2 or len(array) != len(arrays[f"{part}_ids"]) or array.shape[1] == 0:
        raise PredictionsMismatch(
            f"{PREDICTIONS}: {name} has shape {array.shape}, not a row for each of {part}_ids: score again"
        )
    if not np.issubdtype(array.dtype, np.floating):
        raise PredictionsMismatch(f"{PREDICTIONS}: {name} holds {array.dtype}, not floating-point numbers: score again")
    in_order = len(rows) == len(array) and bool((rows == np.arange(len(rows))).all())
    return array if in_order else array[rows]


def head_arrays(named: Sequence[HeadSettings]) -> dict[str, NDArray]:
    """Return the arrays that split the logits' columns by head, and name them. There are none if no head has a name."""
    if not named:
        return {}
    return {
        "head_names": np.array([head.name for head in named]),
        "head_sizes": np.array([len(head.labels) for head in named]),
        "head_labels": np.array([label for head in named for label in head.labels]),
        "head_kinds": np.array([head.kind for head in named]),
    }


def check_heads(arrays: dict[str, NDArray], named: Sequence[HeadSettings]) -> None:
    """Raise PredictionsMismatch where the file names other heads or labels than config.toml. It need not name any."""
    expected = head_arrays(named)
    for name in HEAD_ARRAYS:
        if name in arrays and not np.array_equal(arrays[name], expected.get(name, ())):
            raise PredictionsMismatch(f"{PREDICTIONS}: {name} are not those of config.toml; score again")


def _blocks(sizes: Sequence[int], width: int, part: str) -> list[slice]:
    if not sizes:
        return [slice(None)]
    if sum(sizes) != width:
        raise PredictionsMismatch(
            f"{PREDICTIONS}: {part}_logits has {width} columns, and config.toml names {sum(sizes)} labels; score again"
        )
    ends = np.cumsum(sizes)
    return [slice(int(end - size), int(end)) for size, end in zip(sizes, ends, strict=True)]


def _check_logits(logits: NDArray[np.float64], part: str, ids: Sequence[str]) -> None:
    # -inf is a probability of zero, so an entropy exists; a row of nothing else is no distribution.
    bad = np.isnan(logits).any(axis=1) | np.isposinf(logits).any(axis=1) | np.isneginf(logits).all(axis=1)
    _check_finite(np.logical_not(bad), f"{part}_logits", ids)


def _check_finite(good: NDArray[np.bool_], name: str, ids: Sequence[str]) -> None:
    bad = np.flatnonzero(~good)
    if len(bad):
        raise NonFiniteScores(
            f'{name} of {len(bad)} items are NaN or infinite, the first is "{ids[bad[0]]}"; nothing was selected. '
            "Train again with precision fp32 or a smaller learning rate"
        )
