"""The table of roles."""

from pathlib import Path

import pytest

import annotation_app
from annotation_app.models import CAPABILITIES, Capability, Role, usual_raters

SQL = Path(annotation_app.__file__).parent


def test_every_role_has_its_line() -> None:
    assert set(CAPABILITIES) == set(Role)


def test_who_runs_the_project_is_no_usual_rater(monkeypatch: pytest.MonkeyPatch) -> None:
    assert usual_raters() == (Role.ANNOTATOR,)
    monkeypatch.setitem(CAPABILITIES, Role.ADJUDICATOR, frozenset({Capability.RATE, Capability.RESOLVE}))
    assert usual_raters() == (Role.ANNOTATOR, Role.ADJUDICATOR)


def test_no_file_of_sql_names_a_role() -> None:
    texts = {str(path.relative_to(SQL)): path.read_text() for path in SQL.rglob("*.sql")}
    assert [name for name, text in texts.items() if any(f"'{role}'" in text for role in Role)] == []
