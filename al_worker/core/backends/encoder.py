"""Use any encoder for sequence classification as a backend.

MiniLM, ModernBERT, RoBERTa and the like share every line.
"""

import time
from collections.abc import Sequence
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import torch
import transformers
from transformers import PreTrainedModel

from al_worker.core.backends.base import Example, Predicted, Setup
from al_worker.core.backends.batches import Batch, plan_batches, plan_shards
from al_worker.core.backends.device import Execution, execution_for, peak_memory
from al_worker.core.backends.fine_tuning import FineTuningRun, fine_tune, item_weights
from al_worker.core.backends.flat_batches import flat_capacity, plan_flat_batches
from al_worker.core.backends.loading import load_pretrained, load_tokenizer, load_trained, token_limit
from al_worker.core.backends.locate import locate
from al_worker.core.backends.scanning import Scan, help_shards, scan_shards
from al_worker.core.backends.scoring_paths import flat_forward, scoring_path
from al_worker.core.backends.shards import scan_begin, scan_join
from al_worker.core.backends.tokens import TokenCache, TokenTable
from al_worker.core.run.config import TRANSFORMERS, HeadSettings
from al_worker.core.run.files import file_hash, value_hash
from al_worker.core.run.progress import Progress
from al_worker.core.training.heads import column_names, units_of
from al_worker.formats.ties import derived_seed

WEIGHTS = "model.safetensors"


class Encoder:
    """Run the configured encoder on this machine. Raises ModelUnavailable when its files are not here."""

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

        There is one new classifier layer. Each head is a block of its outputs, and all heads share the pooled vector.
        """
        training, execution = self.setup.training, execution_for(self.setup.training)
        seeds = {purpose: self._seed(purpose) for purpose in ("head", "shuffle", "dropout")}
        torch.manual_seed(seeds["head"])
        model, facts = load_pretrained(self.source, column_names(heads), training)
        model.to(execution.device)  # type: ignore[arg-type]
        torch.manual_seed(seeds["dropout"])
        columns = np.array([example.columns for example in examples]).T
        units = [unit for head in heads for unit in units_of(head)]
        weights = [
            item_weights(at_unit, len(unit.labels), training.class_weights)
            for at_unit, unit in zip(columns, units, strict=True)
        ]
        run = FineTuningRun(
            model=model,
            table=self._table([example.text for example in examples], progress, 0.0, 0.05),
            columns=torch.from_numpy(np.ascontiguousarray(columns)),
            weights=torch.stack(weights),
            units=units,
            training=training,
            execution=execution,
            pad_id=self.pad_id,
        )
        losses = fine_tune(run, seeds["shuffle"], progress)
        model.save_pretrained(folder)
        self.tokenizer.save_pretrained(folder)
        facts |= self._facts(execution) | peak_memory(execution)
        return facts | {"seeds": seeds, "epoch_losses": losses}

    def predict(self, folder: Path, texts: Sequence[str], vector: str, scratch: Path, progress: Progress) -> Predicted:
        """Score texts. A scan that was killed continues from its last shard, with the identical result."""
        scan, plan, parts = self._scan(folder, texts, vector, progress)
        shards = scan_begin(scratch, parts)

        n_tokens = int(scan.table.lengths.sum())

        def on_rows(done: int, tokens: int) -> None:
            # Progress counts tokens. The longest texts come first, so a share of the sentences would stay low for long.
            progress.report(0.05 + 0.9 * tokens / n_tokens, f"{done} of {len(texts)} sentences, the longest first")

        before = time.monotonic()
        (logits, vectors), counts = scan_shards(scan, plan, shards, on_rows)
        counts |= {"scan_seconds": round(time.monotonic() - before, 3)}
        batches = [batch for shard in plan for batch in shard]
        padded_tokens = sum(scan.capacity or len(batch.rows) * batch.length for batch in batches)
        facts: dict[str, Any] = {"n_texts": len(texts), "batches": len(batches), "padded_tokens": padded_tokens}
        facts |= counts | {"n_tokens": n_tokens, "execution": scan.execution.as_record()}
        return Predicted(logits, vectors, facts | {"scoring_path": scan.path} | peak_memory(scan.execution))

    def join(self, folder: Path, texts: Sequence[str], vector: str, scratch: Path, progress: Progress) -> int:
        """Compute shards of the scan under way. Raises NothingToJoin or ScanMismatch."""
        scan, plan, parts = self._scan(folder, texts, vector, progress)
        shards = scan_join(scratch, parts)

        def on_shards(computed: int, done: int) -> None:
            progress.report(0.05 + 0.9 * done / len(plan), f"{done} of {len(plan)} shards stand, {computed} from here")

        return help_shards(scan, plan, shards, on_shards)

    def _scan(
        self, folder: Path, texts: Sequence[str], vector: str, progress: Progress
    ) -> tuple[Scan, list[list[Batch]], dict[str, Any]]:
        """Return what to scan with, the shards in order, and everything that the numbers depend on."""
        execution = execution_for(self.setup.training)
        table = self._table(texts, progress, 0.0, 0.05)
        model = load_trained(folder, self.setup.training)
        model.to(execution.device).eval()  # type: ignore[arg-type]
        scan, batches = self._planned(model, table, execution, vector)
        return scan, plan_shards(batches, execution.shard_sentences), self._scan_parts(folder, scan)

    def _planned(
        self, model: PreTrainedModel, table: TokenTable, execution: Execution, vector: str
    ) -> tuple[Scan, list[Batch]]:
        budget = execution.score_batch_tokens
        path = scoring_path(self.setup.training.scoring_path, model, execution)
        if path == TRANSFORMERS:
            batches = plan_batches(table.lengths, table.keys, budget, execution.exact_rows)
            return Scan(model, table, execution, self.pad_id, vector, path), batches
        capacity, longest = flat_capacity(table.lengths, budget), int(table.lengths.max())
        flat = flat_forward(path, model, execution, vector, longest, self.setup.cache)
        scan = Scan(model, table, execution, self.pad_id, vector, path, flat, capacity)
        return scan, plan_flat_batches(table.lengths, table.keys, capacity)

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

    def _scan_parts(self, folder: Path, scan: Scan) -> dict[str, Any]:
        return {
            "weights": file_hash(folder / WEIGHTS),
            "tokenizer": self.identity,
            "texts": sha256(b"".join(scan.table.keys)).hexdigest(),
            "vector": scan.vector,
            "execution": scan.execution.as_record(),
            "scoring_path": scan.path,
            "torch": torch.__version__,
            "transformers": transformers.__version__,
        }

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
    # The truncation and padding that a call leaves behind are not part of the tokenizer's identity.
    backend = tokenizer.backend_tokenizer
    backend.no_truncation()
    backend.no_padding()
    return value_hash({"tokenizer": backend.to_str(), "max_tokens": max_tokens})[:24]
