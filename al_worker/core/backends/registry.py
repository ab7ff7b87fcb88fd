"""The backends that are implemented, one line each, by the names of al_worker.formats.models.

docs/develop/extending.md tells how to add one.
torch and transformers take seconds to import, so a backend's module is loaded only where it is used.
"""

from collections.abc import Callable

from al_worker.core.backends.base import Backend, Setup
from al_worker.core.errors import ModelUnavailable
from al_worker.formats.models import BOW, ENCODER, MODELS, NO_MODEL, backend_name


def encoder(setup: Setup) -> Backend:
    """Return the backend of pretrained encoders."""
    from al_worker.core.backends.encoder import Encoder

    return Encoder(setup)


def bag_of_words(setup: Setup) -> Backend:
    """Return the baseline, which starts from no files."""
    from al_worker.core.backends.bow import BagOfWords

    return BagOfWords()


REGISTRY: dict[str, Callable[[Setup], Backend]] = {ENCODER: encoder, BOW: bag_of_words}


def backend_for(setup: Setup) -> Backend:
    """Return the backend of the configured model. Raises ModelUnavailable."""
    name = setup.model.name
    if name == NO_MODEL:
        offered = ", ".join(MODELS)
        raise ModelUnavailable(
            f'this strategy learns, and [model] name is "none"; name a folder, a hub model or {offered}'
        )
    return REGISTRY[backend_name(name)](setup)
