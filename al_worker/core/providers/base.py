"""The interface of a provider of language models. `registry.py` lists the kinds there are."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from al_worker.core.errors import CoreError, KeyRejected, OutOfMoney, ProviderUnavailable, RequestInvalid
from al_worker.formats.providers import LanguageModel

# Clients wait between attempts by Retry-After, else longer each time, with jitter.
MAX_RETRIES = 5
# The clients do not check the shape of a body: reading one that is no JSON, or of another shape, fails so.
MALFORMED = (ValueError, LookupError, TypeError, AttributeError)


class Finish(StrEnum):
    """Say how an answer ended."""

    DONE = "done"
    CUT_OFF = "cut_off"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Reply:
    """Hold a model's raw output and what it took.

    `model` is the model's id as the server gives it, and `fingerprint` the server's own, "" where it gives none.
    """

    text: str
    finish: Finish
    model: str
    fingerprint: str
    tokens_in: int
    tokens_out: int
    seconds: float


class Provider(Protocol):
    """Ask a language model. One object is used by several threads at once."""

    def ask(self, prompt: str, labels: Sequence[str]) -> Reply:
        """Ask for a label of the list, in the form of `answers.answer_schema`, by what the provider recommends for it.

        Requests that time out, conflict, are too many, or meet a server's fault are tried again, later and later. None
        is before the server's own Retry-After. Raises ProviderUnavailable where that did not help, and KeyRejected,
        OutOfMoney or RequestInvalid where trying again cannot help. A redirection is never followed, because neither
        texts nor the key may go to a host that nobody approved.
        """


def failure_of(model: LanguageModel, status: int, message: str, *, has_no_money: bool) -> CoreError:
    """Return the failure that an HTTP status stands for. `message` is the provider's own."""
    if status in (401, 403):
        return KeyRejected(f"{model.name}: the provider does not accept the key, or it may not use {model.model}.")
    if has_no_money or status == 402:
        return OutOfMoney(f"{model.name}: the provider's account has no money left.")
    if status < 400:
        return RequestInvalid(
            f"{model.name}: {model.destination} sends requests on to another address, and texts go to no other. Give "
            "the new address as base_url in the file of language models."
        )
    if status in (408, 409, 429) or status >= 500:
        return ProviderUnavailable(f"{model.name} answered with status {status}, after {MAX_RETRIES} more attempts.")
    return RequestInvalid(f"{model.name}: the provider refuses the request: {message}")
