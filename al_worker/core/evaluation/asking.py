"""Ask a provider many questions: several at once, so many a minute, and each answer given on as it arrives."""

import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass

from al_worker.core.errors import ProviderDown, ProviderError, ProviderUnavailable
from al_worker.core.evaluation.answers import ModelAnswer, Problem, read_answer
from al_worker.core.providers.base import Finish, Provider, Reply

# So many requests in a row that failed after their retries, and the provider counts as down.
FAILURES_IN_A_ROW = 5
MINUTE = 60.0


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
    is_stopped: Callable[[], bool] = lambda: False,
) -> Iterator[Answered]:
    """Yield the answers in the order in which they arrive. A question whose request failed is left out.

    Nothing more is asked once `is_stopped` is true, or a provider's error came; what is under way is still waited for
    and yielded, because it is paid. Raises that ProviderError afterwards, and ProviderDown after FAILURES_IN_A_ROW.
    """
    left, least_gap = iter(questions), MINUTE / requests_per_minute
    under_way: dict[Future[Reply], Question] = {}
    next_start, failures = 0.0, 0
    stop: ProviderError | None = None
    with ThreadPoolExecutor(concurrency) as pool:
        while True:
            while stop is None and len(under_way) < concurrency and not is_stopped():
                if (question := next(left, None)) is None:
                    break
                time.sleep(max(0.0, next_start - time.monotonic()))
                next_start = time.monotonic() + least_gap
                under_way[pool.submit(provider.ask, question.prompt, question.labels)] = question
            if not under_way:
                break
            for future in wait(under_way, return_when=FIRST_COMPLETED).done:
                question = under_way.pop(future)
                try:
                    reply = future.result()
                except ProviderUnavailable as error:
                    failures += 1
                    if failures >= FAILURES_IN_A_ROW:
                        stop = stop or ProviderDown(f"{failures} requests in a row failed; the last one: {error}")
                except ProviderError as error:
                    stop = stop or error
                else:
                    failures = 0
                    yield Answered(question, reply, read_reply(reply, question.labels))
    if stop is not None:
        raise stop


def read_reply(reply: Reply, labels: tuple[str, ...]) -> ModelAnswer:
    """Return a reply as it is read: one that was refused or cut off has no label, whatever stands in it."""
    if reply.finish is not Finish.DONE:
        problem = Problem.REFUSED if reply.finish is Finish.REFUSED else Problem.CUT_OFF
        return ModelAnswer(None, "", None, problem)
    return read_answer(reply.text, labels)
