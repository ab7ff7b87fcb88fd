"""Every fault that a definition can have, with its place and its words.

Each line of faults.jsonl changes a valid definition at some places, and says what is wrong then.
"""

import json
from functools import reduce
from pathlib import Path
from typing import Any

import pytest

from annotation_app.codebook.definition import DefinitionError, parse_definition
from tests.codebook.codebook_examples import three_stages
from tests.spans import span_codebook

TABLE = [json.loads(line) for line in Path(__file__).with_name("faults.jsonl").read_text(encoding="utf-8").splitlines()]
BASES = {"stages": three_stages, "spans": span_codebook}


def repeated(value: Any) -> Any:
    """Write out {"repeat": value, "times": n}."""
    if isinstance(value, dict):
        return value["repeat"] * value["times"] if "repeat" in value else {k: repeated(v) for k, v in value.items()}
    return [repeated(each) for each in value] if isinstance(value, list) else value


def changed(base: str, changes: dict[str, Any]) -> Any:
    definition = json.loads(json.dumps(BASES[base]()))
    for path, value in changes.items():
        *way, last = [int(part) if part.isdigit() else part for part in path.split(".")]
        place = reduce(lambda each, part: each[part], way, definition)
        if value == "(left out)":
            del place[last]
        else:
            place[last] = repeated(value)
    return definition


@pytest.mark.parametrize("line", TABLE, ids=lambda line: json.dumps(line.get("changes", line.get("definition")))[:60])
def test_it_names_the_place_of_a_fault_and_how_to_mend_it(line: dict[str, Any]) -> None:
    definition = changed(line["of"], line["changes"]) if "of" in line else line["definition"]
    with pytest.raises(DefinitionError) as refused:
        parse_definition(definition)
    assert dict(refused.value.errors) == line["faults"]
    assert len(refused.value.errors) == len(line["faults"])
