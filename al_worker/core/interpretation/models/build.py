"""Build the three kinds of generative models (Marfurt et al. 2022, 4.4) from a named configuration or checkpoint."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from tokenizers import AddedToken
from transformers import (
    AutoModel,
    AutoModelForSeq2SeqLM,
    BertConfig,
    BertLMHeadModel,
    EncoderDecoderConfig,
    EncoderDecoderModel,
    GenerationConfig,
)
from transformers.models.auto.modeling_auto import MODEL_FOR_MASKED_LM_MAPPING, MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING

from al_worker.core.backends.loading import (
    NO_LIMIT,
    check_whole,
    load_config,
    load_tokenizer,
    missing_parameters,
    token_limit,
)
from al_worker.core.backends.locate import Source, locate_files, locate_model
from al_worker.core.errors import ModelUnavailable
from al_worker.core.interpretation.models.generator import BART, BERT, KINDS, TRANSFORMER, Generator
from al_worker.formats.tables import ConfigError
from al_worker.formats.text_form import STYLES
from al_worker.formats.ties import derived_seed

# A decoder with a table of positions says its size under one of these names.
DECODER_POSITIONS = ("max_decoder_position_embeddings", "max_position_embeddings")


def load_generator(kind: str, files: str | Path, *, markers: Sequence[str], seed: int) -> Generator:
    """Return a model of a kind, ready to be trained.

    - `transformer`: encoder and decoder of the shape of the configuration in `files`, with random weights;
    - `bert`: the pretrained encoder in `files` and a random decoder of its shape with cross attention;
    - `bart`: any pretrained encoder-decoder.

    `files` is a declared model, a folder or a name of the hub. Each marker becomes one token. `seed` decides all random
    weights. Raises ConfigError for an unknown kind or a marker that cannot be a token, and ModelUnavailable.
    """
    if kind not in KINDS:
        raise ConfigError(f'kind "{kind}" is unknown; there are {", ".join(KINDS)}')
    source = locate_files(str(files)) if kind == TRANSFORMER else locate_model(str(files))
    config = load_config(source.folder, source.name)
    check_kind(kind, config, source.name)
    tokenizer = load_tokenizer(source)
    add_markers(tokenizer, markers)
    torch.manual_seed(derived_seed(seed, 0, "weights"))
    if kind == BART:
        model = _pretrained(AutoModelForSeq2SeqLM, source, kind)
    elif config.is_encoder_decoder:
        model = AutoModelForSeq2SeqLM.from_config(config)
    else:
        encoder = _pretrained(AutoModel, source, kind) if kind == BERT else AutoModel.from_config(config)
        model = _with_decoder(encoder, tokenizer)
    if config.is_encoder_decoder and len(tokenizer) > model.get_input_embeddings().num_embeddings:
        # Rows drawn about the mean of all others would start out as equal as rates of 1e-6 would leave them.
        model.resize_token_embeddings(len(tokenizer), mean_resizing=False)
    opening, end = _frame(config, tokenizer, source.name)
    _set_tokens(model, tokenizer, opening, end)
    return Generator(
        kind=kind,
        model=model.eval(),
        tokenizer=tokenizer,
        opening=opening,
        end=end,
        max_source_tokens=token_limit(source, tokenizer, NO_LIMIT),
        max_target_tokens=_target_limit(model) - len(opening),
        facts={
            "model": source.name,
            "revision": source.revision,
            "pretrained_weights_sha256": "" if kind == TRANSFORMER else source.weights_hash(),
            "architecture": _architecture(model),
            "markers": list(markers),
            "seed": seed,
        },
    )


def markers_of(linear: Iterable[str], style: str = "spaces") -> list[str]:
    """Return the distinct markers of the text forms, sorted. What only looks like a marker is none."""
    found = (match for text in linear for match in STYLES[style].marker.finditer(text))
    return sorted({match[0][len(match[1]) :] for match in found if len(match[1]) % 2 == 0})


def add_markers(tokenizer: Any, markers: Sequence[str]) -> None:
    """Make each marker one token, whatever the tokenizer does to letters and blanks. Raises ConfigError.

    The token takes the blank before a marker. Otherwise byte-level tokenizers spend a token on it.
    """
    tokenizer.add_tokens([AddedToken(marker, lstrip=True, normalized=False, special=False) for marker in markers])
    for marker in markers:
        if not marker.strip() or len(tokenizer(marker, add_special_tokens=False)["input_ids"]) != 1:
            raise ConfigError(
                f"marker {marker!r} is no single token of this tokenizer; choose another style of markers"
            )


def check_kind(kind: str, config: Any, name: str) -> None:
    """Raise ModelUnavailable where the model is of another kind."""
    is_encoder = not config.is_encoder_decoder and type(config) in MODEL_FOR_MASKED_LM_MAPPING
    is_both = config.is_encoder_decoder and type(config) in MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING
    if kind == BART and not is_both:
        mend = f'choose the kind "{BERT}" for it' if is_encoder else "name another model"
        raise ModelUnavailable(f'model "{name}" ({config.model_type}) has no decoder that reads a source; {mend}')
    if kind == BERT and not is_encoder:
        mend = f'choose the kind "{BART}" for it' if is_both else "name another model"
        raise ModelUnavailable(f'model "{name}" ({config.model_type}) is no encoder; {mend}')
    if kind == TRANSFORMER and not is_encoder and not is_both:
        raise ModelUnavailable(
            f'model "{name}" ({config.model_type}) is neither an encoder nor an encoder-decoder; name another model'
        )


def _pretrained(auto: Any, source: Source, kind: str) -> Any:
    try:
        model, info = auto.from_pretrained(
            source.folder,
            dtype=torch.float32,
            use_safetensors=True,
            trust_remote_code=False,
            local_files_only=True,
            output_loading_info=True,
        )
    except (OSError, ValueError, KeyError, RuntimeError, SafetensorError) as error:
        raise ModelUnavailable(f'model "{source.name}" cannot be loaded as {kind} ({error}); name another') from error
    check_whole(missing_parameters(info), source.name)
    return model


def _with_decoder(encoder: Any, tokenizer: Any) -> Any:
    """Return the encoder with a random decoder of its shape. The decoder is BERT's, whatever the encoder is."""
    if len(tokenizer) > encoder.get_input_embeddings().num_embeddings:
        encoder.resize_token_embeddings(len(tokenizer), mean_resizing=False)
    shape = encoder.config
    inner = getattr(shape, "intermediate_size", None) or getattr(shape, "hidden_dim", None) or 4 * shape.hidden_size
    decoder = BertLMHeadModel(
        BertConfig(
            vocab_size=len(tokenizer),
            hidden_size=shape.hidden_size,
            num_hidden_layers=shape.num_hidden_layers,
            num_attention_heads=shape.num_attention_heads,
            intermediate_size=inner,
            max_position_embeddings=shape.max_position_embeddings,
            is_decoder=True,
            add_cross_attention=True,
            pad_token_id=tokenizer.pad_token_id,
        )
    )
    config = EncoderDecoderConfig.from_encoder_decoder_configs(shape, decoder.config)
    return EncoderDecoderModel(config=config, encoder=encoder, decoder=decoder)


