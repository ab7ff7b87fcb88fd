"""The kinds of providers that are implemented, one line each, by the names of al_worker.formats.providers.

The clients take a second to import, so a kind's module is loaded only where it is used.
"""

from collections.abc import Callable

from al_worker.core.providers.base import Provider
from al_worker.formats.providers import LanguageModel


def openai(model: LanguageModel) -> Provider:
    """Return the provider of OpenAI's interface. Raises ConfigError where its key is not there."""
    from al_worker.core.providers.openai import OpenAIProvider

    return OpenAIProvider(model)


def anthropic(model: LanguageModel) -> Provider:
    """Return the provider of Anthropic's interface. Raises ConfigError where its key is not there."""
    from al_worker.core.providers.anthropic import AnthropicProvider

    return AnthropicProvider(model)


def transformers(model: LanguageModel) -> Provider:
    """Return the provider of models in this process."""
    from al_worker.core.providers.transformers import TransformersProvider

    return TransformersProvider(model)


REGISTRY: dict[str, Callable[[LanguageModel], Provider]] = {
    "openai": openai,
    "anthropic": anthropic,
    "transformers": transformers,
}


def provider_for(model: LanguageModel) -> Provider:
    """Return the provider of a model. Raises ConfigError where its key is not there."""
    return REGISTRY[model.kind](model)
