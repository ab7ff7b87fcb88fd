"""Where the demo's data lie."""

from pathlib import Path

CODEBOOK = Path(__file__).parent / "codebook.json"
CORPUS = Path(__file__).parent / "corpus"
