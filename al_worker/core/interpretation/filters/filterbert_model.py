"""Hold FilterBERT: an encoder that says of each sentence of a source whether to keep it (Marfurt et al. 2022, 4.3)."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from transformers import AutoModel

from al_worker.core.backends.device import Execution
from al_worker.core.backends.loading import load_tokenizer, token_limit
from al_worker.core.backends.locate import Source, locate_model
from al_worker.core.errors import ModelUnavailable, NonFiniteScores
from al_worker.core.interpretation.filters.filterbert_settings import CHUNKS, FilterBertSettings
from al_worker.core.interpretation.models.text_tokens import padded_rows, source_mask
from al_worker.core.run.files import drop_folder, folder_aside, publish_folder
from al_worker.core.run.stop_signal import Stopped
from al_worker.formats.run_directory import RunDirectoryError, read_json, write_json
from al_worker.formats.ties import derived_seed

FILE, HEAD = "filterbert.json", "head.safetensors"
DROP, KEEP = 0, 1
DROPOUT = 0.1
SCORING_ROWS = 16


@dataclass(frozen=True, slots=True)
class Piece:
    """Hold what the model reads at a time: sentences of one source, each with its special tokens.

    `starts` are where the sentences begin in `ids`; `sentences` are their numbers in the source.
    """

    ids: list[int]
    starts: list[int]
    sentences: list[int]


class FilterBert(torch.nn.Module):
    """Classify each sentence by the vector of its first token, with one linear layer."""

    def __init__(self, encoder: Any, tokenizer: Any, limit: int, unit: str, facts: dict[str, Any]) -> None:
        super().__init__()
        self.encoder = encoder
        self.dropout = torch.nn.Dropout(DROPOUT)
        self.head = torch.nn.Linear(encoder.config.hidden_size, 2)
        self.tokenizer, self.limit, self.unit, self.facts = tokenizer, limit, unit, facts

    def forward(self, pieces: Sequence[Piece], send: Callable[[torch.Tensor], torch.Tensor]) -> torch.Tensor:
        """Return (s, 2) logits of dropping and keeping, for the sentences of all pieces in order."""
        rows = [piece.ids for piece in pieces]
        hidden = self.encoder(
            input_ids=send(padded_rows(rows, self.tokenizer.pad_token_id)), attention_mask=send(source_mask(rows))
        ).last_hidden_state
        row = [at for at, piece in enumerate(pieces) for _ in piece.starts]
        first = hidden[send(torch.tensor(row)), send(torch.tensor([at for piece in pieces for at in piece.starts]))]
        return self.head(self.dropout(first)).float()

    def tokens(self, sentences: Sequence[str]) -> list[list[int]]:
        """Return the tokens of each sentence with its special tokens, cut to what the model takes."""
        found: list[list[int]] = self.tokenizer(list(sentences), truncation=True, max_length=self.limit)["input_ids"]
        return found

    def pieces(self, tokens: Sequence[Sequence[int]]) -> Iterator[Piece]:
        """Yield the pieces of a source in order: chunks that are as long as the limit allows, or its sentences."""
        piece = Piece([], [], [])
        for number, ids in enumerate(tokens):
            if piece.sentences and (self.unit != CHUNKS or len(piece.ids) + len(ids) > self.limit):
                yield piece
                piece = Piece([], [], [])
            piece.starts.append(len(piece.ids))
            piece.sentences.append(number)
            piece.ids.extend(ids)
        yield piece

    def save(self, folder: Path) -> None:
        """Write encoder, head (safetensors) and tokenizer into the folder, all or nothing, in place of another one."""
        folder.parent.mkdir(parents=True, exist_ok=True)
        aside = folder_aside(folder.parent, folder.name)
        self.encoder.save_pretrained(aside)
        self.tokenizer.save_pretrained(aside)
        save_file(
            {name: value.detach().cpu().contiguous() for name, value in self.head.state_dict().items()}, aside / HEAD
        )
        write_json(aside / FILE, {"limit": self.limit, "unit": self.unit, "facts": self.facts})
        if folder.exists():
            drop_folder(folder)
        publish_folder(aside, folder)


def new_filterbert(name: str, settings: FilterBertSettings, seed: int) -> FilterBert:
    """Return an encoder by name or folder with a random head, ready to be trained. Raises ModelUnavailable."""
    source = locate_model(name)
    tokenizer = load_tokenizer(source)
    encoder = _encoder(source.folder, name)
    torch.manual_seed(derived_seed(seed, 0, "head"))
    facts = {"model": name, "revision": source.revision, "pretrained_weights_sha256": source.weights_hash()}
    return FilterBert(encoder, tokenizer, token_limit(source, tokenizer, settings.chunk_tokens), settings.unit, facts)


def filterbert_from(folder: Path) -> FilterBert:
    """Return a trained model as `save` wrote it. Raises ModelUnavailable."""
    try:
        said = read_json(folder / FILE)
        tokenizer = load_tokenizer(Source(name=str(folder), folder=folder, revision=""))
        model = FilterBert(_encoder(folder, str(folder)), tokenizer, said["limit"], said["unit"], said["facts"])
        model.head.load_state_dict(load_file(folder / HEAD))
    except (RunDirectoryError, OSError, KeyError, RuntimeError, SafetensorError) as error:
        raise ModelUnavailable(f"{folder} holds no trained FilterBERT ({error}); train it anew") from error
    return model.eval()


def sentence_scores(
    model: FilterBert,
    sources: Sequence[Sequence[str]],
    execution: Execution,
    report: Callable[[int, int], None] = lambda done, n: None,
    stop: Callable[[], bool] = lambda: False,
) -> list[tuple[float, ...]]:
    """Return the logit of keeping each sentence of each source. Raises Stopped and NonFiniteScores."""
    pieces = [(at, piece) for at, sentences in enumerate(sources) for piece in model.pieces(model.tokens(sentences))]
    order = sorted(range(len(pieces)), key=lambda number: (len(pieces[number][1].ids), number))
    found = [[0.0] * len(sentences) for sentences in sources]
    model.to(execution.device).eval()
    for start in range(0, len(order), SCORING_ROWS):
        if stop():
            raise Stopped
        batch = [pieces[number] for number in order[start : start + SCORING_ROWS]]
        with torch.inference_mode(), execution.autocast():
            logits = model([piece for _, piece in batch], execution.send)[:, KEEP].tolist()
        places = [(at, number) for at, piece in batch for number in piece.sentences]
        for (at, number), logit in zip(places, logits, strict=True):
            found[at][number] = logit
        report(min(start + SCORING_ROWS, len(order)), len(order))
    if not all(abs(logit) < float("inf") for scores in found for logit in scores):
        raise NonFiniteScores("FilterBERT gave a score that is not finite; train it anew with a smaller rate")
    return [tuple(scores) for scores in found]


def _encoder(folder: Path, name: str) -> Any:
    try:
        return AutoModel.from_pretrained(
            folder, use_safetensors=True, trust_remote_code=False, local_files_only=True, dtype=torch.float32
        )
    except (OSError, ValueError, KeyError, SafetensorError) as error:
        raise ModelUnavailable(f'model "{name}" is not an encoder: {error}') from error
