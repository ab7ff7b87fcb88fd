"""A small causal model that answers in JSON, a real server for it, and a proxy before the server that makes faults."""

import json
import os
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

PIECES = ('{"label": "', "yes", '", "explanation": "', "It says so.", '", "confidence": ', "0.9", "}")
ANSWER = "".join(PIECES)


@pytest.fixture(scope="session")
def tiny_causal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A GPT-2 of one layer that answers every prompt with ANSWER.

    Its weights are set, not trained: a token's embedding is a row of the identity, attention and feed-forward layers
    add nothing, and the output matrix leads from the end of a prompt to the first piece of the answer and so on.
    """
    import torch
    from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers
    from transformers import GPT2Config, GPT2LMHeadModel, PreTrainedTokenizerFast

    folder = tmp_path_factory.mktemp("models") / "tiny-causal"
    letters = {letter: at for at, letter in enumerate(sorted(pre_tokenizers.ByteLevel.alphabet()))}
    tokenizer = Tokenizer(models.BPE(vocab=letters, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_tokens([AddedToken(piece, normalized=False) for piece in PIECES])
    tokenizer.add_special_tokens(["<end>"])
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="<end>", pad_token="<end>")
    fast.chat_template = "{% for message in messages %}{{ message['content'] }}\n{% endfor %}"
    fast.save_pretrained(folder)
    chain = [*fast.encode("\n"), *fast.encode(ANSWER), fast.eos_token_id]
    size = len(fast)
    config = GPT2Config(
        vocab_size=size,
        n_positions=8192,
        n_embd=size,
        n_layer=1,
        n_head=1,
        bos_token_id=fast.eos_token_id,
        eos_token_id=fast.eos_token_id,
        tie_word_embeddings=False,
    )
    model = GPT2LMHeadModel(config)
    with torch.no_grad():
        for name, weights in model.named_parameters():
            if "ln_" not in name:
                weights.zero_()
        model.transformer.wte.weight.copy_(torch.eye(size))
        for token, follower in pairwise(chain):
            model.lm_head.weight[follower, token] = 1.0
    model.save_pretrained(folder)
    return folder


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="session")
def model_server(tiny_causal: Path) -> Iterator[str]:
    """`transformers serve` with the small model. Gives its address."""
    port = free_port()
    command = [str(Path(sys.executable).with_name("transformers")), "serve", str(tiny_causal), "--device", "cpu"]
    process = subprocess.Popen(
        [*command, "--port", str(port), "--host", "127.0.0.1"],
        env=os.environ | {"HF_HUB_OFFLINE": "1"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        address = f"http://127.0.0.1:{port}"
        deadline = time.monotonic() + 120
        while not _answers(f"{address}/health"):
            assert process.poll() is None, "transformers serve ended"
            assert time.monotonic() < deadline, "transformers serve does not answer"
            time.sleep(0.2)
        yield address
    finally:
        process.kill()
        process.wait()


def _answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(address, timeout=2) as response:
            return bool(response.status == 200)
    except OSError:
        return False


@dataclass
class Fault:
    """What the proxy does to one request.

    It answers with `status` itself, drops the connection, waits, or passes the request on and replaces `content`,
    `finish` or `refusal` of the real answer, or its whole `body`.
    """

    status: int = 0
    error: dict[str, Any] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)
    drops: bool = False
    waits: float = 0.0
    body: str = ""
    content: str = ""
    finish: str = ""
    refusal: str = ""


@dataclass
class FaultyProxy:
    """Count requests, and do the faults in their order; after them everything is passed on as it is.

    Requests that hold a text of `unavailable` are answered with 503 each time, and may be tried again at once.
    """

    address: str
    faults: list[Fault]
    requests: list[dict[str, Any]]
    unavailable: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def next_fault(self, request: dict[str, Any]) -> Fault:
        with self.lock:
            self.requests.append(request)
            if any(text in json.dumps(request) for text in self.unavailable):
                return Fault(status=503, headers={"retry-after-ms": "1"})
            return self.faults.pop(0) if self.faults else Fault()


@pytest.fixture
def faulty_proxy(model_server: str) -> Iterator[FaultyProxy]:
    """A proxy before the real server, whose faults a test chooses."""
    proxy = FaultyProxy("", [], [])

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            sent = self.rfile.read(int(self.headers["content-length"]))
            fault = proxy.next_fault(json.loads(sent))
            time.sleep(fault.waits)
            if fault.drops:
                self.connection.shutdown(socket.SHUT_RDWR)
                return
            if fault.status:
                self.give(fault.status, json.dumps({"error": fault.error}).encode(), fault.headers)
                return
            status, body = passed_on(f"{model_server}/v1/chat/completions", sent)
            body = changed(body, fault)
            # The server knows one interface; the other one's shape is put around its real answer.
            is_other = self.path.endswith("/messages") and not fault.body
            self.give(status, as_message(body) if is_other else body, {})

        def give(self, status: int, body: bytes, headers: dict[str, str]) -> None:
            self.send_response(status)
            for name, value in {
                "content-type": "application/json",
                "content-length": str(len(body)),
                **headers,
            }.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    proxy.address = f"http://127.0.0.1:{server.server_address[1]}"
    yield proxy
    server.shutdown()
    server.server_close()


def as_message(body: bytes) -> bytes:
    """Turn a chat completion into a message of Anthropic's interface, whose tool was used where the content is JSON."""
    answer = json.loads(body)
    choice = answer["choices"][0]
    content = choice["message"]["content"] or ""
    try:
        block = {"type": "tool_use", "id": "t1", "name": "answer", "input": json.loads(content)}
    except ValueError:
        block = {"type": "text", "text": content}
    reasons = {"length": "max_tokens", "content_filter": "refusal"}
    refused = "refusal" in choice["message"]
    message = {
        "id": "m1",
        "type": "message",
        "role": "assistant",
        "model": answer["model"],
        "content": [block],
        "stop_reason": "refusal" if refused else reasons.get(choice["finish_reason"], "tool_use"),
        "usage": {
            "input_tokens": answer["usage"]["prompt_tokens"],
            "output_tokens": answer["usage"]["completion_tokens"],
        },
    }
    return json.dumps(message).encode()


def passed_on(address: str, body: bytes) -> tuple[int, bytes]:
    request = urllib.request.Request(address, body, {"content-type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=60) as response:
            return response.status, response.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()


def changed(body: bytes, fault: Fault) -> bytes:
    if fault.body:
        return fault.body.encode()
    if not (fault.content or fault.finish or fault.refusal):
        return body
    answer = json.loads(body)
    choice = answer["choices"][0]
    choice["message"]["content"] = fault.content or choice["message"]["content"]
    choice["finish_reason"] = fault.finish or choice["finish_reason"]
    if fault.refusal:
        choice["message"] |= {"content": None, "refusal": fault.refusal}
    return json.dumps(answer).encode()
