"""Name the files with what an earlier version stored and answered, and two of its people who can sign in."""

from pathlib import Path

FOLDER = Path(__file__).parent / "earlier"
DUMP, ANSWERS = FOLDER / "quorum.sql.xz", FOLDER / "answers.json.xz"
KEEPER, READER = "keeper", "reader"
