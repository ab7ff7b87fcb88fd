"""Let the processes of one web server share what they count, through a folder of memory-mapped files."""

import atexit
import os
import shutil
import tempfile

FOLDER = "PROMETHEUS_MULTIPROC_DIR"


def folder_prepare() -> None:
    """Make the folder in which the processes of one web server share their counts, before the server forks.

    The library reads the variable once, when it is first imported, so this comes before any import of the counters.
    """
    if FOLDER not in os.environ:
        os.environ[FOLDER] = folder = tempfile.mkdtemp(prefix="quorum-metrics-")
        atexit.register(folder_delete, folder, os.getpid())


def folder_delete(folder: str, owner: int) -> None:
    """Delete the folder where the process that made it ends. Forked processes leave it."""
    if os.getpid() == owner:
        shutil.rmtree(folder, ignore_errors=True)
