"""Name the files of the demo's data."""

from pathlib import Path

CODEBOOK = Path(__file__).parent / "codebook.json"
CORPUS = Path(__file__).parent / "corpus"
SPANS_CODEBOOK = Path(__file__).parent / "spans_codebook.json"
REPORTS = Path(__file__).parent / "reports.jsonl"
NOTES = Path(__file__).parent / "notes.jsonl"
NOTE_CLASSES = Path(__file__).parent / "note_classes.json"
FACTOIDS = Path(__file__).parent / "factoids"
