"""Train a tiny generator in a process of its own, that a test can kill: `python -m tests.interpretation.train_tiny`."""

import sys
from pathlib import Path
from random import Random

from al_worker.core.interpretation.models.build import load_generator
from al_worker.core.interpretation.models.generator import Generator
from al_worker.core.interpretation.models.training import Example, Trained, TrainSettings, train
from tests.interpretation.tiny_generators import MARKERS, source_text, target_text

RATES = {"rate_random": 3e-3, "rate_pretrained": 3e-4, "rate_tied": 1e-3}


def examples(n: int, seed: int) -> list[Example]:
    random = Random(seed)
    return [Example(source_text(random, random.randint(3, 20)), target_text(random)) for _ in range(n)]


def trained(kind: str, files: Path, folder: Path, epochs: int = 3, **more: object) -> tuple[Generator, Trained]:
    generator = load_generator(kind, files, markers=MARKERS, seed=3)
    chosen = {"seed": 5, "max_epochs": epochs, "patience": epochs, "device": "cpu", "threads": 1} | RATES | more
    settings = TrainSettings(**chosen)  # type: ignore[arg-type]
    found = train(generator, examples(26, 1), examples(6, 2), settings, folder, lambda epoch: print(epoch, flush=True))
    return generator, found


if __name__ == "__main__":
    trained(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]))
    print("over", flush=True)
