"""The rules in the database: what each says, who may read them, and what follows when one changes."""

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection

from annotation_app.agreement.selectors import agreement_table
from annotation_app.config import rules
from annotation_app.models import CAPABILITIES, Assignment, Capability, Membership, RecountQueue, Role
from tests.agreement.tables import at, fill
from tests.conftest import People
from tests.stack import ROOT


def read(sql: str, *values: object) -> list[tuple[object, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        return list(cursor.fetchall())


@pytest.mark.parametrize(("slots", "takes"), [(0, 1), (1, 1), (2, 2), (3, 2), (4, 3), (5, 3), (6, 4)])
def test_a_majority_takes_more_than_half_of_the_slots(db: None, slots: int, takes: int) -> None:
    assert read("SELECT rules.majority_takes(%s)", slots) == [(takes,)]


@pytest.mark.parametrize(
    ("answers", "slots", "is_set", "votes", "majority"),
    [
        (["Y", "Y", "N"], 3, False, {"Y": 2, "N": 1}, "Y"),
        (["Y", "N"], 2, False, {"Y": 1, "N": 1}, None),
        (['["a","b"]', '["a"]', "[]"], 3, True, {'["a","b"]': 1, '["a"]': 1, "[]": 1}, '["a"]'),
    ],
)
def test_the_verdict_counts_answers_and_names_the_majority(
    db: None, answers: list[str], slots: int, is_set: bool, votes: dict[str, int], majority: str | None
) -> None:
    asked = "SELECT votes, majority FROM rules.verdict(%s::text[], %s, %s)"
    ((counted, chosen),) = read(asked, answers, slots, is_set)
    assert (json.loads(str(counted)), chosen) == (votes, majority)
    # A statement that reads only the majority has the function's own query in it, without the votes.
    plan = read(f"EXPLAIN (COSTS OFF, VERBOSE) {asked.replace('votes, ', '')}", answers, slots, is_set)
    assert "jsonb_object_agg" not in str(plan) and "Function Scan on rules.verdict" not in str(plan)


def test_progress_counts_skips_as_done_and_surplus_not(people: People) -> None:
    # Of items with two slots: what became of three assignments, and (done, surplus, needed, complete, finished).
    cases = {
        "both": (["submitted", "skipped", "withdrawn"], (2, 0, 2, True, True)),
        "one_left": (["submitted", "open", "withdrawn"], (1, 0, 2, False, False)),
        "one_person_left": (["submitted", "withdrawn", "withdrawn"], (1, 0, 1, True, True)),
        "surplus": (["surplus", "submitted", "open"], (1, 1, 2, False, False)),
        "nobody_left": (["withdrawn", "withdrawn", "withdrawn"], (0, 0, 0, True, False)),
    }
    batch = fill(people.project, people.annotators, at("opinion", dict.fromkeys(cases, "YYY")), slots=2)
    for name, (states, _) in cases.items():
        rows = batch.batch_items.get(item__external_id=name).assignments.order_by("annotator")
        for row, state in zip(rows, states, strict=True):
            Assignment.objects.filter(pk=row.pk).update(state=state, slot=None)
    found = read(
        """
        SELECT i.external_id, p.done, p.surplus, p.needed, p.complete, p.finished
        FROM rules.item_progress p JOIN annotation_app_item i ON i.id = p.item WHERE p.batch = %s
        """,
        batch.pk,
    )
    assert {name: tuple(rest) for name, *rest in found} == {name: expected for name, (_, expected) in cases.items()}


def test_only_submitted_annotations_of_raters_count(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    batch = fill(people.project, people.annotators, at("opinion", {"i1": "YYN"}))
    first, second, third = (member.number for member in people.annotators)
    raters = "SELECT rater FROM rules.rated_answer WHERE batch = %s ORDER BY rater"
    assert read(raters, batch.pk) == [(first,), (second,), (third,)]
    Assignment.objects.filter(annotator=people.annotators[2]).update(state="skipped")
    Membership.objects.filter(pk=people.annotators[0].pk).update(role=Role.ADJUDICATOR)
    assert read(raters, batch.pk) == [(second,)]
    # The view has its roles from the table of capabilities.
    monkeypatch.setitem(CAPABILITIES, Role.ADJUDICATOR, frozenset({Capability.RATE}))
    call_command("migrate", verbosity=0)
    assert read(raters, batch.pk) == [(first,), (second,)]


@pytest.fixture
def majority_rule(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The file of the majority rule in a copy of the rules, which the next migrate reads."""
    folder = Path(shutil.copytree(rules.SQL, tmp_path / "rules"))
    monkeypatch.setattr(rules, "SQL", folder)
    yield folder / "majority_takes.sql"


def test_all_items_are_counted_anew_by_another_majority_rule(people: People, majority_rule: Path) -> None:
    said = {"i1": "YYN", "i2": "YYY", "i3": "YNN"}
    fill(people.project, people.annotators, at("opinion", said))

    def items_with_majority() -> int:
        rows = agreement_table(project=people.project, scope="majority").rows
        return next(row.n_items for row in rows if row.stage == "opinion" and row.round is None and row.pair is None)

    assert items_with_majority() == 3
    majority_rule.write_text(f"-- Another comment.\n{majority_rule.read_text()}")
    call_command("migrate", verbosity=0)
    assert not RecountQueue.objects.exists()
    majority_rule.write_text(majority_rule.read_text().replace("slots / 2 + 1", "slots"))
    call_command("migrate", verbosity=0)
    assert RecountQueue.objects.count() == len(said)
    assert items_with_majority() == 1


def test_the_applications_role_reads_the_rules_and_changes_nothing_through_them(db: None) -> None:
    rights = read(
        """
        SELECT bool_and(has_table_privilege('quorum_app', c.oid, 'SELECT')),
            bool_or(has_table_privilege('quorum_app', c.oid, 'INSERT, UPDATE, DELETE'))
        FROM pg_class c WHERE c.relnamespace = 'rules'::regnamespace AND c.relkind = 'v'
        """
    )
    assert rights == [(True, False)]


def test_the_page_lists_every_file_that_says_what_a_majority_is() -> None:
    page = (ROOT / "docs/develop/extending.md").read_text(encoding="utf-8")
    section = page.partition("## A rule: the majority")[2].partition("\n## ")[0]
    listed = set(re.findall(r"^    - `(.+)`$", section, re.MULTILINE))
    # The neighbours of CAL, and this page itself.
    others = {"docs/develop/run_directory.md", "docs/develop/extending.md"}
    saying = {
        str(path.relative_to(ROOT))
        for folder in ("annotation_app", "docs", "frontend/src")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in {".py", ".sql", ".md", ".ts", ".tsx"}
        and re.search(r"more\s+than\s+half", path.read_text(encoding="utf-8"), re.IGNORECASE)
    }
    assert listed == saying - others
