"""Hold every kind of provider to what asking relies on. Remote kinds talk to a real server of a small model.

A proxy before the server makes the faults, and speaks the interface that the kind's client speaks.
"""

import dataclasses
import importlib
import time
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from al_worker.core.errors import KeyRejected, OutOfMoney, ProviderError, ProviderUnavailable, RequestInvalid
from al_worker.core.evaluation.answers import Problem
from al_worker.core.evaluation.asking import read_reply
from al_worker.core.providers.base import Finish, Reply
from al_worker.core.providers.registry import REGISTRY, provider_for
from al_worker.formats.providers import PROVIDERS, LanguageModel
from al_worker.formats.tables import ConfigError
from tests.language_model import ANSWER, Fault, FaultyProxy
from tests.stack import ROOT

LABELS = ("yes", "no")
REMOTE = [kind for kind, declaration in PROVIDERS.items() if declaration.is_remote]
# How each remote kind says that the account has no money left.
OUT_OF_MONEY = {
    "openai": Fault(status=429, error={"message": "Over your quota.", "code": "insufficient_quota"}),
    "anthropic": Fault(status=400, error={"message": "Your credit balance is too low."}),
}


@pytest.fixture
def model(
    request: pytest.FixtureRequest, faulty_proxy: FaultyProxy, tiny_causal: Path, monkeypatch: pytest.MonkeyPatch
) -> LanguageModel:
    monkeypatch.setenv("TINY_KEY", "sk-secret")
    kind = request.param
    is_remote = kind in REMOTE
    return LanguageModel(
        name="tiny",
        kind=kind,
        model=str(tiny_causal),
        base_url=faulty_proxy.address + urlsplit(PROVIDERS[kind].base_url).path if is_remote else "",
        key_env="TINY_KEY" if is_remote else "",
        timeout_seconds=20.0,
        max_tokens=60,
    )


every_kind = pytest.mark.parametrize("model", PROVIDERS, indirect=True)
remote_kinds = pytest.mark.parametrize("model", REMOTE, indirect=True)


def asked(model: LanguageModel, prompt: str = "so it goes, 0") -> Reply:
    return provider_for(model).ask(prompt, LABELS)


def without_retries(model: LanguageModel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.import_module(f"al_worker.core.providers.{model.kind}"), "MAX_RETRIES", 0)


def test_what_is_declared_is_implemented() -> None:
    assert list(REGISTRY) == list(PROVIDERS)


@pytest.mark.parametrize("page", ["docs/guide/evaluate.md", "docs/methods/evaluation.md"])
def test_the_pages_name_every_kind(page: str) -> None:
    (line,) = [line for line in (ROOT / page).read_text().splitlines() if line.startswith('kind = "')]
    assert [kind for kind in PROVIDERS if kind not in line] == []


@every_kind
def test_a_real_answer_is_read_with_its_tokens(model: LanguageModel) -> None:
    reply = asked(model)
    answer = read_reply(reply, LABELS)
    assert (answer.label, answer.confidence, answer.problem) == ("yes", 0.9, None)
    assert reply.finish is Finish.DONE
    assert reply.model == model.model
    assert reply.tokens_in > 3
    assert reply.tokens_out > 3
    assert reply.seconds > 0


@every_kind
def test_an_answer_without_room_is_cut_off(model: LanguageModel) -> None:
    reply = asked(dataclasses.replace(model, max_tokens=5))
    assert reply.finish is Finish.CUT_OFF
    assert read_reply(reply, LABELS).problem is Problem.CUT_OFF


@remote_kinds
def test_the_labels_and_the_prompt_are_sent(model: LanguageModel, faulty_proxy: FaultyProxy) -> None:
    asked(dataclasses.replace(model, parameters={"temperature": 0}))
    (request,) = faulty_proxy.requests
    assert request["messages"] == [{"role": "user", "content": "so it goes, 0"}]
    assert "'enum': ['yes', 'no']" in str(request)
    assert request["temperature"] == 0


