"""Name the files of a simulation and what it compares, for the web side and the model side.

docs/methods/simulation.md describes the configuration and every file. Standard library only.
"""

import re

TRAIN = "train.jsonl"
TEST = "test.jsonl"

RESULTS = "results.jsonl"
SUMMARY = "summary.json"
REPORT = "report.html"
PLOTS = "plots"
CELLS = "cells"
LINES = "lines.jsonl"

# The strategy name of the cells that are trained on the whole pool at once.
FULL = "full-supervision"
CASE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9.-]*(?:_[A-Za-z0-9.-]+)*")
CASE_NAME_WORDS = 'letters, digits, dots, hyphens, single "_"'
