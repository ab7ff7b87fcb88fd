"""Small random models of each kind, with tokenizers trained on the test's own words, made once in a session."""

from pathlib import Path
from random import Random

import pytest

MARKERS = ("[STD SENTENCE START]", "[STD SENTENCE END]", "[ACT START]", "[ACT END]", "[MOTIVE START]", "[MOTIVE END]")
WORDS = (
    *("the", "committee", "cut", "raised", "held", "its", "rate", "rates", "policy", "today", "because", "inflation"),
    *("fell", "rose", "slowly", "market", "prices", "were", "low", "high", "growth", "weak", "strong", "it", "said"),
    *("that", "would", "could", "buy", "bonds", "sell", "again", "in", "march", "this", "year", "soon"),
)
ACTS = ("cut rates", "raised rates", "held its rate", "bought bonds", "eased its policy again")


def source_text(random: Random, n_words: int) -> str:
    return " ".join(random.choice(WORDS) for _ in range(n_words)).capitalize() + "."


def target_text(random: Random) -> str:
    act, motive = random.choice(ACTS), " ".join(random.choice(WORDS) for _ in range(random.randint(2, 5)))
    return (
        f"[STD SENTENCE START] The committee [ACT START] {act} [ACT END] because [MOTIVE START] {motive} "
        "(Inflation) [MOTIVE END]. [STD SENTENCE END]"
    )


def corpus() -> list[str]:
    random = Random(7)
    return [source_text(random, 12) for _ in range(200)] + [*ACTS, "(Inflation)", "a b c d e f g h i j k l m n o p q"]


@pytest.fixture(scope="session")
def tiny_bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A BERT encoder of two layers with a word-piece tokenizer that lowers letters."""
    import torch
    from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers
    from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

    folder = tmp_path_factory.mktemp("models") / "tiny-bert"
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece(cleanup=False)
    trainer = trainers.WordPieceTrainer(vocab_size=160, special_tokens=special, show_progress=False)
    tokenizer.train_from_iterator(corpus(), trainer)
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="[PAD]", unk_token="[UNK]", cls_token="[CLS]", sep_token="[SEP]",
        mask_token="[MASK]",
    ).save_pretrained(folder)  # fmt: skip
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=tokenizer.get_vocab_size(), hidden_size=24, intermediate_size=32, num_hidden_layers=2,
        num_attention_heads=2, max_position_embeddings=96, initializer_range=0.2,
    )  # fmt: skip
    BertModel(config).save_pretrained(folder)
    return folder


@pytest.fixture(scope="session")
def tiny_bart(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A BART of two layers each, with a byte-level tokenizer."""
    import torch
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers
    from transformers import BartConfig, BartForConditionalGeneration, PreTrainedTokenizerFast

    folder = tmp_path_factory.mktemp("models") / "tiny-bart"
    special = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    tokenizer = Tokenizer(models.BPE(unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=380, special_tokens=special, show_progress=False,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
    )  # fmt: skip
    tokenizer.train_from_iterator(corpus(), trainer)
    tokenizer.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0), add_prefix_space=False)
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, bos_token="<s>", eos_token="</s>", pad_token="<pad>", unk_token="<unk>",
        cls_token="<s>", sep_token="</s>", mask_token="<mask>",
    ).save_pretrained(folder)  # fmt: skip
    torch.manual_seed(0)
    config = BartConfig(
        vocab_size=tokenizer.get_vocab_size(), d_model=24, encoder_layers=2, decoder_layers=2, encoder_ffn_dim=32,
        decoder_ffn_dim=32, encoder_attention_heads=2, decoder_attention_heads=2, max_position_embeddings=128,
        init_std=0.2,
    )  # fmt: skip
    BartForConditionalGeneration(config).save_pretrained(folder)
    return folder


@pytest.fixture(scope="session")
def tiny_folders(tiny_bert: Path, tiny_bart: Path) -> dict[str, Path]:
    """The folder that each kind of generator is built from."""
    return {"transformer": tiny_bert, "bert": tiny_bert, "bart": tiny_bart}
