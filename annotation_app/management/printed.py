"""Every SQL statement that is kept in files, by the name under which `manage.py print_sql` knows it."""

from annotation_app.aggregation import statements as aggregation
from annotation_app.agreement import span_statements as agreement_on_spans
from annotation_app.agreement import statements as agreement
from annotation_app.agreement.file_table import CREATE
from annotation_app.annotation import statements as annotation
from annotation_app.assignment import statements as assignment
from annotation_app.dashboards import statements as dashboards
from annotation_app.dashboards.report import statements as report
from annotation_app.db.psql import Value, for_psql
from annotation_app.db.statement import whole_statements
from annotation_app.equivalence import statements as equivalence
from annotation_app.evaluation import statements as evaluation
from annotation_app.export import statements as export
from annotation_app.factoids import statements as factoids
from annotation_app.projects import copies
from annotation_app.releases import counts
from annotation_app.releases.datasheet_facts import facts
from annotation_app.validation import review_state as validation

# Values with which each statement runs as it is printed. A parameter has the same meaning in all of them.
VALUES: dict[str, Value] = {
    "active_ms": 0,
    "actor": None,
    "adjudicated": True,
    "agreement": "any",
    "all_revisions": False,
    "ambiguous": [],
    "annotators": ["ada", "bob"],
    "around": 200,
    "assignment": "00000000-0000-0000-0000-000000000000",
    "assignment_id": 1,
    "assignment_state": "submitted",
    "assignments": [],
    "at_once": 5000,
    "base_revision": 0,
    "batch": None,
    "batches": None,
    "before": None,
    "body_hash": "",
    "but": None,
    "categories": "[]",
    "category": "act",
    "cause": "any",
    "client_id": "00000000-0000-0000-0000-000000000000",
    "codebook_id": 1,
    "comment": "",
    "context_opened": "sentence",
    "copy": 1,
    "created_at": "2026-01-01 00:00:00+00",
    "evaluation": 1,
    "evaluations": [],
    "factoid_phase": 1,
    "giver": 1,
    "gold": None,
    "iou": "0.5",
    "item": None,
    "k": 5,
    "kind": "all",
    "kinds": None,
    "labels": [],
    "layered": [],
    "least_confidence": None,
    "limit": 50,
    "lowest": None,
    "managers": [],
    "measures": "{}",
    "member": 1,
    "members": [],
    "model": "",
    "most": 60,
    "named": [],
    "names": "{}",
    "need": 20,
    "now": "2026-01-01 00:00:00+00",
    "of": "all",
    "offset": 0,
    "only": None,
    "orders": "{}",
    "page": 1,
    "pair": None,
    "pairing": 1,
    "person": None,
    "phase": 1,
    "picked": [],
    "predicted": None,
    "prediction": None,
    "project": 1,
    "projects": [],
    "q": "",
    "raters": [],
    "reader": 1,
    "revision": 1,
    "round": 0,
    "round_names": [""],
    "rounds": None,
    "scope": "all",
    "sees_open": True,
    "settled": "{}",
    "size": 25,
    "skip_reason": "",
    "slot": 1,
    "source": 1,
    "source_texts": False,
    "span_categories": [],
    "span_comments": [],
    "span_ends": [],
    "span_quotes": [],
    "span_sources": [],
    "span_starts": [],
    "stage": None,
    "stages": [],
    "state": "all",
    "states": ["open"],
    "suggestions_id": None,
    "suggestions_shown": False,
    "system": False,
    "system_name": None,
    "taker": 1,
    "text": "",
    "text_set": 1,
    "time_zone": "UTC",
    "token_ends": [],
    "token_starts": [],
    "token_units": [],
    "uuid": "00000000-0000-0000-0000-000000000000",
    "uuids": [],
    "validation": 1,
    "view": "all",
    "wall_ms": 0,
    "which": "all",
}
HOW = r"""-- Set the values below, and run this with psql. In place of a NULL stands any SQL: \set stage '''human'''
"""
# What must be there first. The table lives as long as the transaction.
BEFORE = {"agreement.table.file": f"BEGIN;{CREATE};\n"}


def named_statements() -> dict[str, str]:
    first = (assignment, annotation, aggregation, agreement, agreement_on_spans, validation, factoids)
    rooms = (*first, evaluation, export, dashboards, report, equivalence)
    composed = {name: text for room in rooms for name, text in room.named_statements().items()}
    whole = whole_statements("releases", counts.SQL) | whole_statements("releases.datasheet", facts.SQL)
    return composed | whole | whole_statements("projects", copies.SQL)


def printed(name: str, *, verb: str = "") -> str:
    """Return the statement of that name, ready for psql. Raises KeyError."""
    return HOW + BEFORE.get(name, "") + for_psql(named_statements()[name], VALUES, verb=verb)
