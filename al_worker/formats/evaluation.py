"""Name the systems and the files of an evaluation, for the web side and the model side."""

import re

# Systems without a model: the most frequent gold label for every item, and each annotator.
MAJORITY = "majority"
PEOPLE = "people"

FIGURES = "figures.json"
GOLD, POOL, VOTES, HUMANS = "gold.jsonl", "pool.jsonl", "votes.jsonl", "humans.json"
# Every answer of the language models, as it was asked and given.
ANSWERS = "answers.jsonl"
RESULTS, PREDICTIONS, GIVEN = "results", "predictions.jsonl", "given.jsonl"
TABLES, PLOTS = "tables", "plots"
# After a request to stop, requests that are under way are waited for so long, because they are paid.
STOP_SECONDS = 60.0

# A system's name is part of its files' names.
SYSTEM_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
SYSTEM_NAME_WORDS = "letters, digits, dots, hyphens and _, 100 at most"


def answers_name(system: str) -> str:
    """Return the name of the file with a language model's raw answers."""
    return f"answers-{system}.jsonl"


def file_part(name: str) -> str:
    """Return a system's or a stage's name as a part of a file's name."""
    return name.replace("/", "-")
