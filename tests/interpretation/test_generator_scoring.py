"""The fast scoring against a plain loop, with random models of all kinds."""

from pathlib import Path
from random import Random

import numpy as np
import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from al_worker.core.errors import TextRefused
from al_worker.core.interpretation.models.build import load_generator
from al_worker.core.interpretation.models.generator import KINDS, Generator
from al_worker.core.interpretation.models.scoring import Instance, ScoreSettings, score
from al_worker.core.interpretation.models.text_tokens import continued_tokens
from tests.interpretation.tiny_generators import ACTS, MARKERS, WORDS, source_text

CPU = ScoreSettings(device="cpu", threads=1)


@pytest.fixture(scope="module")
def generators(tiny_folders: dict[str, Path]) -> dict[str, Generator]:
    return {kind: load_generator(kind, tiny_folders[kind], markers=MARKERS, seed=1) for kind in KINDS}


def plain_loop(generator: Generator, instances: list[Instance]) -> np.ndarray:
    """Score one continuation at a time: the whole text goes through the whole model, and its tokens are added up."""
    found = []
    for source, prefix, *continuations in instances:
        for continuation in continuations:
            whole = generator.tokenizer(f"{prefix} {continuation}", add_special_tokens=False)["input_ids"]
            n_before = len(generator.tokenizer(prefix, add_special_tokens=False)["input_ids"])
            inputs = torch.tensor([generator.opening + whole])
            with torch.inference_mode():
                logits = generator.model(
                    input_ids=generator.tokenizer(source, return_tensors="pt")["input_ids"], decoder_input_ids=inputs
                ).logits[0]
            at = len(generator.opening) - 1
            each = logits.log_softmax(-1)[range(at, at + len(whole)), whole]
            found.append(float(each[n_before:].double().sum()))
    return np.array(found).reshape(-1, 2)


@st.composite
def drawn_instances(draw: st.DrawFn) -> list[Instance]:
    random = Random(draw(st.integers(0, 2**16)))
    sources = [source_text(random, random.randint(1, 24)) for _ in range(draw(st.integers(1, 4)))]
    instances: list[Instance] = []
    for _ in range(draw(st.integers(1, 12))):
        words = " ".join(random.choice(WORDS) for _ in range(random.randint(1, 6)))
        marker = random.choice(MARKERS)
        prefix = random.choice([f"[STD SENTENCE START] {words} {marker}", f"{marker} {words}", f"({marker}"])
        one, other = random.sample([*ACTS, "(Inflation)", words, f"{words} [ACT END] ({words})"], 2)
        instances.append((random.choice(sources), prefix, one, other))
    return instances


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(instances=drawn_instances())
def test_fast_scores_equal_those_of_a_plain_loop(
    kind: str, generators: dict[str, Generator], instances: list[Instance]
) -> None:
    found = score(generators[kind], instances, CPU)

    np.testing.assert_allclose(found, plain_loop(generators[kind], instances), rtol=0, atol=1e-4)


@pytest.mark.parametrize("kind", KINDS)
def test_the_tokens_of_prefix_and_continuation_are_those_of_the_whole(
    kind: str, generators: dict[str, Generator]
) -> None:
    generator = generators[kind]
    for prefix in ("[STD SENTENCE START] It [ACT START]", "[ACT START] cut (today", "It said", "(", "it's [ACT END],"):
        for continuation in ("cut rates", "(Inflation)", "[ACT END] again", "2,000-fold", "’tis"):
            before, after = continued_tokens(generator, prefix, continuation)

            whole = generator.tokenizer(f"{prefix} {continuation}", add_special_tokens=False)["input_ids"]
            assert before + after == whole


def test_a_source_is_read_once_whatever_the_number_of_its_instances(generators: dict[str, Generator]) -> None:
    generator = generators["bert"]
    read: list[int] = []
    hook = generator.model.encoder.register_forward_pre_hook(
        lambda module, args, kwargs: read.append(len(kwargs["input_ids"])), with_kwargs=True
    )
    random = Random(1)
    sources = [source_text(random, 20), source_text(random, 9)]
    score(generator, [(source, "[ACT START]", one, "sold") for source in sources for one in ACTS], CPU)
    hook.remove()

    assert sum(read) == 2


@pytest.mark.parametrize(
    ("instance", "message"),
    [
        (("the market", "[ACT START]", "cut", " "), "instance 1: its negative is empty"),
        (("the market", "[ACT START]", "cut " * 96, "held"), "instance 1: prefix and positive have 97 tokens"),
        ((" ", "[ACT START]", "cut", "held"), "source 1 is empty"),
        (("the market " * 60, "[ACT START]", "cut", "held"), "source 1: it has 122 tokens, and the model takes 96"),
    ],
)
def test_what_cannot_be_scored_is_named(instance: Instance, message: str, generators: dict[str, Generator]) -> None:
    first = ("growth was weak", "[ACT START]", "cut", "held")
    with pytest.raises(TextRefused, match=message):
        score(generators["bert"], [first, instance], ScoreSettings(device="cpu", threads=1, long_sources="refuse"))


def test_no_instance_gives_an_empty_array(generators: dict[str, Generator]) -> None:
    assert score(generators["bart"], [], CPU).shape == (0, 2)
