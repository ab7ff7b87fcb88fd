"""Codebooks to start from: each can be saved and published as it is."""

import json

import pytest

from annotation_app.codebook.definition import parse_definition
from annotation_app.codebook.templates import FOLDER, TEMPLATES, Template


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda template: template.title)
def test_a_template_has_no_fault(template: Template) -> None:
    codebook = parse_definition(template.definition)
    assert codebook.stages or codebook.span_layer
    assert template.help.endswith(".")


def test_every_file_is_offered() -> None:
    assert set(FOLDER.glob("*.json")) <= {template.path for template in TEMPLATES}
    assert len({json.dumps(template.definition) for template in TEMPLATES}) == len(TEMPLATES)
