"""Compare scoring of equivalence instances with a plain loop that scores one continuation at a time.

    python -m bench.interpretation_scoring                             MiniLM's shape, 12 sources, 144 instances
    python -m bench.interpretation_scoring --sources 169 --plain 24    as many sources as the paper's test split
    python -m bench.interpretation_scoring --kind bart --model FOLDER

The sources have as many tokens as the model takes. Each has two targets with six spans, and each span is the positive
of one instance; the paper's test split has about twelve instances a source. The loop passes source, prefix and
continuation through the whole model and adds up log-probabilities, as one writes it first. It scores the first
`--plain` instances. Both arms run on the same weights, threads and machine, after one instance to warm up. Printed are
instances a second of each arm, CPU milliseconds an instance, the ratios, and the largest difference between their
scores. CPU time says more than seconds where others use the machine.
"""

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import numpy as np
import torch

from al_worker.core.backends.device import usable_cores
from al_worker.core.interpretation.models.build import load_generator, markers_of
from al_worker.core.interpretation.models.generator import KINDS, Generator
from al_worker.core.interpretation.models.scoring import Instance, ScoreSettings, score
from al_worker.formats.models import MINILM

CATEGORIES = ("ACTOR", "ACT", "SCOPE", "MOTIVE", "EVIDENCE", "ATTRIBUTION")
WORDS = (
    *("the", "committee", "raised", "its", "rate", "policy", "because", "inflation", "slowly", "prices", "growth"),
    *("markets", "bonds", "again", "this", "year", "quarter", "statement", "bank", "economy", "jobs", "might", "soon"),
)
TARGETS = 2


def target_and_instances(source: str, random: Random) -> tuple[str, list[Instance]]:
    """Return a target of six spans, and an instance for each of them."""
    text, instances = "[STD SENTENCE START]", []
    for category in CATEGORIES:
        between, positive, negative = (" ".join(random.choices(WORDS, k=k)) for k in (2, 4, 4))
        text += f" {between} [{category} START]"
        instances.append((source, text, positive, negative))
        text += f" {positive} [{category} END]"
    return f"{text}. [STD SENTENCE END]", instances


def plain_loop(generator: Generator, instances: list[Instance], device: str) -> np.ndarray:
    """Return (n, 2) scores, one continuation at a time."""
    found = []
    for source, prefix, *continuations in instances:
        read = generator.tokenizer(
            source, return_tensors="pt", truncation=True, max_length=generator.max_source_tokens
        )["input_ids"]
        n_before = len(generator.tokenizer(prefix, add_special_tokens=False)["input_ids"])
        for continuation in continuations:
            whole = generator.tokenizer(f"{prefix} {continuation}", add_special_tokens=False)["input_ids"]
            inputs = torch.tensor([generator.opening + whole]).to(device)
            with torch.inference_mode():
                logits = generator.model(input_ids=read.to(device), decoder_input_ids=inputs).logits[0]
            at = len(generator.opening) - 1
            each = logits.log_softmax(-1)[range(at, at + len(whole)), whole]
            found.append(float(each[n_before:].double().sum()))
    return np.array(found).reshape(-1, 2)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kind", choices=KINDS, default="bert")
    parser.add_argument("--model", default=MINILM)
    parser.add_argument("--sources", type=int, default=12)
    parser.add_argument("--plain", type=int, default=36, help="instances that the plain loop scores")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    options = parser.parse_args()
    random = Random(0)
    sources = [" ".join(random.choices(WORDS, k=2000)) for _ in range(options.sources)]
    drawn = [target_and_instances(source, random) for source in sources for _ in range(TARGETS)]
    instances = [instance for _, own in drawn for instance in own]
    generator = load_generator(options.kind, options.model, markers=markers_of(text for text, _ in drawn), seed=0)
    settings = ScoreSettings(device=options.device)
    score(generator, instances[:1], settings)
    plain_loop(generator, instances[:1], options.device)

    first = instances[: options.plain]
    expected, plain, plain_cpu = timed(lambda: plain_loop(generator, first, options.device))
    found, fast, fast_cpu = timed(lambda: score(generator, instances, settings))
    far = float(np.abs(found[: len(first)] - expected).max())
    load = Path("/proc/loadavg").read_text().split()[0]
    print(
        f"{options.kind} of {options.model}, {generator.n_parameters / 1e6:.0f}M parameters, {options.device}, "
        f"{usable_cores()} threads, load {load}\n"
        f"plain loop {plain:8.2f} instances/s {plain_cpu:9.1f} ms CPU   ({len(first)} of {len(instances)})\n"
        f"score      {fast:8.2f} instances/s {fast_cpu:9.1f} ms CPU   ({len(instances)}, {options.sources} sources)\n"
        f"ratio      {fast / plain:8.1f}             {plain_cpu / fast_cpu:9.1f}\n"
        f"largest difference {far:.1e}"
    )


def timed(work: Callable[[], np.ndarray]) -> tuple[np.ndarray, float, float]:
    """Return the (n, 2) scores, n a second, and CPU milliseconds of one."""
    wall, cpu = time.monotonic(), time.process_time()
    found = work()
    wall, cpu = time.monotonic() - wall, time.process_time() - cpu
    return found, len(found) / wall, 1000 * cpu / len(found)


if __name__ == "__main__":
    main()
