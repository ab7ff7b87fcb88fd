"""Name the machine that computed, as a paper would: no host name and no kernel build; and the libraries' versions."""

import platform
import re
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

# The libraries that the numbers come from.
PACKAGES = ("numpy", "scipy", "scikit-learn", "torch", "transformers", "tokenizers", "safetensors")
CPU_INFO = Path("/proc/cpuinfo")
MODEL_NAME = re.compile(r"^model name\s*:\s*(\S.*)$", re.MULTILINE)


def machine_facts() -> dict[str, str]:
    """Return system, architecture and processor. `processor` is empty where the system does not tell.

    A GPU's name is recorded with the steps that used it.
    """
    return {"system": platform.system(), "architecture": platform.machine(), "processor": processor_name()}


def processor_name() -> str:
    """Return the name of the processor, or "" where the system does not tell."""
    if not CPU_INFO.is_file():
        return platform.processor()
    named = MODEL_NAME.search(CPU_INFO.read_text())
    return named[1].strip() if named else ""


def library_versions() -> dict[str, str | None]:
    """Return the versions of Python and of the libraries that the numbers come from."""
    return {"python": platform.python_version(), **{name: installed(name) for name in PACKAGES}}


def installed(name: str) -> str | None:
    """Return the version of a package, or None where it is not installed."""
    try:
        return version(name)
    except PackageNotFoundError:
        return None
