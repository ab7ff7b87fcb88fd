"""The OpenAPI schema as it is served."""

import json

import pytest
from rest_framework.test import APIClient

PATH = "/api/schema/"


@pytest.mark.parametrize(("query", "accept"), [("", "application/json"), ("?format=json", "*/*")])
def test_it_is_json_where_json_is_asked_for(query: str, accept: str) -> None:
    answer = APIClient().get(f"{PATH}{query}", HTTP_ACCEPT=accept)
    assert answer["Content-Type"].endswith("json")
    assert "/api/me/" in json.loads(answer.content)["paths"]


def test_it_is_yaml_otherwise() -> None:
    answer = APIClient().get(PATH)
    assert answer["Content-Type"].startswith("application/vnd.oai.openapi;")
    assert answer.content.startswith(b"openapi: 3.")
