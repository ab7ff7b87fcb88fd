"""The interface of a backend. `registry.py` lists the backends there are."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from al_worker.core.run.config import HeadSettings, ModelSettings, RoundSettings, RunConfig, TrainingSettings
from al_worker.core.run.progress import Progress


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """Hold the part of config.toml that a model depends on, and where token ids are cached.

    `heads` are those with names.
    """

    round: RoundSettings
    model: ModelSettings
    training: TrainingSettings
    cache: Path
    heads: tuple[HeadSettings, ...] = ()

    @classmethod
    def of(cls, config: RunConfig, cache: Path) -> "Setup":
        """Read what a model depends on. Raises ConfigError, also for a table that nothing reads."""
        config.check_tables()
        return cls(round=config.round, model=config.model, training=config.training, cache=cache, heads=config.heads)


@dataclass(frozen=True, slots=True)
class Example:
    """Hold a training item: its text, and its target at each unit of the heads (heads.targets_at).

    A target is heads.MISSING where the item has no label at the head.
    """

    text: str
    columns: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Predicted:
    """Hold (n, C) float32 logits and, if asked for, (n, d) float32 vectors, rows in the order of the texts.

    The columns of the heads' units stand side by side. `facts` are for the record.
    """

    logits: NDArray[np.float32]
    vectors: NDArray[np.float32] | None
    facts: dict[str, Any]


class Backend(Protocol):
    """Encode, train and predict.

    The facts that calls give are for the record; `notices` are shown to the admin.
    """

    def encode(self, texts: Sequence[str], progress: Progress) -> dict[str, Any]:
        """Convert texts into the form that the model reads, and keep it."""

    def train(
        self, examples: Sequence[Example], heads: Sequence[HeadSettings], folder: Path, progress: Progress
    ) -> dict[str, Any]:
        """Fit from the pretrained weights and write the model into the empty folder."""

    def predict(self, folder: Path, texts: Sequence[str], vector: str, scratch: Path, progress: Progress) -> Predicted:
        """Predict distinct texts with the model of the folder. `vector` is "" when none are needed.

        Finished parts may be kept in the folder `scratch`.
        """

    def join(self, folder: Path, texts: Sequence[str], vector: str, scratch: Path, progress: Progress) -> int:
        """Help the process that predicts these texts. Return how many parts were computed here."""
