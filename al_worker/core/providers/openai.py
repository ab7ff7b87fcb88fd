"""Ask OpenAI, or any server with the same chat interface (vLLM, Ollama, DeepSeek, `transformers serve`)."""

import time
from collections.abc import Sequence
from typing import Any

import openai
from openai.types.chat import ChatCompletion

from al_worker.core.errors import ProviderUnavailable
from al_worker.core.evaluation.answers import answer_schema
from al_worker.core.providers.base import MALFORMED, MAX_RETRIES, Finish, Reply, failure_of
from al_worker.formats.providers import JSON_OBJECT, SCHEMA, LanguageModel

# Servers on one's own machine ask for no key, and the client does.
NO_KEY = "none"
NEWER_LIMIT = "max_completion_tokens"
OUT_OF_MONEY_CODES = ("insufficient_quota", "billing_hard_limit_reached")


class OpenAIProvider:
    """Ask a model through OpenAI's interface, which other servers have too."""

    def __init__(self, model: LanguageModel) -> None:
        self._model = model
        self._client = openai.OpenAI(
            base_url=model.url,
            api_key=model.key() or NO_KEY,
            timeout=model.timeout_seconds,
            max_retries=MAX_RETRIES,
            http_client=openai.DefaultHttpxClient(follow_redirects=False),
        )

    def ask(self, prompt: str, labels: Sequence[str]) -> Reply:
        started = time.monotonic()
        try:
            completion = self._client.chat.completions.create(
                model=self._model.model,
                messages=[{"role": "user", "content": prompt}],
                extra_body={**self._limit(), **self._form(labels), **self._model.parameters},
            )
            return self._reply(completion, time.monotonic() - started)
        except openai.APIStatusError as error:
            no_money = error.code in OUT_OF_MONEY_CODES
            raise failure_of(self._model, error.status_code, error.message, has_no_money=no_money) from error
        except (openai.APIError, *MALFORMED) as error:
            raise ProviderUnavailable(f"{self._model.called} did not answer: {error}") from error

    def _reply(self, completion: ChatCompletion, seconds: float) -> Reply:
        choice, usage = completion.choices[0], completion.usage
        return Reply(
            text=choice.message.content or choice.message.refusal or "",
            finish=_finish(choice.finish_reason, bool(choice.message.refusal)),
            model=completion.model or "",
            fingerprint=completion.system_fingerprint or "",
            tokens_in=usage.prompt_tokens if usage else 0,
            tokens_out=usage.completion_tokens if usage else 0,
            seconds=seconds,
        )

    def _limit(self) -> dict[str, int]:
        """Return the limit on tokens, unless the operator gave it by its newer name."""
        return {} if NEWER_LIMIT in self._model.parameters else {"max_tokens": self._model.max_tokens}

    def _form(self, labels: Sequence[str]) -> dict[str, Any]:
        if self._model.structured == SCHEMA:
            schema = {"name": "answer", "strict": True, "schema": answer_schema(labels)}
            return {"response_format": {"type": SCHEMA, "json_schema": schema}}
        return {"response_format": {"type": JSON_OBJECT}} if self._model.structured == JSON_OBJECT else {}


def _finish(reason: str | None, refused: bool) -> Finish:
    if refused or reason == "content_filter":
        return Finish.REFUSED
    return Finish.CUT_OFF if reason == "length" else Finish.DONE
