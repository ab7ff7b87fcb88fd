"""Building generative models, the tokens of their texts, and what they generate."""

import json
import shutil
from pathlib import Path

import pytest
import torch
from transformers import (
    AutoModelForSeq2SeqLM,
    BertConfig,
    GPT2Config,
    GPT2LMHeadModel,
    T5Config,
    T5ForConditionalGeneration,
)

from al_worker.core.errors import ModelUnavailable, TextRefused
from al_worker.core.interpretation.models.build import load_generator, markers_of
from al_worker.core.interpretation.models.generation import GenerationSettings, generate, generate_some
from al_worker.core.interpretation.models.generator import KINDS, Generator, generator_from
from al_worker.core.interpretation.models.scoring import ScoreSettings, score
from al_worker.core.interpretation.models.text_tokens import decoded, target_tokens, tidied
from al_worker.core.interpretation.models.training import Example, TrainSettings, train
from al_worker.core.run.stop_signal import Stopped
from al_worker.formats.models import MINILM
from al_worker.formats.tables import ConfigError
from al_worker.formats.text_form import parse
from tests.interpretation.test_generator_scoring import plain_loop
from tests.interpretation.tiny_generators import MARKERS

TEXT = (
    "[STD SENTENCE START] The Fed's long-term [ACT START] [ACT#2 START] policy [ACT#2 END] was eased (It opened) "
    '[ACT END], by 1.5% or "2,000 (e.g. [ACT START] cut) [ACT END]" in the U.S. [STD SENTENCE END]'
)
SHORT = GenerationSettings(min_tokens=4, max_tokens=12, device="cpu", threads=1)


@pytest.fixture(scope="module")
def built(tiny_folders: dict[str, Path]) -> dict[str, Generator]:
    return {kind: load_generator(kind, tiny_folders[kind], markers=MARKERS, seed=1) for kind in KINDS}


