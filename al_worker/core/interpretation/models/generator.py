"""Hold a generative model with its tokenizer, and save and load the two."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from transformers import AutoModelForSeq2SeqLM

from al_worker.core.backends.loading import load_tokenizer
from al_worker.core.backends.locate import Source
from al_worker.core.errors import ModelUnavailable
from al_worker.core.run.files import drop_folder, folder_aside, publish_folder
from al_worker.formats.run_directory import RunDirectoryError, read_json, write_json

TRANSFORMER, BERT, BART = "transformer", "bert", "bart"
KINDS = (TRANSFORMER, BERT, BART)
# Parameters are of these groups, each with its learning rate (paper 4.4).
RANDOM, PRETRAINED, TIED = "random", "pretrained", "tied"
FILE = "generator.json"


@dataclass(slots=True, kw_only=True)
class Generator:
    """Hold an encoder-decoder and its tokenizer.

    The decoder reads the tokens `opening` and then those of a target, and predicts the target's tokens and `end`.
    `max_source_tokens` counts special tokens; `max_target_tokens` counts neither `opening` nor `end`.
    `facts` say for the record where the model came from.
    """

    kind: str
    model: Any
    tokenizer: Any
    opening: list[int]
    end: int
    max_source_tokens: int
    max_target_tokens: int
    facts: dict[str, Any]

    @property
    def n_parameters(self) -> int:
        """Return the number of parameters. Tied ones count once."""
        return sum(parameter.numel() for parameter in self.model.parameters())

    @property
    def pad(self) -> int:
        return int(self.tokenizer.pad_token_id)

    @property
    def markers(self) -> list[str]:
        return list(self.facts["markers"])

    def groups(self) -> dict[str, list[tuple[str, torch.nn.Parameter]]]:
        """Return the named parameters of each group. A group may be empty."""
        output = self.model.get_output_embeddings()
        shared = self.model.get_input_embeddings().weight
        is_tied = output is not None and output.weight is shared
        found: dict[str, list[tuple[str, torch.nn.Parameter]]] = {RANDOM: [], PRETRAINED: [], TIED: []}
        for name, parameter in self.model.named_parameters():
            if self.kind == BART:
                group = TIED if is_tied and parameter is shared else PRETRAINED
            else:
                group = PRETRAINED if self.kind == BERT and name.startswith("encoder.") else RANDOM
            found[group].append((name, parameter))
        return found

    def save(self, folder: Path) -> None:
        """Write weights (safetensors), tokenizer and generator.json into the folder, all or nothing.

        A folder that is there is replaced.
        """
        folder.parent.mkdir(parents=True, exist_ok=True)
        aside = folder_aside(folder.parent, folder.name)
        self.model.save_pretrained(aside)
        self.tokenizer.save_pretrained(aside)
        names = ("kind", "opening", "end", "max_source_tokens", "max_target_tokens", "facts")
        write_json(aside / FILE, {name: getattr(self, name) for name in names})
        if folder.exists():
            drop_folder(folder)
        publish_folder(aside, folder)


def generator_from(folder: Path) -> Generator:
    """Return a generator as `save` wrote it. Raises ModelUnavailable."""
    try:
        said = read_json(folder / FILE)
        model = AutoModelForSeq2SeqLM.from_pretrained(
            folder, dtype=torch.float32, use_safetensors=True, trust_remote_code=False, local_files_only=True
        )
        tokenizer = load_tokenizer(Source(name=str(folder), folder=folder, revision=""))
        return Generator(model=model, tokenizer=tokenizer, **said)
    except (RunDirectoryError, OSError, ValueError, KeyError, TypeError, SafetensorError) as error:
        raise ModelUnavailable(f"{folder} holds no trained generator ({error}); train it anew") from error
