"""Time one round on a GPU: tokenise, train, score and select, compared with the card's ceiling and simpler ways.

    python -m bench.gpu_iteration

It needs torch, transformers, numpy, scipy and scikit-learn, and neither Django nor a network. By calculation 16 GiB of
GPU memory, 8 GiB of main memory and 3 GiB of disk suffice. It ends within four minutes. A part that may not fit into
the remaining time is left out, and a command that takes too long is stopped. The output says so.
`--device cpu --small` tries the script itself on any machine, in fp32. Its figures mean nothing.

The inputs are random weights of ModernBERT-base's shape, 281,000 invented sentences of 31 tokens on average, and 1,050
training items. The steps are the product's own, each in a process of its own, timed once its libraries are loaded.
"Cold" starts with an empty cache of compiled kernels. "Warm" finds the cache filled, as in every round but a machine's
first.
"""

import argparse
import hashlib
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from al_worker.formats.run_directory import read_json
from bench.gpu_inputs import FULL, SMALL, Size, make_inputs, write_settings

GOAL_SCORE, GOAL_TRAIN = 6.0, 6.0


@dataclass(slots=True)
class Clock:
    """Track the time limit, in seconds, and whether a part still fits into it."""

    limit: float
    started: float = field(default_factory=time.monotonic)

    def left(self) -> float:
        return self.limit - (time.monotonic() - self.started)

    def allows(self, part: str, needs: float) -> bool:
        if self.left() < needs:
            say(f"-- {part}: LEFT OUT, it may take {needs:.0f} s and {self.left():.0f} s are left")
            return False
        say(f"== {part} ({self.limit - self.left():.0f} s gone)")
        return True


@dataclass(slots=True)
class Bench:
    """Hold the run directory, and call its steps."""

    run: Path
    cache: Path
    size: Size
    clock: Clock
    training: dict[str, Any]
    strategy: str

    def step(self, name: str, most: float, *more: str) -> dict[str, Any] | None:
        """Run a step in a process of its own and print its seconds. Return its facts for the record, or None."""
        command = [sys.executable, "-m", "bench.gpu_step", name, str(self.run), "--cache", str(self.cache), *more,
                   "--die-with-parent", "--progress", "json"]  # fmt: skip
        before = time.monotonic()
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, timeout=min(most, self.clock.left()), check=False
            )
        except subprocess.TimeoutExpired:
            say(f"   {name}: STOPPED after {time.monotonic() - before:.0f} s")
            return None
        if done.returncode != 0:
            say(f"   {name}: FAILED ({done.returncode}): {done.stderr.strip()[-1500:]}")
            return None
        marker = read_json(self.run / "steps" / f"{name}.json")
        say(f"   {name}: {marker['seconds']:.2f} s; {time.monotonic() - before:.1f} s with the start of its process")
        return marker["facts"] | {"seconds": marker["seconds"]}


def main() -> None:
    arguments = _arguments()
    clock, size = Clock(arguments.seconds), SMALL if arguments.small else FULL
    training: dict[str, Any] = {
        "device": arguments.device,
        "scoring_path": "flat" if arguments.small else "flat_compiled",
    }
    # Children end with this process (--die-with-parent).
    watch = threading.Timer(clock.limit + 10, _give_up)
    watch.daemon = True
    watch.start()
    with tempfile.TemporaryDirectory(dir=arguments.folder) as folder:
        say(f"== inputs: {size.pool:,} sentences, {size.labeled:,} training items, {size.model}")
        run = make_inputs(Path(folder), size, training, arguments.strategy)
        say(f"   made in {clock.limit - clock.left():.1f} s")
        bench = Bench(run, Path(folder) / "cache", size, clock, training, arguments.strategy)
        ceiling = _machine(arguments.device, arguments.small)
        facts = _steps(bench)
        if facts:
            _compare_with_floor(bench, facts, ceiling)
            _others(bench, arguments.small)
    say(f"== done, {clock.limit - clock.left():.0f} s")


def _machine(device: str, small: bool) -> float:
    """Print where this runs, and return the machine's ceiling in FLOP/s."""
    import torch
    import transformers

    from bench.gpu_arms import product_rate

    name = torch.cuda.get_device_name() if device == "cuda" else "CPU"
    say(f"== {name}, torch {torch.__version__}, transformers {transformers.__version__}")
    side = 128 if small else 8192
    ceiling = product_rate(device, side, side, side)
    say(f"   bf16 product of {side} x {side}: {ceiling / 1e12:.3g} TFLOP/s: the ceiling")
    rows = 64 if small else 131_072
    for shape in ((768, 2304), (1152, 768)):
        rate = product_rate(device, rows, *shape)
        say(f"   of ({rows} x {shape[0]}) and ({shape[0]} x {shape[1]}), as in the model: {rate / 1e12:.3g} TFLOP/s")
    return ceiling