def test_markers_are_found_in_text_forms_and_escaped_ones_are_not() -> None:
    linear = [r"[ACT START] a \[B START] [ACT END] \\[ACT#2 START] x [ACT#2 END]", "[ACT START] y [ACT END]"]

    assert markers_of(linear) == ["[ACT END]", "[ACT START]", "[ACT#2 END]", "[ACT#2 START]"]
    assert markers_of(["<A_B_START> x <A_B_END>"], "angle") == ["<A_B_END>", "<A_B_START>"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_marker_is_one_token_and_the_space_before_it_is_none(kind: str, built: dict[str, Generator]) -> None:
    generator = built[kind]
    tokenizer = generator.tokenizer
    (ids,) = target_tokens(generator, ["It [ACT START] held [ACT END] [ACT END]"], 0).ids
    tokens = tokenizer.convert_ids_to_tokens(ids)

    assert [token for token in tokens if "[" in token] == ["[ACT START]", "[ACT END]", "[ACT END]"]
    assert "Ġ" not in tokens
    assert tokenizer.convert_tokens_to_ids("[ACT START]") < generator.model.get_input_embeddings().num_embeddings


def test_byte_level_tokens_give_the_very_text_back(tiny_bart: Path) -> None:
    generator = load_generator("bart", tiny_bart, markers=markers_of([TEXT]), seed=1)
    for text in (TEXT, "[ACT START] cut [ACT END]ting", "it ([ACT START] cut [ACT END]) [ACT START] held [ACT END]"):
        (ids,) = target_tokens(generator, [text], 0).ids

        assert decoded(generator, [*ids, generator.end, 7]) == text


def test_word_pieces_give_the_text_back_in_small_letters_with_its_markers() -> None:
    generator = load_generator("transformer", MINILM, markers=markers_of([TEXT]), seed=1)
    (ids,) = target_tokens(generator, [TEXT], 0).ids
    text = decoded(generator, ids)

    assert text != TEXT
    assert text.lower() == TEXT.lower()
    assert [span.category for span in parse(text).spans] == [span.category for span in parse(TEXT).spans]
    assert "[ACT#2 START] policy [ACT#2 END]" in text


@pytest.mark.parametrize(
    ("pieces", "text"),
    [
        ("rates , he said ; it ' s 1 . 5 % .", "rates, he said; it's 1.5%."),
        ("$ 2 , 000 and 1999 , 300 ( about )", "$2,000 and 1999, 300 (about)"),
        ("the long - term bonds and / or bills", "the long-term bonds and/or bills"),
        ("the u . s . economy doesn ' t", "the u.s. economy doesn't"),
    ],
)
def test_spaces_of_word_pieces_are_taken_back(pieces: str, text: str) -> None:
    assert tidied(pieces) == text


@pytest.mark.parametrize("kind", KINDS)
def test_generation_is_that_of_transformers_for_each_source_alone(kind: str, built: dict[str, Generator]) -> None:
    generator = built[kind]
    sources = ["growth was weak", "prices rose slowly because the market fell again this year", "it said", "it said"]
    found = generate(generator, sources, SHORT)

    assert found[2] == found[3]
    for source, text in zip(sources, found, strict=True):
        alone = generator.model.generate(
            input_ids=torch.tensor([generator.tokenizer(source)["input_ids"]]),
            decoder_input_ids=torch.tensor([generator.opening]),
            num_beams=5, min_new_tokens=4, max_new_tokens=12, length_penalty=0.0, early_stopping=True, do_sample=False,
        )  # fmt: skip
        assert decoded(generator, alone[0, len(generator.opening) :].tolist()) == text


@pytest.mark.parametrize("kind", KINDS)
def test_generated_texts_have_the_number_of_tokens_that_was_asked_for(kind: str, built: dict[str, Generator]) -> None:
    generator = built[kind]
    ids: list[list[int]] = []
    generate_before = generator.model.generate
    try:

        def kept(**given: object) -> torch.Tensor:
            found = generate_before(**given)
            ids.extend(found.tolist())
            return found

        generator.model.generate = kept
        generate(
            generator, ["growth was weak"], GenerationSettings(min_tokens=9, max_tokens=9, device="cpu", threads=1)
        )
    finally:
        del generator.model.generate
    (row,) = ids

    assert row[: len(generator.opening)] == generator.opening
    assert generator.end not in row[len(generator.opening) : len(generator.opening) + 8]
    assert len(row) == len(generator.opening) + 9


def test_generation_goes_on_with_the_same_texts(built: dict[str, Generator]) -> None:
    generator = built["bart"]
    sources = [f"prices rose {'again ' * n}" for n in range(7)]
    settings = GenerationSettings(min_tokens=4, max_tokens=12, device="cpu", threads=1, batch_sources=3)
    whole = dict(generate_some(generator, sources, settings))
    first: dict[int, str] = {}
    with pytest.raises(Stopped):
        first.update(generate_some(generator, sources, settings, stop=lambda: True))
    for number, text in generate_some(generator, sources, settings):
        first[number] = text
        if len(first) == 4:
            break
    later = dict(generate_some(generator, sources, settings, done=first))

    assert list(whole) == [6, 5, 4, 3, 2, 1, 0]
    assert not first.keys() & later.keys()
    assert first | later == whole


def test_a_static_cache_gives_the_same_texts(built: dict[str, Generator]) -> None:
    static = GenerationSettings(min_tokens=4, max_tokens=12, device="cpu", threads=1, cache="static")
    for generator in built.values():
        assert generate(generator, ["growth was weak", "it"], static) == generate(
            generator, ["growth was weak", "it"], SHORT
        )


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"max_tokens": 96}, "max_tokens = 96, and the decoder takes 95"),
        ({"max_tokens": 12, "beams": 0}, "there must be one beam or more"),
        ({"max_tokens": 12, "min_tokens": 13}, "no fewer tokens at most than at least"),
        (
            {"max_tokens": 12, "min_tokens": 4, "max_source_tokens": 97},
            "max_source_tokens = 97, and the model takes 96",
        ),
    ],
)
def test_settings_that_cannot_be_met_are_refused(
    given: dict[str, int], message: str, built: dict[str, Generator]
) -> None:
    with pytest.raises(ConfigError, match=message):
        generate(built["bert"], ["it"], GenerationSettings(device="cpu", threads=1, **given))  # type: ignore[arg-type]


