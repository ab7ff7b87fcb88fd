"""Ask Anthropic. The answer is the input of a tool that the model must use, whose schema holds the labels."""

import json
import time
from collections.abc import Sequence

import anthropic
from anthropic.types import Message, ToolParam

from al_worker.core.errors import ProviderUnavailable
from al_worker.core.evaluation.answers import answer_schema
from al_worker.core.providers.base import MALFORMED, MAX_RETRIES, Finish, Reply, failure_of
from al_worker.formats.providers import LanguageModel

TOOL = "answer"
NO_MONEY = "credit balance"


class AnthropicProvider:
    """Ask a model through Anthropic's interface, with a tool that it must use."""

    def __init__(self, model: LanguageModel) -> None:
        self._model = model
        self._client = anthropic.Anthropic(
            base_url=model.url,
            api_key=model.key(),
            timeout=model.timeout_seconds,
            max_retries=MAX_RETRIES,
            http_client=anthropic.DefaultHttpxClient(follow_redirects=False),
        )

    def ask(self, prompt: str, labels: Sequence[str]) -> Reply:
        started = time.monotonic()
        tool: ToolParam = {"name": TOOL, "description": "Give the answer.", "input_schema": answer_schema(labels)}
        try:
            message = self._client.messages.create(
                model=self._model.model,
                messages=[{"role": "user", "content": prompt}],
                tools=[tool],
                tool_choice={"type": "tool", "name": TOOL},
                max_tokens=self._model.max_tokens,
                extra_body=dict(self._model.parameters),
            )
            return self._reply(message, time.monotonic() - started)
        except anthropic.APIStatusError as error:
            no_money = NO_MONEY in error.message
            raise failure_of(self._model, error.status_code, error.message, has_no_money=no_money) from error
        except (anthropic.APIError, *MALFORMED) as error:
            raise ProviderUnavailable(f"{self._model.called} did not answer: {error}") from error

    def _reply(self, message: Message, seconds: float) -> Reply:
        used = next((json.dumps(block.input) for block in message.content if block.type == "tool_use"), None)
        words = "".join(block.text for block in message.content if block.type == "text")
        return Reply(
            text=words if used is None else used,
            finish=_finish(message.stop_reason),
            model=message.model,
            fingerprint="",
            tokens_in=message.usage.input_tokens,
            tokens_out=message.usage.output_tokens,
            seconds=seconds,
        )


def _finish(reason: str | None) -> Finish:
    if reason == "refusal":
        return Finish.REFUSED
    return Finish.CUT_OFF if reason == "max_tokens" else Finish.DONE
