"""Ask a provider many questions: several at once, so many a minute, and each answer given on as it arrives."""

import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from threading import Event

from al_worker.core.errors import ProviderDown, ProviderError, ProviderUnavailable
from al_worker.core.evaluation.answers import ModelAnswer, Problem, read_answer
from al_worker.core.providers.base import Finish, Provider, Reply
from al_worker.formats.evaluation import STOP_SECONDS

# So many requests in a row that failed after their retries, and the provider counts as down.
FAILURES_IN_A_ROW = 5
MINUTE = 60.0
# How often a stop, and the time of the next request, are looked for.
LOOK_SECONDS = 0.2


@dataclass(frozen=True, slots=True)
class Question:
    """Hold the prompt about one item at one stage, and the labels that it offers."""

    stage: str
    item: str
    prompt: str
    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Answered:
    """Hold a question with the provider's reply and how it was read."""

    question: Question
    reply: Reply
    answer: ModelAnswer


def ask_all(
    provider: Provider,
    questions: Iterable[Question],
    *,
    concurrency: int,
    requests_per_minute: int,
    stop: Event | None = None,
    on_failure: Callable[[], None] = lambda: None,
) -> Iterator[Answered]:
    """Yield the answers in the order in which they arrive. A question whose request failed is left out.

    `on_failure` is called for each of these. Nothing more is asked once `stop` is set, or a provider's error came. What
    is under way is still waited for and yielded, because it is paid; after a stop for STOP_SECONDS at most. Raises that
    ProviderError afterwards, and ProviderDown after FAILURES_IN_A_ROW.
    """
    stop = stop or Event()
    left, least_gap = iter(questions), MINUTE / requests_per_minute
    is_exhausted = False
    under_way: dict[Future[Reply], Question] = {}
    next_start, failures = 0.0, 0
    fault: ProviderError | None = None
    until = float("inf")
    pool = ThreadPoolExecutor(concurrency)
    try:
        while time.monotonic() < until:
            now = time.monotonic()
            has_room = not is_exhausted and fault is None and not stop.is_set() and len(under_way) < concurrency
            if has_room and now >= next_start:
                if (question := next(left, None)) is None:
                    is_exhausted = True
                else:
                    next_start = now + least_gap
                    under_way[pool.submit(provider.ask, question.prompt, question.labels)] = question
                continue
            if not under_way and not has_room:
                break
            if stop.is_set():
                until = min(until, now + STOP_SECONDS)
            pause = min(LOOK_SECONDS, next_start - now) if has_room else LOOK_SECONDS
            if not under_way:
                stop.wait(pause)
                continue
            for future in wait(under_way, timeout=pause, return_when=FIRST_COMPLETED).done:
                asked = under_way.pop(future)
                try:
                    reply = future.result()
                except ProviderUnavailable as error:
                    on_failure()
                    failures += 1
                    if failures >= FAILURES_IN_A_ROW:
                        fault = fault or ProviderDown(f"{failures} requests in a row failed; the last one: {error}")
                except ProviderError as error:
                    fault = fault or error
                else:
                    failures = 0
                    yield Answered(asked, reply, read_reply(reply, asked.labels))
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
    if fault is not None:
        raise fault


def read_reply(reply: Reply, labels: tuple[str, ...]) -> ModelAnswer:
    """Return a reply as it is read: one that was refused or cut off has no label, whatever stands in it."""
    if reply.finish is not Finish.DONE:
        problem = Problem.REFUSED if reply.finish is Finish.REFUSED else Problem.CUT_OFF
        return ModelAnswer(None, "", None, problem)
    return read_answer(reply.text, labels)
