"""Load any encoder for sequence classification through one path: no remote code, safetensors only."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
import transformers
from safetensors import SafetensorError
from transformers import AutoConfig, AutoModel, AutoModelForSequenceClassification, AutoTokenizer, PreTrainedModel

from al_worker.core.backends.locate import Source
from al_worker.core.errors import ModelUnavailable
from al_worker.core.run.config import TrainingSettings

# Encoders keep their dropout rates under these names. ModernBERT's four are 0 by default, RoBERTa's are 0.1.
CLASSIFIER_DROPOUTS = ("classifier_dropout", "seq_classif_dropout", "cls_dropout")
DROPOUTS = (
    "hidden_dropout_prob",
    "attention_probs_dropout_prob",
    "attention_dropout",
    "embedding_dropout",
    "mlp_dropout",
    "dropout",
    "pooler_dropout",
    *CLASSIFIER_DROPOUTS,
)
# A tokenizer without a limit says so with a number above this.
NO_LIMIT = 100_000

transformers.utils.logging.disable_progress_bar()
transformers.utils.logging.set_verbosity_error()


def load_tokenizer(source: Source) -> Any:
    """Return the fast tokenizer of the model. Raises ModelUnavailable."""
    try:
        tokenizer = AutoTokenizer.from_pretrained(source.folder, trust_remote_code=False, local_files_only=True)
    except (OSError, ValueError, KeyError) as error:
        raise ModelUnavailable(
            f'model "{source.name}": its tokenizer cannot be loaded ({_first_line(error)})'
        ) from error
    if not tokenizer.is_fast:
        raise ModelUnavailable(f'model "{source.name}": its tokenizer has no tokenizer.json; add one')
    return tokenizer


def load_pretrained(
    source: Source, labels: Sequence[str], training: TrainingSettings
) -> tuple[PreTrainedModel, dict[str, Any]]:
    """Return the pretrained encoder with a head for the labels, in float32, and what was set on it.

    Parameters that the checkpoint lacks (the head) are drawn from torch's global generator: seed it first.
    Raises ModelUnavailable.
    """
    config = load_config(source.folder, source.name)
    config.id2label = dict(enumerate(labels))
    config.label2id = {label: column for column, label in enumerate(labels)}
    facts = {"dropouts": _set_dropouts(config, training), **_set_pooling(config, training)}
    config.reference_compile = False  # older releases compile ModernBERT by themselves where triton is present
    model, info = _load(source.folder, source.name, config, training.attention)
    new = missing_parameters(info)
    check_whole(new, source.name, f"{model.base_model_prefix}.")
    return model, facts | {"architecture": type(model).__name__, "new_parameters": new}


def load_trained(folder: Path, training: TrainingSettings) -> PreTrainedModel:
    """Return a model as the train step wrote it. Raises ModelUnavailable."""
    return _load(folder, str(folder), load_config(folder, str(folder)), training.attention)[0]


def load_encoder(source: Source) -> Any:
    """Return an encoder without a head, ready to encode. Raises ModelUnavailable."""
    try:
        return AutoModel.from_pretrained(
            source.folder, use_safetensors=True, trust_remote_code=False, local_files_only=True, dtype=torch.float32
        ).eval()
    except (OSError, ValueError, KeyError, SafetensorError) as error:
        raise ModelUnavailable(f'model "{source.name}" is not an encoder: {error}') from error


def token_limit(source: Source, tokenizer: Any, max_tokens: int) -> int:
    """Return the most tokens that a text may have.

    It is the recipe's limit, cut to what the tokenizer and the position table allow.
    """
    limits = [max_tokens]
    if tokenizer.model_max_length < NO_LIMIT:
        limits.append(tokenizer.model_max_length)
    config = load_config(source.folder, source.name)
    positions = getattr(config, "max_position_embeddings", None)
    if isinstance(positions, int):
        # RoBERTa's positions start after the padding id.
        offset = config.pad_token_id + 1 if "roberta" in config.model_type or config.model_type == "camembert" else 0
        limits.append(positions - offset)
    return min(limits)


def load_config(folder: Path, name: str) -> Any:
    """Return the model's configuration. Raises ModelUnavailable."""
    try:
        return AutoConfig.from_pretrained(folder, trust_remote_code=False, local_files_only=True)
    except (OSError, ValueError, KeyError) as error:
        raise ModelUnavailable(
            f'model "{name}": config.json is not of a known kind ({_first_line(error)}); name another model'
        ) from error


def _load(folder: Path, name: str, config: Any, attention: str) -> tuple[PreTrainedModel, dict[str, Any]]:
    try:
        return AutoModelForSequenceClassification.from_pretrained(
            folder,
            config=config,
            dtype=torch.float32,
            attn_implementation=attention,
            use_safetensors=True,
            trust_remote_code=False,
            local_files_only=True,
            ignore_mismatched_sizes=True,
            output_loading_info=True,
        )
    except (OSError, ValueError, KeyError, SafetensorError) as error:
        raise ModelUnavailable(
            f'model "{name}" is not an encoder that can classify ({_first_line(error)}); name another'
        ) from error


def missing_parameters(info: Mapping[str, Any]) -> list[str]:
    """Return the parameters that the weight file lacks or has in another shape, by transformers' loading info."""
    return sorted({*info["missing_keys"], *(key for key, *_ in info["mismatched_keys"])})


def check_whole(new: Sequence[str], name: str, prefix: str = "") -> None:
    """Raise ModelUnavailable if `new` names parameters below the prefix: these may not start from random values.

    A pooler may.
    """
    inside = [key for key in new if key.startswith(prefix) and "pooler." not in key]
    if inside:
        raise ModelUnavailable(
            f'model "{name}": its weight file lacks {len(inside)} of its parameters, the first is {inside[0]}; '
            "the file is of another architecture than config.json says: fetch both anew"
        )


def _set_dropouts(config: Any, training: TrainingSettings) -> dict[str, float]:
    names = DROPOUTS if training.dropout_where == "all" else CLASSIFIER_DROPOUTS
    found = [name for name in names if hasattr(config, name)]
    for name in found:
        setattr(config, name, training.dropout)
    return dict.fromkeys(found, training.dropout)


def _set_pooling(config: Any, training: TrainingSettings) -> dict[str, str]:
    if not hasattr(config, "classifier_pooling"):
        return {}
    # Some published ModernBERT configurations say "mean". Then the head would not learn from the [CLS] vector.
    config.classifier_pooling = training.pooling
    return {"classifier_pooling": training.pooling}


def _first_line(error: Exception) -> str:
    return str(error).strip().split("\n", 1)[0][:300]
