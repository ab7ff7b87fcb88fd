"""Ask a causal model on this machine. Its output is held to the answer's schema token by token, by xgrammar."""

import json
import time
from collections.abc import Sequence
from threading import Lock
from typing import Any

import torch
import xgrammar
from transformers import AutoModelForCausalLM, AutoTokenizer

from al_worker.core.errors import ModelUnavailable
from al_worker.core.evaluation.answers import answer_schema
from al_worker.core.providers.base import Finish, Reply
from al_worker.formats.providers import LanguageModel

# A model that does not end its explanation would never come to its confidence.
MOST_CHARACTERS = 300


class TransformersProvider:
    """Answer one request at a time; the most probable tokens are taken, so that an answer can be repeated."""

    def __init__(self, model: LanguageModel) -> None:
        self._name, self._max_tokens, self._lock = model.model, model.max_tokens, Lock()
        device = "cuda" if torch.cuda.is_available() else "cpu"
        try:
            self._tokenizer = AutoTokenizer.from_pretrained(model.model)
            loaded: Any = AutoModelForCausalLM.from_pretrained(model.model, use_safetensors=True)
        except (OSError, ValueError) as error:
            message = f"{model.name}: {model.model} is no causal model that can be loaded here: {error}"
            raise ModelUnavailable(message) from error
        self._model = loaded.to(device).eval()
        information = xgrammar.TokenizerInfo.from_huggingface(
            self._tokenizer, vocab_size=self._model.config.get_text_config().vocab_size
        )
        self._compiler = xgrammar.GrammarCompiler(information)

    def ask(self, prompt: str, labels: Sequence[str]) -> Reply:
        with self._lock, torch.inference_mode():
            started = time.monotonic()
            inputs = self._inputs(prompt)
            length = inputs["input_ids"].shape[1]
            grammar = self._compiler.compile_json_schema(json.dumps(_schema(labels)), any_whitespace=False)
            output = self._model.generate(
                **inputs,
                do_sample=False,
                max_new_tokens=self._max_tokens,
                pad_token_id=self._tokenizer.eos_token_id,
                logits_processor=[xgrammar.contrib.hf.LogitsProcessor(grammar)],
            )[0, length:]
        is_done = int(output[-1]) == self._tokenizer.eos_token_id or len(output) < self._max_tokens
        return Reply(
            text=str(self._tokenizer.decode(output, skip_special_tokens=True)),
            finish=Finish.DONE if is_done else Finish.CUT_OFF,
            model=self._name,
            fingerprint="",
            tokens_in=length,
            tokens_out=len(output),
            seconds=time.monotonic() - started,
        )

    def _inputs(self, prompt: str) -> Any:
        if self._tokenizer.chat_template is None:
            inputs = self._tokenizer(prompt, return_tensors="pt")
        else:
            messages = [{"role": "user", "content": prompt}]
            inputs = self._tokenizer.apply_chat_template(
                messages, add_generation_prompt=True, return_tensors="pt", return_dict=True
            )
        return inputs.to(self._model.device)


def _schema(labels: Sequence[str]) -> dict[str, Any]:
    """Return the answer's schema with the limits that the grammar can enforce."""
    schema = answer_schema(labels)
    schema["properties"]["explanation"]["maxLength"] = MOST_CHARACTERS
    schema["properties"]["confidence"] |= {"minimum": 0, "maximum": 1}
    return schema
