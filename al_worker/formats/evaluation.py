"""Name the systems and the files of an evaluation, for the web side and the model side."""

import re

# Systems without a model: the most frequent gold label for every item, and each annotator.
MAJORITY = "majority"
PEOPLE = "people"

FIGURES = "figures.json"

# A system's name is part of its files' names.
SYSTEM_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
SYSTEM_NAME_WORDS = "letters, digits, dots, hyphens and _, 100 at most"