@pytest.mark.parametrize(
    ("fault", "problem"),
    [
        (Fault(refusal="I would rather not."), Problem.REFUSED),
        (Fault(finish="content_filter"), Problem.REFUSED),
        (Fault(finish="length"), Problem.CUT_OFF),
        (Fault(content=ANSWER[:-4]), Problem.NOT_JSON),
        (Fault(content=ANSWER.replace("yes", "Yes")), Problem.LABEL_NOT_IN_LIST),
    ],
)
@remote_kinds
def test_what_is_not_compliant_is_an_answer_without_a_label(
    model: LanguageModel, faulty_proxy: FaultyProxy, fault: Fault, problem: Problem
) -> None:
    faulty_proxy.faults.append(fault)
    answer = read_reply(asked(model), LABELS)
    assert (answer.label, answer.problem) == (None, problem)
    # It is paid, and not asked again.
    assert len(faulty_proxy.requests) == 1


@pytest.mark.parametrize(
    "faults",
    [
        [Fault(status=429, headers={"retry-after": "1"})],
        [Fault(status=503), Fault(status=500)],
        [Fault(drops=True)],
        [Fault(status=409)],
    ],
)
@remote_kinds
def test_what_passes_is_tried_again(model: LanguageModel, faulty_proxy: FaultyProxy, faults: list[Fault]) -> None:
    n, is_limited = len(faults), bool(faults[0].headers)
    faulty_proxy.faults += faults
    started = time.monotonic()
    assert read_reply(asked(model), LABELS).label == "yes"
    assert len(faulty_proxy.requests) == n + 1
    assert time.monotonic() - started >= is_limited


@remote_kinds
def test_a_slow_answer_times_out_and_is_tried_again(model: LanguageModel, faulty_proxy: FaultyProxy) -> None:
    faulty_proxy.faults.append(Fault(waits=4))
    assert read_reply(asked(dataclasses.replace(model, timeout_seconds=3.0)), LABELS).label == "yes"
    assert len(faulty_proxy.requests) == 2


@pytest.mark.parametrize(
    "fault", [Fault(body="<html>"), Fault(body="[]"), Fault(body="{}"), Fault(status=500), Fault(drops=True)]
)
@remote_kinds
def test_what_stays_broken_fails_that_request_alone(
    model: LanguageModel, faulty_proxy: FaultyProxy, fault: Fault, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_retries(model, monkeypatch)
    faulty_proxy.faults.append(fault)
    with pytest.raises(ProviderUnavailable, match="tiny"):
        asked(model)
    assert read_reply(asked(model), LABELS).label == "yes"


@pytest.mark.parametrize(
    ("fault", "kind", "words"),
    [
        (Fault(status=401), KeyRejected, "tiny: the provider does not accept the key"),
        (Fault(status=403), KeyRejected, "tiny: the provider does not accept the key"),
        (Fault(status=402), OutOfMoney, "tiny: the provider's account has no money left."),
        (Fault(status=404, error={"message": "no such model"}), RequestInvalid, "no such model"),
    ],
)
@remote_kinds
def test_what_a_person_must_mend_is_not_tried_again(
    model: LanguageModel, faulty_proxy: FaultyProxy, fault: Fault, kind: type[ProviderError], words: str
) -> None:
    faulty_proxy.faults.append(fault)
    with pytest.raises(kind, match=words) as raised:
        asked(model)
    assert "sk-secret" not in str(raised.value)
    assert len(faulty_proxy.requests) == 1


@remote_kinds
def test_neither_texts_nor_the_key_are_sent_on_to_another_address(
    model: LanguageModel, faulty_proxy: FaultyProxy
) -> None:
    faulty_proxy.faults.append(Fault(status=307, headers={"location": f"{faulty_proxy.address}/elsewhere"}))
    with pytest.raises(RequestInvalid, match=r"tiny: 127\.0\.0\.1:\d+ sends requests on to another address"):
        asked(model)
    assert len(faulty_proxy.requests) == 1


@remote_kinds
def test_money_that_ran_out_is_told_by_each_in_its_way(
    model: LanguageModel, faulty_proxy: FaultyProxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_retries(model, monkeypatch)
    faulty_proxy.faults.append(OUT_OF_MONEY[model.kind])
    with pytest.raises(OutOfMoney):
        asked(model)


@remote_kinds
def test_a_key_that_is_not_set_is_named(model: LanguageModel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TINY_KEY")
    with pytest.raises(ConfigError, match=r"\[models.tiny\] key_env: TINY_KEY is not set here."):
        provider_for(model)
