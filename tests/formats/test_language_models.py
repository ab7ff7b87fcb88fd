"""The operator's file of language models: where texts go, what names may be, and what is wrong with it."""

from pathlib import Path

import pytest

from al_worker.core.providers.registry import provider_for
from al_worker.formats.prompts import balanced_examples, sentence_shown
from al_worker.formats.providers import LanguageModel, read_models
from al_worker.formats.tables import ConfigError


def read(tmp_path: Path, text: str) -> dict[str, LanguageModel]:
    path = tmp_path / "models.toml"
    path.write_text(text, encoding="utf-8")
    return read_models(path)


@pytest.mark.parametrize(
    ("kind", "base_url", "destination"),
    [
        ("openai", "", "api.openai.com"),
        ("anthropic", "", "api.anthropic.com"),
        ("transformers", "", ""),
        ("openai", "http://127.0.0.1:8001/v1", "127.0.0.1:8001"),
        # A password in the address is no part of where texts go, and is not shown.
        ("openai", "https://user:word@models.example:8443/v1", "models.example:8443"),
    ],
)
def test_the_destination_is_the_host_that_texts_are_sent_to(
    tmp_path: Path, kind: str, base_url: str, destination: str
) -> None:
    table = f'[models.one]\nkind = "{kind}"\nmodel = "m"\nbase_url = "{base_url}"\n'
    assert read(tmp_path, table)["one"].destination == destination


def test_the_environment_of_a_client_does_not_lead_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "https://elsewhere.example/v1")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "https://elsewhere.example")
    monkeypatch.setenv("TEST_MODEL_KEY", "a key")
    for kind, host in (("openai", "api.openai.com"), ("anthropic", "api.anthropic.com")):
        table = f'[models.one]\nkind = "{kind}"\nmodel = "m"\nkey_env = "TEST_MODEL_KEY"\n'
        provider = provider_for(read(tmp_path, table)["one"])
        assert provider._client.base_url.host == host  # type: ignore[attr-defined]


ONE = '[models.one]\nkind = "openai"\nmodel = "m"\n'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[models."../one"]\nkind = "openai"\nmodel = "m"\n', r'"\.\./one" is no name of a model: use letters'),
        ('[models.one]\nkind = "openai"\nmodel = "m"\nbase_url = "models.example"\n', "names no host: write https://"),
        ('[models.one]\nkind = "openai"\n', r'\[models\.one\] lacks "model"'),
        ("[models.one\n", "not valid TOML"),
        (f'{ONE}[models.one.parameters]\napi_key = "x"\n', r'\[models\.one\.parameters\] "api_key" looks like a key'),
        (f'{ONE}[models.one.parameters.extra]\nAuthorization = "x"\n', '"Authorization" looks like a key'),
        (f'{ONE}[models.one.parameters]\nextra = ["sk-abc"]\n', '"extra" looks like a key.*name that by key_env'),
    ],
)
def test_a_fault_names_its_place(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        read(tmp_path, text)


def test_parameters_that_are_no_keys_are_taken(tmp_path: Path) -> None:
    given = 'max_completion_tokens = 5\nprompt_cache_key = "quorum"\nstop = ["token"]\ntop_k = 3\n'
    model = read(tmp_path, f"{ONE}[models.one.parameters]\n{given}")["one"]
    assert model.parameters["prompt_cache_key"] == "quorum"


def test_a_key_is_read_without_the_blanks_around_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "key").write_text("sk-one\n")
    monkeypatch.setenv("TEST_MODEL_KEY", " sk-one\n")
    assert LanguageModel(kind="openai", model="m", key_file=str(tmp_path / "key")).key() == "sk-one"
    assert LanguageModel(kind="openai", model="m", key_env="TEST_MODEL_KEY").key() == "sk-one"


@pytest.mark.parametrize(
    ("content", "said"), [(b"\n", "is empty: write the key"), (b"\xff", "is no text in UTF-8: write the key alone")]
)
def test_a_file_without_a_key_is_named(tmp_path: Path, content: bytes, said: str) -> None:
    (tmp_path / "key").write_bytes(content)
    model = LanguageModel(name="one", kind="openai", model="m", key_file=str(tmp_path / "key"))
    with pytest.raises(ConfigError, match=rf"\[models.one\] key_file: .*/key {said}"):
        model.key()


def test_a_sentence_names_its_speaker_where_the_prompt_shows_context() -> None:
    assert sentence_shown("{labels} {context} {sentence}", "We agree.", "Chair") == "Chair: We agree."
    assert sentence_shown("{labels} {sentence}", "We agree.", "Chair") == "We agree."
    assert sentence_shown("{labels} {context}", "We agree.", "") == "We agree."


def test_examples_take_one_of_each_label_in_turn() -> None:
    labelled = [(f"i{n}", f"Text {n}.", "yes" if n < 6 else "no") for n in range(8)]
    found = balanced_examples(labelled, 5, seed=1)
    assert [label for _, label in found] == ["no", "yes", "no", "yes", "yes"]
    assert found == balanced_examples(labelled[::-1], 5, seed=1)
    assert found != balanced_examples(labelled, 5, seed=2)
    assert len(balanced_examples(labelled, 20, seed=1)) == 8
    assert balanced_examples(labelled, 0, seed=1) == []
