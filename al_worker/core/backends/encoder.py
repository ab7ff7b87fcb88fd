"""Any encoder for sequence classification as a backend: MiniLM, ModernBERT, RoBERTa and the like share every line."""

import os
import shutil
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import torch

from al_worker.core.backends.base import Example, Predicted, Setup
from al_worker.core.backends.batches import plan_batches, plan_shards
from al_worker.core.backends.device import Execution, execution_for
from al_worker.core.backends.fine_tuning import Run, fine_tune, item_weights
from al_worker.core.backends.loading import load_pretrained, load_tokenizer, load_trained, token_limit
from al_worker.core.backends.locate import locate
from al_worker.core.backends.scanning import Scan, scan_shards
from al_worker.core.backends.tokens import TokenCache, TokenTable
from al_worker.core.config import HeadSettings
from al_worker.core.files import file_hash, value_hash
from al_worker.core.heads import column_names
from al_worker.core.progress import Progress
from al_worker.formats.ties import derived_seed

WEIGHTS = "model.safetensors"


class Encoder:
    """The configured encoder on this machine. Raises ModelUnavailable when its files are not here."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.source = locate(setup)
        self.tokenizer = load_tokenizer(self.source)
        self.max_tokens = token_limit(self.source, self.tokenizer, setup.training.max_tokens)
        self.identity = _tokenizer_identity(self.tokenizer, self.max_tokens)
        self.pad_id = int(self.tokenizer.pad_token_id or 0)

    def encode(self, texts: Sequence[str], progress: Progress) -> dict[str, Any]:
        """Tokenise the texts that no earlier round has tokenised."""
        table = self._table(texts, progress, 0.0, 0.99)
        return {
            "n_texts": len(texts),
            "n_tokenised": table.n_new,
            "n_tokens": int(table.lengths.sum()),
            "n_truncated_or_full": int((table.lengths >= self.max_tokens).sum()),
            "max_tokens": self.max_tokens,
            "tokenizer_hash": self.identity,
        }

    def train(
        self, examples: Sequence[Example], heads: Sequence[HeadSettings], folder: Path, progress: Progress
    ) -> dict[str, Any]:
        """Fine-tune from the pretrained weights and save as safetensors.

        One new classifier layer: each head is a block of its outputs, all on the same pooled vector.
        """
        training, execution = self.setup.training, execution_for(self.setup.training)
        seeds = {purpose: self._seed(purpose) for purpose in ("head", "shuffle", "dropout")}
        torch.manual_seed(seeds["head"])
        model, facts = load_pretrained(self.source, column_names(heads), training)
        model.to(execution.device)  # type: ignore[arg-type]
        torch.manual_seed(seeds["dropout"])
        columns = np.array([example.columns for example in examples]).T
        weights = [
            item_weights(at_head, len(head.labels), training.class_weights)
            for at_head, head in zip(columns, heads, strict=True)
        ]
        run = Run(
            model=model,
            table=self._table([example.text for example in examples], progress, 0.0, 0.05),
            columns=torch.from_numpy(np.ascontiguousarray(columns)),
            weights=torch.stack(weights),
            sizes=[len(head.labels) for head in heads],
            training=training,
            execution=execution,
            pad_id=self.pad_id,
        )
        losses = fine_tune(run, seeds["shuffle"], progress)
        model.save_pretrained(folder)
        self.tokenizer.save_pretrained(folder)
        return facts | self._facts(execution) | {"seeds": seeds, "epoch_losses": losses}

    def predict(self, folder: Path, texts: Sequence[str], vector: str, scratch: Path, progress: Progress) -> Predicted:
        """Score texts; a scan that was killed goes on from its last shard, with the identical result."""
        execution = execution_for(self.setup.training)
        table = self._table(texts, progress, 0.0, 0.05)
        batches = plan_batches(table.lengths, table.keys, execution.score_batch_tokens, execution.exact_rows)
        shards = plan_shards(batches, execution.shard_sentences)
        model = load_trained(folder, self.setup.training)
        model.to(execution.device).eval()  # type: ignore[arg-type]
        scan = Scan(model, table, execution, self.pad_id, vector)
        place = scratch / self._scan_key(folder, table, vector, execution)
        _drop_other_scans(scratch, place)

        def on_rows(done: int) -> None:
            progress.report(0.05 + 0.9 * done / len(texts), f"{done} of {len(texts)} sentences")

        (logits, vectors), counts = scan_shards(scan, shards, place, on_rows)
        padded_tokens = sum(len(batch.rows) * batch.length for batch in batches)
        facts = {"n_texts": len(texts), "batches": len(batches), "padded_tokens": padded_tokens, **counts}
        return Predicted(
            logits, vectors, facts | {"n_tokens": int(table.lengths.sum()), "execution": execution.as_record()}
        )

    def _table(self, texts: Sequence[str], progress: Progress, start: float, end: float) -> TokenTable:
        def on_batch(done: int, new: int) -> None:
            progress.report(start + (end - start) * done / new, f"{done} of {new} new texts tokenised")

        return TokenCache(self.setup.cache, self.identity, self._tokenize).table(texts, on_batch)

    def _tokenize(self, texts: Sequence[str]) -> list[list[int]]:
        encoded = self.tokenizer(
            list(texts),
            truncation=True,
            max_length=self.max_tokens,
            return_attention_mask=False,
            return_token_type_ids=False,
        )
        return encoded["input_ids"]

    def _seed(self, purpose: str) -> int:
        return derived_seed(self.setup.round.random_state, self.setup.round.number, purpose)

    def _scan_key(self, folder: Path, table: TokenTable, vector: str, execution: Execution) -> str:
        parts = {
            "weights": file_hash(folder / WEIGHTS),
            "tokenizer": self.identity,
            "texts": b"".join(table.keys).hex(),
            "vector": vector,
            "execution": execution.as_record(),
            "torch": torch.__version__,
        }
        return value_hash(parts)[:24]

    def _facts(self, execution: Execution) -> dict[str, Any]:
        return {
            "model_revision": self.source.revision,
            "pretrained_weights_sha256": self.source.weights_hash(),
            "max_tokens": self.max_tokens,
            "tokenizer_hash": self.identity,
            "hyperparameters": asdict(self.setup.training),
            "execution": execution.as_record(),
            "notices": [],
        }


def _tokenizer_identity(tokenizer: Any, max_tokens: int) -> str:
    # State that a call leaves behind is not part of what the tokenizer is.
    backend = tokenizer.backend_tokenizer
    backend.no_truncation()
    backend.no_padding()
    return value_hash({"tokenizer": backend.to_str(), "max_tokens": max_tokens})[:24]


def _drop_other_scans(scratch: Path, keep: Path) -> None:
    for folder in scratch.iterdir() if scratch.is_dir() else ():
        if folder != keep and os.access(folder, os.W_OK):
            shutil.rmtree(folder)
