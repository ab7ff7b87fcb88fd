"""Many questions to a real server of a small model, through a proxy that makes faults."""

import dataclasses
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Event

import pytest

from al_worker.core.errors import ProviderDown
from al_worker.core.evaluation.asking import Answered, Question, ask_all
from al_worker.core.providers.registry import provider_for
from al_worker.formats.providers import LanguageModel
from tests.language_model import Fault, FaultyProxy

LABELS = ("yes", "no")


@pytest.fixture
def model(faulty_proxy: FaultyProxy, tiny_causal: Path) -> LanguageModel:
    address = f"{faulty_proxy.address}/v1"
    return LanguageModel(name="tiny", kind="openai", model=str(tiny_causal), base_url=address, max_tokens=60)


def asked(model: LanguageModel, n: int = 1, **options: object) -> Iterator[Answered]:
    questions = [Question("opinion", f"i{at}", f"so it goes, {at}", LABELS) for at in range(n)]
    limits = {"concurrency": 1, "requests_per_minute": 6000} | options
    return ask_all(provider_for(model), questions, **limits)  # type: ignore[arg-type]


def test_a_strict_schema_names_the_labels(model: LanguageModel, faulty_proxy: FaultyProxy) -> None:
    model = dataclasses.replace(model, structured="json_schema", parameters={"temperature": 0})
    assert len(list(asked(model))) == 1
    (request,) = faulty_proxy.requests
    schema = request["response_format"]["json_schema"]
    assert schema["strict"]
    assert schema["schema"]["properties"]["label"]["enum"] == ["yes", "no"]
    assert request["temperature"] == 0


def test_a_provider_that_is_down_is_left_alone(
    model: LanguageModel, faulty_proxy: FaultyProxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("al_worker.core.providers.openai.MAX_RETRIES", 0)
    faulty_proxy.faults += [Fault(body="<html>") for _ in range(50)]
    with pytest.raises(ProviderDown, match="5 requests in a row failed; the last one: tiny did not answer"):
        list(asked(model, 50))
    assert len(faulty_proxy.requests) == 5


def test_a_request_that_failed_leaves_the_others_alone(
    model: LanguageModel, faulty_proxy: FaultyProxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("al_worker.core.providers.openai.MAX_RETRIES", 0)
    faulty_proxy.faults += [Fault(), Fault(status=500)]
    assert [answered.question.item for answered in asked(model, 3)] == ["i0", "i2"]


def test_what_is_under_way_is_yielded_after_a_stop(model: LanguageModel, faulty_proxy: FaultyProxy) -> None:
    stop = Event()
    answers = asked(model, 8, concurrency=2, stop=stop)
    first = next(answers)
    stop.set()
    rest = list(answers)
    assert 1 + len(rest) == len(faulty_proxy.requests) <= 4
    assert first.question.item not in [answered.question.item for answered in rest]


def test_requests_keep_to_the_limit_a_minute(model: LanguageModel, faulty_proxy: FaultyProxy) -> None:
    started = time.monotonic()
    assert len(list(asked(model, 3, concurrency=3, requests_per_minute=60))) == 3
    assert time.monotonic() - started >= 2


def test_what_is_under_way_for_too_long_is_not_waited_for(
    model: LanguageModel, faulty_proxy: FaultyProxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("al_worker.core.evaluation.asking.STOP_SECONDS", 0.5)
    faulty_proxy.faults += [Fault(), Fault(waits=5)]
    stop = Event()
    answers = asked(model, 8, concurrency=2, stop=stop)
    next(answers)
    stop.set()
    started = time.monotonic()
    assert list(answers) == []
    assert time.monotonic() - started < 3