def _frame(config: Any, tokenizer: Any, name: str) -> tuple[list[int], int]:
    """Return the tokens that a decoder reads before a target, and the one that it predicts after it."""
    if not config.is_encoder_decoder:
        ids = tokenizer.cls_token_id, tokenizer.sep_token_id, tokenizer.pad_token_id
        if None in ids:
            raise ModelUnavailable(f'model "{name}": its tokenizer lacks a token for cls, sep or padding; add it')
        return [ids[0]], ids[1]
    bare = tokenizer("a", add_special_tokens=False)["input_ids"]
    framed = tokenizer("a")["input_ids"]
    at = next((at for at in range(len(framed)) if framed[at : at + len(bare)] == bare), None)
    after = framed[at + len(bare) :] if at is not None else []
    start = config.decoder_start_token_id
    if at is None or after != [tokenizer.eos_token_id] or start is None or tokenizer.pad_token_id is None:
        raise ModelUnavailable(
            f'model "{name}": config.json needs decoder_start_token_id, and its tokenizer must end a text with its eos '
            "token and have one for padding; add them"
        )
    return [start, *framed[:at]], after[0]


def _set_tokens(model: Any, tokenizer: Any, opening: Sequence[int], end: int) -> None:
    """Tell model and generation the special tokens, and drop what else a checkpoint says about generation."""
    said = {"decoder_start_token_id": opening[0], "eos_token_id": end, "pad_token_id": tokenizer.pad_token_id}
    for name, value in said.items():
        setattr(model.config, name, value)
    model.generation_config = GenerationConfig(**said, bos_token_id=opening[-1])


def _target_limit(model: Any) -> int:
    config = getattr(model.config, "decoder", None) or model.config
    found = (getattr(config, name, None) for name in DECODER_POSITIONS)
    return next((limit for limit in found if isinstance(limit, int)), NO_LIMIT)


def _architecture(model: Any) -> str:
    if isinstance(model, EncoderDecoderModel):
        return f"{type(model.encoder).__name__} with {type(model.decoder).__name__}"
    return type(model).__name__
