"""Write the record of a round: what a paper needs to say how a batch was chosen."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from al_worker.formats.models import learning_rate_for
from annotation_app.models import Event, Round
from annotation_app.rounds.figures import figures_by_stage

if TYPE_CHECKING:
    from annotation_app.rounds.results import Results


def failures(row: Round) -> list[dict[str, Any]]:
    """Return the failures before the round succeeded, from the audit log."""
    events = Event.objects.filter(verb="round_failed", subject=str(row.uuid)).order_by("pk")
    return [{"at": event.created_at.isoformat(), **event.data} for event in events]


def held_out_record(row: Round, results: "Results") -> dict[str, Any] | None:
    """Return what the model was measured on: `n` usable items of the file with this hash."""
    if row.test_set is None:
        return None
    held_out = figures_by_stage(row.learning_stages, results.metrics).get(row.test_set.stage, {}).get("held_out")
    return {
        "stage": row.test_set.stage,
        "file_name": row.test_set.file_name,
        "sha256": row.test_set.sha256,
        "items": row.test_set.n,
        "n": held_out["n"] if held_out else None,
    }


def rate_record(row: Round) -> dict[str, Any] | None:
    """Return the learning rate and where it comes from; None where no model was trained with one."""
    rate = learning_rate_for(row.model, row.learning_rate)
    return None if rate is None else asdict(rate)


def round_facts(row: Round) -> dict[str, Any]:
    """Return which round it is, and its state."""
    return {"id": str(row.uuid), "number": row.number, "attempt": row.attempt, "state": row.state}


def round_record(row: Round, results: "Results") -> dict[str, Any]:
    """Return the whole record as JSON: the request, the data, the machine's own record, and the result."""
    return {
        "format": "quorum-round-record/2",
        "project": {"id": str(row.project.uuid), "name": row.project.name},
        "round": round_facts(row),
        "codebook": {"id": str(row.codebook.uuid), "version": row.codebook.version},
        "strategy": {
            "asked": row.strategy_asked,
            "used": row.strategy_used,
            "reason": results.record.get("strategy", {}).get("reason", ""),
            "allowed_alternative": row.allowed_alternative,
            "options": row.options,
            "combine": row.combine,
        },
        "query_size": row.query_size,
        "random_state": row.random_state,
        "random_share": row.random_share,
        "no_duplicate_texts": row.no_duplicate_texts,
        "model": row.model,
        "learning_rate": rate_record(row),
        "learning_stages": row.learning_stages,
        "annotators_per_item": row.annotators_per_item,
        "annotators": [
            f"annotator {number}" for number in row.annotators.order_by("number").values_list("number", flat=True)
        ],
        "shares": {
            f"annotator {each.number}": row.shares[str(each.uuid)]
            for each in row.annotators.order_by("number")
            if str(each.uuid) in row.shares
        },
        "started_at": row.created_at.isoformat(),
        "training_set": {
            "n": len(row.training_set),
            "sha256": row.training_set_hash,
            "label_phase": row.label_phase,
            "use_adjudicated": row.use_adjudicated,
            "hashed": "the JSON list of [id, labels], sorted by id; the machine hashes the lines of its input file",
            "examples": [{"id": item, "labels": labels} for item, labels in row.training_set],
        },
        "test_set": held_out_record(row, results),
        "selected": [{"id": c.item, "rank": c.rank, "score": c.score} for c in results.chosen],
        "metrics": results.metrics,
        "notices": row.notices,
        "failures": failures(row),
        "files": [{"name": f.name, "sha256": f.sha256, "size": f.size} for f in results.files],
        "machine": results.record,
    }
