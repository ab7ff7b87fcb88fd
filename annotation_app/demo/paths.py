"""Where the demo's data files are."""

from pathlib import Path

CODEBOOK = Path(__file__).with_name("codebook.json")
CORPUS = Path(__file__).with_name("corpus")
