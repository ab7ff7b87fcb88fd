"""Decide where and how the arithmetic runs: device, precision, threads, token budgets. The decisions are recorded."""

import math
import os
import warnings
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from torch.nn.attention import SDPBackend, sdpa_kernel

from al_worker.core.run.config import TrainingSettings
from al_worker.formats.tables import ConfigError

CPU_TOKENS = 4096
GPU_TRAINING_TOKENS = 32_768
GPU_SCORING_TOKENS = 131_072
# On a GPU small steps are bound by launches, not by arithmetic. Up to this many padded tokens, one piece beats two.
GPU_WHOLE_BATCH_TOKENS = 8192
# A batch of one length needs no mask and gets the fast attention kernel. Below this many rows the launch costs more.
CPU_EXACT_ROWS = 64
GPU_EXACT_ROWS = 512
# A kill loses at most one shard, which is some seconds of work on either device.
CPU_SHARD = 512
GPU_SHARD = 16_384
CGROUP_CPU = Path("/sys/fs/cgroup/cpu.max")


@dataclass(frozen=True, slots=True, kw_only=True)
class Execution:
    """Hold what was decided for this machine."""

    device: str
    device_name: str
    precision: str
    threads: int
    micro_batch_tokens: int
    score_batch_tokens: int
    exact_rows: int
    shard_sentences: int
    whole_batch_tokens: int = 0
    fused_optimizer: bool = False

    def autocast(self) -> AbstractContextManager[Any]:
        """Return a context of bf16 autocast, or an empty one in fp32. Weights stay float32 either way."""
        if self.precision == "bf16":
            return torch.autocast(device_type=self.device, dtype=torch.bfloat16)
        return nullcontext()

    def send(self, tensor: torch.Tensor) -> torch.Tensor:
        """Return the tensor on the device.

        A GPU gets it from pinned memory, so that the host need not wait for the copy.
        """
        if self.device == "cpu":
            return tensor
        return tensor.pin_memory().to(self.device, non_blocking=True)

    def training_kernels(self) -> AbstractContextManager[Any]:
        """Return a context of attention kernels whose backward pass adds in a fixed order.

        On GPUs the memory-efficient kernel does not.
        """
        if self.device == "cuda":
            return sdpa_kernel([SDPBackend.FLASH_ATTENTION, SDPBackend.MATH])
        return nullcontext()

    def as_record(self) -> dict[str, Any]:
        return asdict(self)


def execution_for(training: TrainingSettings) -> Execution:
    """Resolve "auto" and zeros, and set torch's threads and its deterministic algorithms. Raises ConfigError."""
    device = _device(training.device)
    gpu = device == "cuda"
    precision = training.precision if training.precision != "auto" else ("bf16" if gpu and _has_bf16() else "fp32")
    threads = training.threads or usable_cores()
    torch.set_num_threads(threads)
    # This must be set before the first CUDA product. Without it cuBLAS may add in another order each time.
    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
    torch.use_deterministic_algorithms(True, warn_only=True)
    # Otherwise every new tensor is filled first, in vain: nothing is read before it is written.
    torch.utils.deterministic.fill_uninitialized_memory = False  # type: ignore[attr-defined]
    warnings.filterwarnings("ignore", message=".*deterministic.*", category=UserWarning)
    return Execution(
        device=device,
        device_name=torch.cuda.get_device_name() if gpu else "cpu",
        precision=precision,
        threads=threads,
        micro_batch_tokens=training.micro_batch_tokens or (GPU_TRAINING_TOKENS if gpu else CPU_TOKENS),
        score_batch_tokens=training.score_batch_tokens or (GPU_SCORING_TOKENS if gpu else CPU_TOKENS),
        exact_rows=GPU_EXACT_ROWS if gpu else CPU_EXACT_ROWS,
        shard_sentences=training.shard_sentences or (GPU_SHARD if gpu else CPU_SHARD),
        whole_batch_tokens=GPU_WHOLE_BATCH_TOKENS if gpu else 0,
        fused_optimizer=gpu,
    )


def peak_memory(execution: Execution) -> dict[str, int]:
    """Return the most GPU memory that this process has held so far, in MiB, for the record.

    On a CPU the result is empty.
    """
    return {"peak_gpu_mib": torch.cuda.max_memory_allocated() >> 20} if execution.device == "cuda" else {}


def usable_cores() -> int:
    """Return the number of cores that this process may use.

    It is OMP_NUM_THREADS, else the lesser of the CPU set and the container's quota.
    """
    asked = os.environ.get("OMP_NUM_THREADS", "")
    if asked.isdigit() and int(asked) > 0:
        return int(asked)
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(cores, _quota()))


def _quota() -> int:
    if not CGROUP_CPU.is_file():
        return 1 << 16
    quota, _, period = CGROUP_CPU.read_text().partition(" ")
    return math.ceil(int(quota) / int(period)) if quota.isdigit() and period.strip().isdigit() else 1 << 16


def _device(asked: str) -> str:
    if asked == "auto":
        return "cuda" if torch.cuda.is_available() else "cpu"
    if asked == "cuda" and not torch.cuda.is_available():
        raise ConfigError('config.toml: [training] device = "cuda", and torch sees no GPU here; use "auto" or "cpu"')
    return asked


def _has_bf16() -> bool:
    return torch.cuda.is_bf16_supported()
