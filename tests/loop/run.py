"""The main job over HTTP: import, three rounds of labelling, training in between, agreement, export."""

import io
import json
import time
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.loop.annotators import TASTES, label_all
from tests.loop.client import Person
from tests.stack import PASSWORD, Stack

Say = Callable[[str], None]
STRATEGIES = ("random", "entropy", "cal")
ROUND_TIMEOUT = 1800.0


@dataclass
class LoopReport:
    """What the loop did: the import's report, each round's final state, agreement rows, exported lines."""

    project: str = ""
    imported: dict[str, Any] = field(default_factory=dict)
    rounds: list[dict[str, Any]] = field(default_factory=list)
    agreement: list[dict[str, Any]] = field(default_factory=list)
    exported: dict[str, list[str]] = field(default_factory=dict)


def loop_run(
    stack: Stack, corpus: Path, *, query_size: int, say: Say, strategies: Sequence[str] = STRATEGIES, model: str = ""
) -> LoopReport:
    report = LoopReport()
    admin, annotators = people_sign_in(stack)
    report.project = admin.post("projects/", {"name": f"Loop on {corpus.name}"})["id"]
    join(admin, annotators, report.project)
    report.imported = import_corpus(admin, report.project, corpus, say)
    for strategy in strategies:
        report.rounds.append(round_run(admin, annotators, report.project, strategy, query_size, model, say))
    report.agreement = agreement_show(admin, report.project, say)
    for kind in ("aggregated", "annotations"):
        report.exported[kind] = admin.lines(f"projects/{report.project}/export/?kind={kind}&format=jsonl")
        say(f"Exported {len(report.exported[kind])} lines of kind {kind}.")
    return report


def people_create(stack: Stack) -> None:
    """Makes the accounts of an admin who may create projects, and of the annotators."""
    stack.manage("create_user", "admin", "--may-create-projects")
    for taste in TASTES:
        stack.manage("create_user", taste.name, "--display-name", taste.name.title())


def people_sign_in(stack: Stack) -> tuple[Person, list[Person]]:
    return Person(stack.url, "admin", PASSWORD), [Person(stack.url, taste.name, PASSWORD) for taste in TASTES]


def join(admin: Person, people: list[Person], project: str, role: str = "annotator") -> None:
    for person in people:
        url = admin.post(f"projects/{project}/invites/", {"role": role})["url"]
        person.post("invites/accept/", {"token": url.rsplit("/", 1)[1]})


def zipped(corpus: Path) -> bytes:
    """A ConvoKit folder as the zip that a browser would upload."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in ("utterances.jsonl", "speakers.json", "conversations.json", "corpus.json", "index.json"):
            if (corpus / name).is_file():
                archive.write(corpus / name, name)
    return buffer.getvalue()


def import_corpus(admin: Person, project: str, corpus: Path, say: Say) -> dict[str, Any]:
    name, data = (f"{corpus.name}.zip", zipped(corpus)) if corpus.is_dir() else (corpus.name, corpus.read_bytes())
    started = time.monotonic()
    report = import_file(admin, project, name, data)
    seconds = time.monotonic() - started
    say(f"Imported {report['documents']} documents, {report['utterances']} utterances in {seconds:.1f} s.")
    say(f"  {report['kept']} sentences kept, left out {report['left_out']}; splitter {report['splitter']}.")
    return report


def import_file(admin: Person, project: str, name: str, data: bytes, **options: str) -> dict[str, Any]:
    """Uploads a file, waits for its import and gives the report."""
    fields = {"format": "auto", **options}
    job = admin.call("POST", f"projects/{project}/imports/", data=fields, files={"file": (name, data)})
    while job["state"] in ("queued", "running"):
        time.sleep(0.3)
        job = admin.get(f"imports/{job['id']}/")
    assert job["state"] == "done", json.dumps(job, indent=1)
    return dict(job["report"])


def round_run(
    admin: Person, annotators: list[Person], project: str, strategy: str, query_size: int, model: str, say: Say
) -> dict[str, Any]:
    """Starts a round, waits until its batch is open, has it labelled, and returns its final state."""
    row = round_wait(admin, round_start(admin, project, strategy, query_size, model)["id"])
    say_trained(row, say)
    for person, taste in zip(annotators, TASTES, strict=True):
        label_all(person, project, taste)
    row = admin.get(f"rounds/{row['id']}/")
    assert row["state"] == "complete", row
    say(f"  {row['batch']['size']} items, {row['batch']['done']} of {row['batch']['total']} assignments submitted.")
    return dict(row)


def round_start(
    admin: Person,
    project: str,
    strategy: str,
    query_size: int,
    model: str = "",
    stages: Sequence[str] = ("opinion",),
) -> dict[str, Any]:
    """For all annotators of the project, each item to everyone."""
    page = admin.get(f"projects/{project}/rounds/")
    members = [person["id"] for person in page["annotators"] if person["role"] == "annotator"]
    body = {
        "strategy": strategy,
        "options": {},
        "query_size": query_size,
        "random_state": 13,
        "model": model or page["models"][0]["name"],
        "learning_stages": list(stages),
        "annotators": members,
        "annotators_per_item": len(members),
    }
    return dict(admin.post(f"projects/{project}/rounds/", body))


def round_wait(admin: Person, round_id: str) -> dict[str, Any]:
    until = time.monotonic() + ROUND_TIMEOUT
    while time.monotonic() < until:
        row = admin.get(f"rounds/{round_id}/")
        if row["state"] in ("annotating", "complete"):
            return dict(row)
        assert row["state"] not in ("failed", "cancelled"), f"{row['failed_step']}: {row['failure']}"
        time.sleep(0.3)
    raise AssertionError(f"The round is still {row['state']} after {ROUND_TIMEOUT:.0f} s.")


def say_trained(row: dict[str, Any], say: Say) -> None:
    steps = ", ".join(f"{s['name']} {s['seconds']:.1f} s" for s in row["progress"]["steps"] if s["seconds"])
    trained = f"{row['model']} on {row['n_training']} labels" if row["model"] != "none" else "no model"
    say(f"Round {row['number']}: {row['strategy_used']}, {trained}; {steps}")
    for name, figures in row["metrics"].items():
        say(f"  {name}: {json.dumps(figures, ensure_ascii=False)}")
    for notice in row["notices"]:
        say(f"  notice: {notice}")


def agreement_show(admin: Person, project: str, say: Say) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = admin.get(f"projects/{project}/agreement/?scope=all")["rows"]
    for row in rows:
        if row["pair"] is None:
            where = "all rounds" if row["round"] is None else f"round {row['round']}"
            say(f"  {row['stage']:<20} {where:<10} n={row['n_items']:<4} " + ", ".join(coefficients(row)))
    return rows


def coefficients(row: dict[str, Any]) -> list[str]:
    names = ("percent_agreement", "fleiss_kappa", "alpha_nominal")
    return [
        f"{name} {row[name]:.3f}" if row[name] is not None else f"{name}: {row['reason'].get(name)}" for name in names
    ]
