"""Make the inputs of `gpu_iteration.py` from a seed: sentences, a tokenizer trained on them, and random weights."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from al_worker.formats.run_directory import CONFIG, ISSUED, LABELED, POOL, Item, write_config, write_items

SPECIAL = ("[UNK]", "[CLS]", "[SEP]", "[PAD]", "[MASK]")
# Parameters of a lognormal distribution of lengths, whose mean is about 31 tokens.
MEDIAN_TOKENS, SPREAD, LEAST_TOKENS, MOST_TOKENS = 25, 0.65, 4, 250
WORDS, BPE_SIZE, BPE_SENTENCES = 20_000, 8_000, 5_000
BASE = {"hidden_size": 768, "intermediate_size": 1152, "num_hidden_layers": 22, "num_attention_heads": 12}
TINY = {"hidden_size": 64, "intermediate_size": 96, "num_hidden_layers": 4, "num_attention_heads": 2}


@dataclass(frozen=True, slots=True)
class Size:
    """Hold the sizes of pool, training set, model and batch."""

    pool: int
    labeled: int
    model: dict[str, int]
    query_size: int = 150


FULL, SMALL = Size(281_000, 1_050, BASE), Size(1_200, 50, TINY)


class Sentences:
    """Make sentences of invented words, whose frequencies fall like those of natural words."""

    def __init__(self, seed: int) -> None:
        self.draw = np.random.default_rng(seed)
        self.words = self._make_words()
        weights = 1 / np.arange(2, WORDS + 2)
        self.shares = weights / weights.sum()

    def of(self, word_counts: np.ndarray) -> list[str]:
        """Return one sentence for each number of words in `word_counts`, shape (n,)."""
        chosen = self.words[self.draw.choice(WORDS, size=int(word_counts.sum()), p=self.shares)]
        return [" ".join(part) for part in np.split(chosen, np.cumsum(word_counts)[:-1])]

    def token_counts(self, n: int) -> np.ndarray:
        """Return n random lengths in tokens, special tokens included, as an array of shape (n,)."""
        drawn = self.draw.lognormal(np.log(MEDIAN_TOKENS), SPREAD, size=n)
        return np.clip(np.round(drawn), LEAST_TOKENS, MOST_TOKENS).astype(np.int64)

    def _make_words(self) -> np.ndarray:
        syllables = np.array([a + b + c for a in "bdfgklmnprstvw" for b in "aeiou" for c in ("", "n", "r", "s")])
        lengths = self.draw.integers(1, 5, size=2 * WORDS)
        parts = np.split(syllables[self.draw.integers(0, len(syllables), size=lengths.sum())], np.cumsum(lengths)[:-1])
        return np.array(list(dict.fromkeys("".join(part) for part in parts))[:WORDS])


def make_inputs(folder: Path, size: Size, training: dict[str, Any], strategy: str) -> Path:
    """Make the run directory, with the pretrained model beside it, and return its path."""
    run, sentences = folder / "run", Sentences(13)
    tokenizer = make_tokenizer(sentences.of(sentences.token_counts(BPE_SENTENCES)), folder / "model")
    sample = sentences.of(np.full(1000, 30))
    per_word = np.mean([len(ids) for ids in tokenizer(sample, add_special_tokens=False)["input_ids"]]) / 30
    counts = np.maximum(1, np.round((sentences.token_counts(size.pool + size.labeled) - 2) / per_word))
    texts = sentences.of(counts.astype(np.int64))
    make_model(folder / "model", size)
    run.mkdir()
    labels = ("no", "yes")
    write_items(run / LABELED, [Item(f"l{n}", text, labels[n % 2]) for n, text in enumerate(texts[: size.labeled])])
    write_items(run / POOL, [Item(f"p{n}", text) for n, text in enumerate(texts[size.labeled :])])
    write_items(run / ISSUED, [])
    write_settings(run, size, training, strategy)
    return run


def write_settings(run: Path, size: Size, training: dict[str, Any], strategy: str) -> None:
    """Write config.toml of the run directory."""
    tables = {
        "round": {"number": 1, "query_size": size.query_size, "random_state": 13},
        "strategy": {"name": strategy},
        "model": {"name": str(run.parent / "model"), "labels": ["no", "yes"], "positive_labels": ["yes"]},
        "training": training,
    }
    write_config(run / CONFIG, tables)


def make_tokenizer(texts: list[str], folder: Path) -> Any:
    """Train a byte-pair tokenizer on the texts, which costs as much time as a real one."""
    from tokenizers import Tokenizer, models, pre_tokenizers, processors, trainers
    from transformers import PreTrainedTokenizerFast

    tokenizer = Tokenizer(models.BPE(unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    trainer = trainers.BpeTrainer(vocab_size=BPE_SIZE, special_tokens=list(SPECIAL), show_progress=False)
    tokenizer.train_from_iterator(texts, trainer)
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[(name, SPECIAL.index(name)) for name in ("[CLS]", "[SEP]")]
    )
    names = {f"{name.strip('[]').lower()}_token": name for name in SPECIAL}
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, model_max_length=8192, **names)
    fast.save_pretrained(folder)
    return fast


def make_model(folder: Path, size: Size) -> None:
    """Save a ModernBERT with random weights, of the base size or a tiny one."""
    import torch
    from transformers import ModernBertConfig, ModernBertModel

    ids = {f"{name}_token_id": SPECIAL.index(f"[{name.upper()}]") for name in ("cls", "sep", "pad")}
    config = ModernBertConfig(vocab_size=50_368, local_attention=128, global_attn_every_n_layers=3,
                              max_position_embeddings=8192, bos_token_id=ids["cls_token_id"],
                              eos_token_id=ids["sep_token_id"], **ids, **size.model)  # fmt: skip
    torch.manual_seed(13)
    ModernBertModel(config).save_pretrained(folder)
