"""An evaluation of everything on a project that people labelled: killed in the middle, gone on, recomputed."""

import json
import os
import signal
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sklearn.metrics import f1_score

from annotation_app.demo.paths import CORPUS
from tests.language_model import Fault, FaultyProxy
from tests.loop.client import Person
from tests.loop.run import loop_run
from tests.stack import PASSWORD, Stack, running_stack

pytestmark = [pytest.mark.loop, pytest.mark.timeout(900)]
SIZE = 12
# Nothing that the product writes may hold it.
KEY = "sk-a-key-that-nobody-may-see"
STAGES = ["opinion", "mp"]
ASKED = {"asked": "openai", "told": "anthropic", "local": "transformers"}
SYSTEMS = ["majority", "bow-logreg", "people", "all-MiniLM-L6-v2", *ASKED]
PATIENCE = 400


@pytest.fixture
def stack(prepared: Path, tmp_path: Path, faulty_proxy: FaultyProxy, tiny_causal: Path) -> Iterator[Stack]:
    models = tmp_path / "models.toml"
    models.write_text("\n".join(model_table(name, kind, faulty_proxy, tiny_causal) for name, kind in ASKED.items()))
    with running_stack(prepared, QUORUM_LANGUAGE_MODELS=str(models), EVALUATED_KEY=KEY) as stack:
        yield stack


def model_table(name: str, kind: str, proxy: FaultyProxy, model: Path) -> str:
    remote = {"openai": f"{proxy.address}/v1", "anthropic": proxy.address}
    where = f'base_url = "{remote[kind]}"\nkey_env = "EVALUATED_KEY"' if kind in remote else ""
    limits = "max_tokens = 60\nconcurrency = 2\nrequests_per_minute = 6000\nprice_in = 1.0\nprice_out = 2.0"
    return f'[models.{name}]\nkind = "{kind}"\nmodel = "{model}"\n{where}\n{limits}\n'


def test_it_compares_models_with_people(stack: Stack, faulty_proxy: FaultyProxy) -> None:
    report = loop_run(stack, CORPUS, query_size=SIZE, say=lambda line: None, strategies=("random", "random"))
    admin = Person(stack.url, "admin", PASSWORD)
    project = f"projects/{report.project}"
    for name in ("asked", "told"):
        approve(admin, project, name)
    spec = {"name": "All", "gold": {"kind": "labels"}, "stages": STAGES, "systems": SYSTEMS}
    faulty_proxy.faults += [Fault(waits=0.3) for _ in range(20)]
    row = admin.post(f"{project}/evaluations/", spec)["id"]
    wait(admin, row, lambda found: answered(found, "asked") >= 4)
    # The first is the worker's guard.
    _, worker, *_ = stack.pids("al_worker.app")
    os.kill(worker, signal.SIGKILL)
    done = wait(admin, row, lambda found: found["state"] not in ("waiting", "running"))
    assert done["state"] == "done", done["failure"]
    gold = gold_of(report.exported["aggregated"])
    predictions = [json.loads(line) for line in admin.lines(f"evaluations/{row}/files/predictions.jsonl/")]
    assert recomputed(gold, predictions) == printed(done["figures"])
    # Two systems were asked about each item of each stage, and no question was asked twice.
    asked = Counter(request["messages"][0]["content"] for request in faulty_proxy.requests)
    assert sum(asked.values()) == 2 * sum(len(of_stage) for of_stage in gold.values())
    assert set(asked.values()) <= {2}
    assert not holds_key(stack, [json.dumps(done), json.dumps(predictions), *report.exported["annotations"]])


def approve(admin: Person, project: str, name: str) -> None:
    choices = admin.get(f"{project}/evaluations/choices/")
    [model] = [each for each in choices["language_models"] if each["name"] == name]
    assert (model["problem"], model["approved"]) == ("", None)
    admin.post(f"{project}/language-models/{name}/approval/", {"destination": model["destination"]})


def answered(found: dict[str, Any], system: str) -> int:
    return int(next(each["answered"] for each in found["progress"]["systems"] if each["name"] == system))


def wait(admin: Person, row: str, is_there: Any) -> dict[str, Any]:
    until = time.monotonic() + PATIENCE
    while not is_there(found := admin.get(f"evaluations/{row}/")):
        assert time.monotonic() < until, found["progress"]
        time.sleep(0.3)
    return dict(found)


def gold_of(lines: list[str]) -> dict[str, dict[str, str]]:
    """{stage: {item: label}} from the export: majorities that are not ambiguous."""
    gold: dict[str, dict[str, str]] = defaultdict(dict)
    for line in map(json.loads, lines):
        for stage in STAGES:
            said = line["labels"].get(stage) or {}
            if said.get("state") == "majority" and said["label"] in ("yes", "no"):
                gold[stage][line["id"]] = said["label"]
    return gold


def recomputed(gold: dict[str, dict[str, str]], predictions: list[dict[str, Any]]) -> dict[Any, Any]:
    """Number of items, accuracy and macro-F1 of each stage and system, by scikit-learn."""
    found: dict[tuple[str, str], dict[str, str]] = defaultdict(dict)
    for each in predictions:
        found[each["stage"], each["system"]][each["id"]] = each["label"]
    figures = {}
    for (stage, system), labels in found.items():
        items = sorted(gold[stage])
        true, said = [gold[stage][item] for item in items], [labels[item] for item in items]
        right = sum(a == b for a, b in zip(true, said, strict=True))
        macro = f1_score(true, said, average="macro", zero_division=0)
        figures[stage, system] = (len(items), round(right / len(items), 9), round(float(macro), 9))
    assert {system for _, system in figures} == set(SYSTEMS) - {"people"}
    return figures


def printed(figures: dict[str, Any]) -> dict[Any, Any]:
    return {
        (stage["key"], system["name"]): (system["n"], round(system["accuracy"], 9), round(system["macro_f1"], 9))
        for stage in figures["stages"]
        for system in stage["systems"]
    }


def holds_key(stack: Stack, answers: list[str]) -> list[str]:
    """Say where the key stands: answers of the API, or files of the database, the storage, the logs and the workers."""
    found = [answer[:100] for answer in answers if KEY in answer]
    return found + [
        str(path) for path in stack.folder.rglob("*") if path.is_file() and KEY.encode() in path.read_bytes()
    ]
