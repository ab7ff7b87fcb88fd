"""A test set in a file, and a rule that labels by words."""

import json
from collections.abc import Sequence
from typing import Any

from annotation_app.models import Round
from tests.labels import NO, YES, label_batch

# CR, tab and emoji stand as they were sent.
LINES = [
    {"id": "t1", "text": "Rates should\trise 🎉 now.\r\n", "label": "yes"},
    {"id": 2, "text": "The report was filed.", "label": "no", "source": "elsewhere"},
    {"id": "t3", "text": "Policy is tight.", "label": "yes"},
]


def jsonl(lines: Sequence[Any]) -> bytes:
    return "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines).encode()


def by_words(row: Round) -> None:
    label_batch(row.batch, lambda member, item: YES if "should" in item.text or "policy" in item.text else NO)
