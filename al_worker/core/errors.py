"""Failures that a person can mend. Each has a name for programs and a message that says what to do.

For these `al_worker.core` prints `Name: message` on stderr and exits with EXIT_EXPECTED.
Any other exception is a fault of the program and shows its traceback.
"""

from al_worker.equivalence.errors import EquivalenceInvalid
from al_worker.factoids.errors import FactoidsInvalid
from al_worker.formats.run_directory import RunDirectoryError
from al_worker.formats.strategies import StrategyOptionError, UnknownStrategy
from al_worker.formats.tables import ConfigError

EXIT_EXPECTED = 3


class CoreError(Exception):
    """Signal one of the failures below."""


class PoolExhausted(CoreError):
    """Signal that every item of the pool has been handed out."""


class NotEnoughLabels(CoreError):
    """Signal that the strategy needs a model, and there is nothing to train it on."""


class ModelUnavailable(CoreError):
    """Signal that the model's files are not on this machine, or are of a kind that is not loaded."""


class CompileFailed(CoreError):
    """Signal that the forward pass was to be compiled, and this machine cannot do that."""


class NonFiniteScores(CoreError):
    """Signal that a prediction or a score is NaN or infinite. It is never replaced by another value."""


class TextRefused(CoreError):
    """Signal a source, target or continuation that a generative model cannot take. The message says which one."""


class CheckpointMismatch(CoreError):
    """Signal that a training's checkpoint is of other data, another model or other settings than were asked for."""


class PredictionsMismatch(CoreError):
    """Signal that predictions.npz does not belong to the JSONL files beside it."""


class LineError(CoreError):
    """Signal that a line of JSONL input is malformed."""

    def __init__(self, number: int, message: str) -> None:
        super().__init__(f"line {number}: {message}")


class ProviderError(CoreError):
    """Signal that a model's provider answers no more requests until a person has mended something."""


class KeyRejected(ProviderError):
    """Signal that the provider does not accept the key, or the key may not use this model."""


class OutOfMoney(ProviderError):
    """Signal that the provider's account is used up."""


class RequestInvalid(ProviderError):
    """Signal that the provider does not take such a request: the model's name or a parameter is wrong."""


class ProviderDown(ProviderError):
    """Signal that one request after another failed, though each was tried several times."""


class ProviderUnavailable(CoreError):
    """Signal that one request failed after its retries: network or provider was not there. The next may succeed."""


class RunBusy(CoreError):
    """Signal that another process holds the run directory."""


class NothingToJoin(CoreError):
    """Signal that no scan is under way that a second process could help with."""


class ScanMismatch(CoreError):
    """Signal that a second process would not give the same numbers as the scan under way."""


EXPECTED: tuple[type[Exception], ...] = (
    CoreError,
    ConfigError,
    EquivalenceInvalid,
    FactoidsInvalid,
    RunDirectoryError,
    StrategyOptionError,
    UnknownStrategy,
)