def _steps(bench: Bench) -> dict[str, Any] | None:
    """Run the product's steps in order, and return the facts of the last scoring, or None where there is none."""
    if not bench.clock.allows("tokenise and train", 60):
        return None
    if not bench.step("encode", 60) or not (trained := bench.step("train", 60)):
        return None
    say(f"   training: goal {GOAL_TRAIN:.0f} s; peak {trained.get('peak_gpu_mib', 0)} MiB; {trained['epoch_losses']}")
    if not bench.clock.allows("score, cold", 40):
        return None
    scored = bench.step("score", 100)
    if (
        scored is None
        and bench.training["scoring_path"] == "flat_compiled"
        and bench.clock.allows("the same uncompiled", 60)
    ):
        bench.training["scoring_path"] = "flat"
        write_settings(bench.run, bench.size, bench.training, bench.strategy)
        scored = bench.step("train", 60) and bench.step("score", 60)
    if scored is None:
        return None
    _say_scan(scored)
    if bench.clock.allows("score, warm: a new process that finds the kernels", 25):
        scored = bench.step("score", 40, "--force") or scored
        _say_scan(scored)
    if bench.clock.allows("select", 10):
        bench.step("select", 30)
    if bench.clock.allows("train once more: the same weights?", 25):
        before = _weights(bench.run)
        if bench.step("train", 40, "--force"):
            say(f"   weights {'ARE THE SAME' if _weights(bench.run) == before else 'DIFFER'}")
    return scored


def _compare_with_floor(bench: Bench, facts: dict[str, Any], ceiling: float) -> None:
    from bench.gpu_arms import weights_of_products

    weights = weights_of_products(bench.run)
    floor = 2 * weights * facts["n_tokens"] / ceiling
    say(f"== floor: 2 x {weights / 1e6:.1f}M weights x {facts['n_tokens'] / 1e6:.2f}M tokens / ceiling = {floor:.2f} s")
    say(f"   the scan alone took {facts['scan_seconds'] / floor:.1f} x the floor; goal {GOAL_SCORE:.0f} s")


def _others(bench: Bench, small: bool) -> None:
    """Measure forward passes alone, on samples, and check whether their results agree.

    A failure is printed, and the rest continues.
    """
    from bench.gpu_arms import Arms

    if not bench.clock.allows("forward passes alone, on samples", 20):
        return
    arms = Arms(bench.run, bench.cache, bench.training, 400 if small else 2_000)
    say(f"   gate, against fp32 by transformers on {len(arms.few)} sentences:")
    for path in ("transformers", "flat", "flat_compiled"):
        if bench.clock.allows(f"gate of {path}", 15 if path == "flat_compiled" else 5):
            say(f"   {arms.gate(path)}")
    arms.take(400 if small else bench.size.pool // 4)
    for path, needs in (("flat_compiled", 20), ("flat", 15), ("transformers", 25)):
        if bench.clock.allows(f"bf16, sorted by length, {path}", needs):
            say(f"   {arms.forward(path)}")
    if bench.clock.allows("padded to 512, fp32, 16 sentences at once", 20):
        say(f"   {arms.padded_512(16 if small else 512)}")
    if bench.clock.allows("attention alone: a call for each length, and torch's varlen_attn", 10):
        say(f"   {arms.attention()}")


def _say_scan(facts: dict[str, Any]) -> None:
    peak = facts.get("peak_gpu_mib", 0)
    say(f"   of it the scan: {facts['scan_seconds']:.2f} s, by the path {facts['scoring_path']}; peak {peak} MiB")


def _weights(run: Path) -> str:
    return hashlib.sha256((run / "model" / "model.safetensors").read_bytes()).hexdigest()


def _give_up() -> None:
    import os

    say("TIME IS UP: stopped in the middle of the part above")
    os._exit(3)


def say(text: str) -> None:
    print(text, flush=True)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", choices=("cuda", "cpu"), default="cuda")
    parser.add_argument("--small", action="store_true", help="a tiny model and 1,200 sentences")
    parser.add_argument("--strategy", default="entropy", help='"cal" keeps vectors too')
    parser.add_argument("--seconds", type=float, default=220, help="time for everything")
    parser.add_argument("--folder", type=Path, help="where the temporary folder is made")
    return parser.parse_args()


if __name__ == "__main__":
    main()
