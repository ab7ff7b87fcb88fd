"""The table of roles, held against the SQL that names one."""

import re
from pathlib import Path

import annotation_app
from annotation_app.models import CAPABILITIES, Capability, Role

SQL = Path(annotation_app.__file__).parent


def test_every_role_has_its_line() -> None:
    assert set(CAPABILITIES) == set(Role)


def test_sql_leaves_out_the_roles_whose_answers_do_not_count() -> None:
    named = [found for path in SQL.rglob("*.sql") for found in re.findall(r"role\s*(\S+)\s*'(\w+)'", path.read_text())]
    assert named == [("<>", "adjudicator")] * 2
    assert [role for role in Role if Capability.RATE not in CAPABILITIES[role]] == [Role.ADJUDICATOR]
