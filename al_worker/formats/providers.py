"""Read the operator's file of language models: which there are, where requests go, their limits and prices.

A key never stands in the file. `key_env` names the environment variable that holds it, or `key_file` a file.
"""

import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from al_worker.formats.evaluation import SYSTEM_NAME, SYSTEM_NAME_WORDS
from al_worker.formats.tables import ConfigError, read_table, setting

MODELS_TABLE = "models"
SCHEMA, JSON_OBJECT, PROMPT = "json_schema", "json_object", "prompt"
# Names that end so: api_key, "X-Api-Key", accessToken, Authorization. Not max_tokens, nor prompt_cache_key.
CREDENTIAL_NAME = re.compile(
    r"((?<!cache)(?<!cache[_-])key|(^|access|auth|api|bearer|session)[_-]?token"
    r"|secret|password|passwd|authorization|auth|credentials?)$",
    re.IGNORECASE,
)
CREDENTIAL_VALUE = re.compile(r"(sk-|bearer\s)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ProviderDeclaration:
    """Declare a kind of provider.

    `is_remote` tells whether texts leave this installation for a server, which is `base_url` unless a model names
    another.
    """

    kind: str
    title: str
    is_remote: bool
    base_url: str = ""


PROVIDERS: dict[str, ProviderDeclaration] = {
    declaration.kind: declaration
    for declaration in (
        ProviderDeclaration(
            "openai",
            "OpenAI, or any server with the same interface",
            is_remote=True,
            base_url="https://api.openai.com/v1",
        ),
        ProviderDeclaration("anthropic", "Anthropic", is_remote=True, base_url="https://api.anthropic.com"),
        ProviderDeclaration("transformers", "a model on the model worker", is_remote=False),
    )
}


@dataclass(frozen=True, slots=True, kw_only=True)
class LanguageModel:
    """Hold one table [models.NAME]. `name` is what projects choose by; `model` is what the provider calls it.

    Prices are for a million tokens; -1 stands for a price that was not given. `structured` is how an OpenAI-compatible
    server is told the form of the answer. `parameters` go into each request as they stand, and are stored with each
    evaluation: no key may stand in them.
    """

    name: str = ""
    kind: str = setting(choices=tuple(PROVIDERS))
    model: str
    title: str = ""
    base_url: str = ""
    key_env: str = ""
    key_file: str = ""
    structured: str = setting(SCHEMA, choices=(SCHEMA, JSON_OBJECT, PROMPT))
    requests_per_minute: int = setting(60, least=1)
    concurrency: int = setting(4, least=1, most=64)
    timeout_seconds: float = setting(60.0, least=1)
    max_tokens: int = setting(400, least=1)
    price_in: float = setting(-1.0, least=-1)
    price_out: float = setting(-1.0, least=-1)
    currency: str = "USD"
    parameters: Mapping[str, Any] = field(default_factory=dict)

    @property
    def called(self) -> str:
        """Return what people call the model."""
        return self.title or self.name

    @property
    def is_remote(self) -> bool:
        return PROVIDERS[self.kind].is_remote

    @property
    def url(self) -> str:
        """Return where requests go, whatever the environment of a provider's client says. Empty for a local model."""
        return self.base_url or PROVIDERS[self.kind].base_url

    @property
    def destination(self) -> str:
        """Return the host that texts are sent to, with its port where one is named. Empty for a local model."""
        return urlsplit(self.url).netloc.rpartition("@")[2] if self.is_remote else ""

    def key(self) -> str | None:
        """Return the key, or None where the model needs none. Raises ConfigError where it is named and not there."""
        if self.key_env:
            if not (value := os.environ.get(self.key_env, "").strip()):
                raise ConfigError(f"[{MODELS_TABLE}.{self.name}] key_env: {self.key_env} is not set here: set it.")
            return value
        if not self.key_file:
            return None
        place = f"[{MODELS_TABLE}.{self.name}] key_file"
        try:
            value = Path(self.key_file).read_text(encoding="utf-8").strip()
        except OSError as error:
            raise ConfigError(
                f"{place}: {self.key_file} cannot be read: {error.strerror}. Name a file that the server may read."
            ) from error
        except UnicodeDecodeError as error:
            raise ConfigError(f"{place}: {self.key_file} is no text in UTF-8: write the key alone.") from error
        if not value:
            raise ConfigError(f"{place}: {self.key_file} is empty: write the key into it.")
        return value

    def cost(self, tokens_in: int, tokens_out: int) -> float | None:
        """Return what the tokens cost, in `currency`. It is None where the operator gave no prices."""
        if self.price_in < 0 or self.price_out < 0:
            return None
        return (tokens_in * self.price_in + tokens_out * self.price_out) / 1_000_000


def read_models(path: Path) -> dict[str, LanguageModel]:
    """Return the models of the file by name. Raises ConfigError, which names the file and the table."""
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"{path}: the file of language models cannot be read: {error.strerror}.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: not valid TOML: {error}") from error
    given = tables.pop(MODELS_TABLE, {})
    if tables or not isinstance(given, dict) or not all(isinstance(table, dict) for table in given.values()):
        raise ConfigError(f"{path}: it holds a table [{MODELS_TABLE}.NAME] for each model, and nothing else.")
    return {name: _model(path, name, dict(table)) for name, table in given.items()}


def _model(path: Path, name: str, table: dict[str, Any]) -> LanguageModel:
    place = f"{MODELS_TABLE}.{name}"
    parameters = table.pop("parameters", {})
    if not SYSTEM_NAME.fullmatch(name):
        raise ConfigError(f'{path}: [{MODELS_TABLE}] "{name}" is no name of a model: use {SYSTEM_NAME_WORDS}')
    if not isinstance(parameters, dict):
        raise ConfigError(f"{path}: [{place}] parameters is not a table")
    for parameter in _credentials(parameters):
        raise ConfigError(
            f'{path}: [{place}.parameters] "{parameter}" looks like a key, and parameters are stored with evaluations. '
            "Put the key into a variable or a file, and name that by key_env or key_file"
        )
    model = replace(read_table(LanguageModel, str(path), place, table), name=name, parameters=parameters)
    if model.key_env and model.key_file:
        raise ConfigError(f"{path}: [{place}] takes key_env or key_file, not both")
    if model.is_remote and not model.destination:
        raise ConfigError(f'{path}: [{place}] base_url = "{model.base_url}" names no host: write https://HOST/PATH')
    return model


def _credentials(given: Any, name: str = "") -> Iterator[str]:
    """Yield the names of what looks like a credential, however deep it stands."""
    if isinstance(given, dict):
        for key, value in given.items():
            yield from [key] if CREDENTIAL_NAME.search(key) else _credentials(value, key)
    elif isinstance(given, list):
        for value in given:
            yield from _credentials(value, name)
    elif isinstance(given, str) and CREDENTIAL_VALUE.match(given):
        yield name
