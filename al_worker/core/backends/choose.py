"""From the name in config.toml to the backend."""

from al_worker.core.backends.base import Backend, Setup
from al_worker.core.errors import ModelUnavailable
from al_worker.formats.models import BOW_LOGREG, MODELS, NO_MODEL


def backend_for(setup: Setup) -> Backend:
    """The backend of the configured model. Raises ModelUnavailable."""
    name = setup.model.name
    if name == NO_MODEL:
        offered = ", ".join(MODELS)
        raise ModelUnavailable(
            f'this strategy learns, and [model] name is "none"; name a folder, a hub model or {offered}'
        )
    if name == BOW_LOGREG:
        from al_worker.core.backends.bow import BagOfWords

        return BagOfWords()
    # torch and transformers take seconds to import: only here, where they are needed.
    from al_worker.core.backends.encoder import Encoder

    return Encoder(setup)
