"""Record what an earlier version stored and answered: `python -m tests.upgrade.make CHECKOUT`.

CHECKOUT is a folder with that version and its built front end. It is started with its demo, and people do a bit of
everything over HTTP. Then the database and the answers to some requests are written to `earlier/`.
"""

import argparse
import json
import lzma
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from uuid import uuid4

from annotation_app.demo.coders import TASTES, Taste, answers
from annotation_app.demo.paths import CORPUS
from annotation_app.embedded.programs import find_postgres, server_user
from tests.loop.client import Person
from tests.loop.run import import_file, join, round_start, round_wait
from tests.stack import PASSWORD, Stack, passable_folder
from tests.upgrade.earlier import ANSWERS, DUMP, KEEPER, READER

STAGES, SPANS = "Monetary Board of Vellmark (demo)", "Reports on the Monetary Board (demo)"
RECORDED = {
    STAGES: (
        "agreement/?scope=all&phase=1",
        "agreement/?scope=majority&phase=2",
        "agreement/details/?stage=opinion",
        "export/?kind=aggregated&phase=1",
        "export/?kind=aggregated&phase=2",
        "export/?kind=aggregated&format=csv",
        "export/?kind=annotations&revisions=all&names=1",
        "export/?kind=annotations&format=csv",
    ),
    SPANS: (
        "span-agreement/",
        "export/?kind=aggregated",
        "export/?kind=annotations&revisions=all",
        "export/?kind=spans",
        "export/?kind=text&of=validated&style=angle",
        "export/?kind=targets",
        "export/?kind=conll",
        "export/?kind=webannotation",
    ),
}
Answering = Callable[[int, dict[str, Any]], dict[str, Any]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkout", type=Path, help="a folder with the earlier version, its front end built")
    checkout = parser.parse_args().checkout.resolve()
    with passable_folder() as folder:
        stack = Stack(folder / "state", root=checkout, demo=True)
        try:
            stack.start()
            work(stack)
            dump(stack)
        finally:
            stack.stop()


def work(stack: Stack) -> None:
    """Let people do their work in both demo projects, and record what the server answers afterwards."""
    people = signed_in(stack)
    admin = people["demo-admin"]
    projects = {each["name"]: each["id"] for each in admin.get("projects/")}
    stages, spans = projects[STAGES], projects[SPANS]
    for username in (KEEPER, READER):
        stack.manage("create_user", username)
    keeper, reader = (Person(stack.url, username, PASSWORD) for username in (KEEPER, READER))
    join(admin, [keeper], stages, "admin")
    join(admin, [keeper], spans, "admin")
    join(admin, [reader], stages)
    coders = [people[name] for name in ("demo-anna", "demo-bruno", "demo-chloe")]
    stack.manage("password_link", READER)
    stages_work(admin, coders, stages)
    spans_work(people["demo-dora"], coders, spans)
    around_work(admin, stages, spans)
    last_round(admin, [*coders, reader], stages)
    release(admin, stages)
    record(keeper, [f"projects/{projects[name]}/{path}" for name, paths in RECORDED.items() for path in paths])


def record(person: Person, paths: Sequence[str]) -> None:
    """Keep what the person is answered, by path."""
    responses = {path: person.send("GET", path) for path in paths}
    assert all(response.ok for response in responses.values()), responses
    found = {path: response.content.decode() for path, response in responses.items()}
    ANSWERS.write_bytes(lzma.compress(json.dumps(found).encode(), preset=9 | lzma.PRESET_EXTREME))


def signed_in(stack: Stack) -> dict[str, Person]:
    """Sign in the people of the demo, whose passwords its command prints."""
    rows = [line.split() for line in stack.manage("seed_demo").splitlines() if line.startswith("  demo-")]
    return {row[0]: Person(stack.url, row[0], row[1]) for row in rows}


def label(person: Person, project: str, answering: Answering, most: int = 1000) -> list[str]:
    """Answer what waits for the person, and return the ids of the assignments."""
    done: list[str] = []
    while len(done) < most and (found := person.get(f"projects/{project}/next/?ahead=1")["assignments"]):
        submit(person, found[0]["id"], answering(len(done), found[0]))
        done.append(found[0]["id"])
    return done


def submit(person: Person, assignment: str, said: dict[str, Any]) -> None:
    body = {"client_id": str(uuid4()), "base_revision": 0, "answers": {}, "spans": [], "comment": ""}
    body |= {"context_opened": "utterance", "active_ms": 4000, "wall_ms": 5000}
    person.post(f"assignments/{assignment}/annotations/", body | said)


def by_taste(taste: Taste) -> Answering:
    """Answer by a taste's rules, with a skip and a comment among the answers."""

    def said(number: int, assignment: dict[str, Any]) -> dict[str, Any]:
        if number == 5:
            return {"skip_reason": "The sentence breaks off."}
        found = answers(taste, assignment["item"])
        return {"answers": found, "comment": "Read twice." if number == 3 else ""}

    return said


def stages_work(admin: Person, coders: Sequence[Person], project: str) -> None:
    """Label the open round with revisions and flags, look again, and decide where people disagree."""
    for person, taste in zip(coders, TASTES, strict=True):
        done = label(person, project, by_taste(taste))
        submit(person, done[0], {"base_revision": 1, "answers": {"opinion": "no"}, "comment": "On second thoughts."})
        person.post(f"assignments/{done[1]}/flag/", {"note": "Is this a sentence?"})
    remark = admin.get(f"projects/{project}/remarks/?kind=flag")["remarks"][0]
    admin.post(f"projects/{project}/remarks/{remark['id']}/", {"resolved": True})
    latest = admin.get(f"projects/{project}/rounds/")["rounds"][0]
    admin.post(f"rounds/{latest['id']}/second-look/")
    for person, taste in zip(coders, (TASTES[1], TASTES[1], TASTES[2]), strict=True):
        label(person, project, lambda _, each, taste=taste: {"answers": answers(taste, each["item"])})
    admin.post(f"rounds/{latest['id']}/second-look/close/")
    open_items = admin.get(f"projects/{project}/adjudication/?kind=any")["items"]
    for item in open_items[:8]:
        decide(admin, project, item["id"], 0, {"labels": {"opinion": "no"}, "reason": "No view is stated."})
    decide(admin, project, open_items[0]["id"], 1, {"labels": {}, "reason": "Too early.", "withdraw": True})
    decide(admin, project, open_items[1]["id"], 1, {"labels": {"opinion": "ambiguous"}, "reason": "It is open."})


def decide(admin: Person, project: str, item: str, base: int, said: dict[str, Any]) -> None:
    body = {"client_id": str(uuid4()), "base_revision": base, "source": "adjudication"}
    admin.post(f"projects/{project}/adjudication/{item}/", body | said)


def spans_work(validator: Person, coders: Sequence[Person], project: str) -> None:
    """Mark the reports, each person other words, and validate them in every way."""
    for offset, person in enumerate(coders):
        label(person, project, lambda _, each, offset=offset: {"spans": marked(each["item"], offset)})
    items = validator.get(f"projects/{project}/validation/")["items"]
    for item, decision in zip(items, ("accepted", "edited", "rejected", "accepted", "accepted"), strict=False):
        page = validator.get(f"projects/{project}/validation/{item['id']}/")
        first = page["annotations"][0]
        said = {"decision": decision, "annotation": first["id"], "spans": [], "reason": ""}
        if decision == "edited":
            said["spans"] = marked(page["item"], 4)
        if decision == "rejected":
            said |= {"annotation": None, "reason": "Nobody marked the passage."}
        path = f"projects/{project}/validation/{item['id']}/"
        validator.post(path, {"client_id": str(uuid4()), "base_revision": 0, **said})
    reopened = {"decision": "reopened", "annotation": None, "spans": [], "reason": "Look again."}
    validator.post(path, {"client_id": str(uuid4()), "base_revision": 1, **reopened})


def marked(item: dict[str, Any], offset: int) -> list[dict[str, Any]]:
    """Mark the second paragraph, and single words in it, with a comment and a source document."""
    text = item["text"]
    start = text.index("\n\n") + 2
    end = text.index("\n\n", start) - (offset % 2)
    words = text[start:end].split()

    def one(category: str, at: int, to: int, comment: str | None = None, source: str | None = None) -> dict[str, Any]:
        return {
            "start": at,
            "end": to,
            "quote": text[at:to],
            "category": category,
            "comment": comment,
            "source": source,
        }

    def word(number: int) -> tuple[int, int]:
        at = start + len(" ".join(words[:number])) + (number > 0)
        return at, at + len(words[number])

    return [
        one("std_sentence", start, end),
        one("act", *word(3 + offset), "Did not raise rates"),
        one("actor", *word(0)),
        one("reference", *word(1), None, item["sources"][0]["id"]),
        *([one("attribution", *word(2), "A member")] if offset == 1 else []),
    ]


def around_work(admin: Person, stages: str, spans: str) -> None:
    """Do what stands around the labelling: files, settings, people, a simulation, a project to be deleted."""
    definition = next(each for each in admin.get(f"projects/{stages}/codebooks/"))["definition"]
    admin.post(f"projects/{stages}/codebooks/", {"definition": definition})
    unused = admin.post(f"projects/{stages}/invites/", {"role": "annotator", "note": "For a colleague"})
    admin.post(f"invites/{unused['id']}/revoke/")
    admin.post(f"projects/{stages}/invites/", {"role": "adjudicator"})
    item = admin.get(f"projects/{stages}/items/?state=pool")["items"][0]
    admin.post(f"items/{item['id']}/leave-out/", {"reason": "A greeting."})
    question = admin.get(f"projects/{stages}/datasheet/")["sections"][0]["questions"][0]["key"]
    admin.call("PUT", f"projects/{stages}/datasheet/{question}/", json={"text": "A test.", "base_revision": 0})
    texts = labelled_texts()
    admin.call(
        "POST",
        f"projects/{stages}/test-set/",
        data={"stage": "opinion"},
        files={"file": jsonl("test.jsonl", texts[:20])},
    )
    spec = {"name": "Two strategies", "source": {"kind": "upload"}, "models": ["bow-logreg"], "seeds": [1]}
    spec |= {"strategies": [{"key": name, "name": name} for name in ("random", "entropy")]}
    spec |= {"batch_sizes": [10], "batches": 2}
    files = {"train": jsonl("train.jsonl", texts[:80]), "test": jsonl("test.jsonl", texts[80:])}
    simulation = admin.call("POST", f"projects/{stages}/simulations/", data={"spec": json.dumps(spec)}, files=files)
    wait(lambda: admin.get(f"simulations/{simulation['id']}/")["state"] == "done")
    premarked(admin, spans)


def labelled_texts() -> list[dict[str, str]]:
    """Give a hundred of the demo's turns a label by a rule on words."""
    lines = (CORPUS / "utterances.jsonl").read_text(encoding="utf-8").splitlines()[:100]
    texts = [json.loads(line)["text"] for line in lines]
    return [
        {"id": f"turn-{number}", "text": f"{text} (heard)", "label": "yes" if "rate" in text else "no"}
        for number, text in enumerate(texts)
    ]


def jsonl(name: str, rows: list[dict[str, str]]) -> tuple[str, bytes]:
    return name, "".join(json.dumps(row) + "\n" for row in rows).encode()


def premarked(admin: Person, spans: str) -> None:
    """Make a project from validated spans, archive it, and ask for its deletion."""
    lines = admin.send("GET", f"projects/{spans}/export/?kind=spans&of=validated").content
    project = admin.post("projects/", {"name": "To be deleted", "codebook": "spans"})["id"]
    import_file(admin, project, "premarked.jsonl", lines, format="jsonl", unit="document")
    undone = import_file(admin, project, "again.jsonl", b'{"id": "x", "text": "One."}', format="jsonl", unit="document")
    assert undone["items"] == 1, undone
    admin.post(f"imports/{admin.get(f'projects/{project}/imports/')[0]['id']}/undo/")
    admin.post(f"projects/{project}/delete/", {"name": "To be deleted"})


def last_round(admin: Person, coders: Sequence[Person], project: str) -> None:
    """Start a round that a model chooses, and leave it half answered."""
    round_wait(admin, round_start(admin, project, "entropy", 6, "bow-logreg")["id"])
    for person, taste in zip(coders, (*TASTES, TASTES[0]), strict=True):
        label(person, project, by_taste(taste), most=3)


def release(admin: Person, project: str) -> None:
    made = admin.post(f"projects/{project}/releases/", {"notes": "The first one."})
    wait(lambda: admin.get(f"releases/{made['id']}/")["state"] == "done")


def wait(done: Callable[[], bool]) -> None:
    until = time.monotonic() + 300
    while not done():
        assert time.monotonic() < until, "not within five minutes"
        time.sleep(0.3)


def dump(stack: Stack) -> None:
    """Write the database as SQL, without people's sessions."""
    url = json.loads((stack.folder / "secrets" / "environment.json").read_text())["DATABASE_OWNER_URL"]
    without = [f"--exclude-table-data={table}" for table in ("annotation_app_session", "django_session", "axes_*")]
    pg_dump = find_postgres(server_user()).path("pg_dump")
    done = subprocess.run([pg_dump, "--no-owner", *without, url], capture_output=True, check=True)
    DUMP.write_bytes(lzma.compress(done.stdout, preset=9 | lzma.PRESET_EXTREME))
    for path in (DUMP, ANSWERS):
        print(f"{path.name}: {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