def test_a_long_source_is_cut_or_refused(built: dict[str, Generator]) -> None:
    long = "market " * 120
    cut = generate(built["bert"], [long], SHORT)
    refusing = GenerationSettings(min_tokens=4, max_tokens=12, device="cpu", threads=1, long_sources="refuse")

    assert cut == generate(built["bert"], ["market " * 94], SHORT)
    with pytest.raises(TextRefused, match="source 0: it has 122 tokens, and the model takes 96"):
        generate(built["bert"], [long], refusing)


@pytest.mark.parametrize("kind", KINDS)
def test_weights_depend_on_the_seed_alone_and_pretrained_ones_are_the_checkpoints(
    kind: str, tiny_folders: dict[str, Path]
) -> None:
    one, same, other = (load_generator(kind, tiny_folders[kind], markers=MARKERS, seed=seed) for seed in (1, 1, 2))
    states = [dict(each.model.named_parameters()) for each in (one, same, other)]

    assert all(torch.equal(tensor, states[1][name]) for name, tensor in states[0].items())
    differing = {name for name, tensor in states[0].items() if not torch.equal(tensor, states[2][name])}
    if kind == "transformer":
        assert any(name.startswith("encoder.") for name in differing)
    if kind == "bert":
        assert {name for name in differing if name.startswith("encoder.")} == {
            "encoder.embeddings.word_embeddings.weight"
        }
    if kind == "bart":
        assert differing == {"model.shared.weight"}
        checkpoint = AutoModelForSeq2SeqLM.from_pretrained(tiny_folders[kind])
        n = checkpoint.config.vocab_size
        assert torch.equal(states[0]["model.shared.weight"][:n], checkpoint.model.shared.weight)


def test_a_transformer_may_have_the_shape_of_an_encoder_decoder(tiny_bart: Path) -> None:
    generator = load_generator("transformer", tiny_bart, markers=MARKERS, seed=0)

    assert {name for name, named in generator.groups().items() if named} == {"random"}
    assert len(generate(generator, ["growth was weak"], SHORT)) == 1


def test_the_decoder_of_a_modernbert_encoder_has_its_shape(tiny_modernbert: Path, tmp_path: Path) -> None:
    generator = load_generator("bert", tiny_modernbert, markers=MARKERS, seed=0)
    instances = [("label the text", "[ACT START]", "one", "two three"), ("label", "[ACT START]", "four", "five")]

    assert generator.facts["architecture"] == "ModernBertModel with BertLMHeadModel"
    assert generator.model.decoder.config.num_hidden_layers == 3
    assert score(generator, instances, ScoreSettings(device="cpu", threads=1)) == pytest.approx(
        plain_loop(generator, instances), abs=1e-4
    )
    settings = TrainSettings(device="cpu", threads=1, max_epochs=1)
    train(generator, [Example("a text", "[ACT START] a [ACT END]")] * 2, [Example("a", "b")], settings, tmp_path)
    generator.save(tmp_path / "saved")
    assert generate(generator_from(tmp_path / "saved"), ["a text"], SHORT) == generate(generator, ["a text"], SHORT)


def test_any_encoder_decoder_is_one_of_the_kind_bart(tiny_bart: Path, tmp_path: Path) -> None:
    """A T5 has no table of positions, and begins a target with padding."""
    folder = shutil.copytree(tiny_bart, tmp_path / "t5")
    said = json.loads((folder / "tokenizer.json").read_text())
    said["post_processor"] = {
        "type": "TemplateProcessing",
        "single": [{"Sequence": {"id": "A", "type_id": 0}}, {"SpecialToken": {"id": "</s>", "type_id": 0}}],
        "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 0}}],
        "special_tokens": {"</s>": {"id": "</s>", "ids": [2], "tokens": ["</s>"]}},
    }
    (folder / "tokenizer.json").write_text(json.dumps(said))
    torch.manual_seed(0)
    config = T5Config(
        vocab_size=380, d_model=24, d_kv=12, d_ff=32, num_layers=2, num_heads=2, pad_token_id=1, eos_token_id=2,
    )  # fmt: skip
    config.decoder_start_token_id = 1
    T5ForConditionalGeneration(config).save_pretrained(folder)
    generator = load_generator("bart", folder, markers=MARKERS, seed=0)
    instances = [
        ("growth was weak", "[ACT START]", "cut rates", "held"),
        ("growth was weak", "It said [ACT START]", "cut rates soon", "held"),
    ]

    assert (generator.opening, generator.end) == ([1], 2)
    assert score(generator, instances, ScoreSettings(device="cpu", threads=1)) == pytest.approx(
        plain_loop(generator, instances), abs=1e-4
    )


def test_the_base_model_has_as_many_parameters_as_the_papers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Table 7 gives 247 million for a BERT of base size with its decoder."""
    from al_worker.core.interpretation.models import build

    class Words:
        pad_token_id = 0

        def __len__(self) -> int:
            return 30_522

    with torch.device("meta"):
        model = build._with_decoder(build.AutoModel.from_config(BertConfig()), Words())

    assert round(sum(each.numel() for each in model.parameters()) / 1e6) == 247


def test_what_cannot_be_built_is_named_with_the_mend(
    tiny_bert: Path, tiny_bart: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def load(kind: str, files: str | Path, markers: tuple[str, ...] = MARKERS) -> None:
        load_generator(kind, files, markers=markers, seed=0)

    with pytest.raises(ConfigError, match='kind "gpt" is unknown; there are transformer, bert, bart'):
        load("gpt", tiny_bert)
    with pytest.raises(ModelUnavailable, match='no decoder that reads a source; choose the kind "bert"'):
        load("bart", tiny_bert)
    with pytest.raises(ModelUnavailable, match='is no encoder; choose the kind "bart"'):
        load("bert", tiny_bart)
    with pytest.raises(ModelUnavailable, match="neither a folder on this machine nor a hub name"):
        load("bart", "no such model")
    gpt = shutil.copytree(tiny_bart, tmp_path / "gpt")
    GPT2LMHeadModel(GPT2Config(vocab_size=380, n_embd=8, n_layer=1, n_head=1)).save_pretrained(gpt)
    for kind, message in (
        ("bert", "is no encoder; name another"),
        ("bart", "no decoder"),
        ("transformer", "is neither"),
    ):
        with pytest.raises(ModelUnavailable, match=message):
            load(kind, gpt)
    with pytest.raises(ConfigError, match="marker ' ' is no single token"):
        load("bert", tiny_bert, (" ",))
    unframed = shutil.copytree(tiny_bart, tmp_path / "unframed")
    said = json.loads((unframed / "config.json").read_text()) | {"decoder_start_token_id": None}
    (unframed / "config.json").write_text(json.dumps(said))
    with pytest.raises(ModelUnavailable, match="needs decoder_start_token_id"):
        load("bart", unframed)
    with pytest.raises(ModelUnavailable, match="holds no trained generator"):
        generator_from(tiny_bart)


@pytest.mark.parametrize("kind", ["bert", "bart"])
def test_a_checkpoint_that_lacks_weights_is_refused(kind: str, tiny_folders: dict[str, Path], tmp_path: Path) -> None:
    from safetensors.torch import load_file, save_file

    folder = shutil.copytree(tiny_folders[kind], tmp_path / "lacking")
    tensors = load_file(folder / "model.safetensors")
    dropped = next(name for name in tensors if "query" in name or "q_proj" in name)
    save_file({name: each for name, each in tensors.items() if name != dropped}, folder / "model.safetensors",
              metadata={"format": "pt"})  # fmt: skip

    with pytest.raises(ModelUnavailable, match="its weight file lacks 1 of its parameters"):
        load_generator(kind, folder, markers=MARKERS, seed=0)
