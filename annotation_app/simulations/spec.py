"""Check what an admin asks of a simulation, as far as no data are needed."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from al_worker.formats.simulation import CASE_NAME, CASE_NAME_WORDS, FULL
from al_worker.formats.strategies import STRATEGIES, StrategyOptionError, check_options
from annotation_app.rounds.models_offered import offered_model

Errors = dict[str, list[str]]

MAX_CASES = 16
MAX_MODELS = 4
MAX_SEEDS = 20
MAX_BATCH_SIZES = 4
MAX_BATCHES = 200
# A training is a cell's batch: the whole work. Ten thousand of a bag of words take an hour or two.
MAX_TRAININGS = 10_000
MAX_RANDOM_STATE = 2**31 - 1
MAX_KEY_LENGTH = 40
MAX_PARTS = 6
MAX_PHRASES = 200
FULL_SUPERVISION = ("first", "all", "none")


@dataclass(frozen=True)
class Case:
    """Hold a strategy with its options under a key of the admin's; a strategy may occur several times."""

    key: str
    name: str
    options: dict[str, Any]


@dataclass(frozen=True)
class Part:
    """Test items whose line has this value in this field are reported apart, too, under a key of the admin's own."""

    key: str
    field: str
    value: str | int | bool


@dataclass(frozen=True)
class StringTest:
    """Hold a reference without learning: a text with one of the phrases has `label`, any other `otherwise`."""

    phrases: Sequence[str]
    label: str
    otherwise: str


@dataclass(frozen=True, kw_only=True)
class SimulationSpec:
    """Hold the admin's request.

    `full_supervision` are seeds with which models also learn the whole pool at once. `primary` is the strategy of the
    one comparison with the baseline that is named beforehand, by its area on `primary_part` (empty: all test items).
    Areas may leave out the first batch, which all strategies share.
    """

    name: str
    strategies: Sequence[Case]
    models: Sequence[str]
    seeds: Sequence[int]
    batch_sizes: Sequence[int]
    batches: int
    full_supervision: str = "first"
    baseline: str = ""
    positive_labels: Sequence[str] = ()
    parts: Sequence[Part] = ()
    string_test: StringTest | None = None
    primary: str = ""
    primary_part: str = ""
    first_batch_in_area: bool = True

    @property
    def baseline_used(self) -> str:
        """Return the strategy that the others are compared with: the named one, else random, else the first."""
        keys = [case.key for case in self.strategies]
        return self.baseline or ("random" if "random" in keys else keys[0])

    @property
    def full_supervision_seeds(self) -> list[int]:
        return {"first": list(self.seeds[:1]), "all": list(self.seeds), "none": []}[self.full_supervision]


@dataclass(frozen=True)
class Amount:
    """Count the work: cells run on their own, trainings are all of it."""

    cells: int
    trainings: int


def amount(spec: SimulationSpec, n_pool: int) -> Amount:
    """Return the work that the simulation has on a pool of `n_pool` items."""
    full = len(spec.models) * len(spec.full_supervision_seeds)
    lines = len(spec.strategies) * len(spec.models) * len(spec.seeds)
    batches = sum(min(spec.batches, -(-n_pool // size)) for size in spec.batch_sizes)
    return Amount(full + lines * len(spec.batch_sizes), full + lines * batches)


def spec_faults(spec: SimulationSpec) -> Errors:
    """Return every fault that can be found without data."""
    errors: Errors = {} if spec.name.strip() else {"name": ["Give the simulation a name."]}
    for name, values, most in (
        ("strategies", spec.strategies, MAX_CASES),
        ("models", spec.models, MAX_MODELS),
        ("seeds", spec.seeds, MAX_SEEDS),
        ("batch_sizes", spec.batch_sizes, MAX_BATCH_SIZES),
    ):
        if not 1 <= len(values) <= most:
            errors[name] = [f"Give 1 to {most}."]
    for name, numbers in (("models", spec.models), ("seeds", spec.seeds), ("batch_sizes", spec.batch_sizes)):
        if len(set(numbers)) != len(numbers):
            errors[name] = ["Name each only once."]
    if not all(0 <= seed <= MAX_RANDOM_STATE for seed in spec.seeds):
        errors["seeds"] = [f"Give whole numbers from 0 to {MAX_RANDOM_STATE}."]
    if not 2 <= spec.batches <= MAX_BATCHES:
        errors["batches"] = [f"Give 2 to {MAX_BATCHES}: the first is the same for all strategies."]
    missing = [model for model in spec.models if offered_model(model) is None]
    if missing:
        errors["models"] = [f"{missing[0]!r} is not on this server's list of models."]
    keys = [case.key for case in spec.strategies]
    if spec.baseline and spec.baseline not in keys:
        errors["baseline"] = [f"{spec.baseline!r} is none of the compared: choose one of {', '.join(keys)}."]
    errors |= _report_faults(spec, keys)
    for index, case in enumerate(spec.strategies):
        errors |= {f"strategies[{index}].{name}": said for name, said in _case_faults(case, keys[:index]).items()}
    return errors


def _report_faults(spec: SimulationSpec, keys: Sequence[str]) -> Errors:
    """Return the faults of the parts, the string test and the comparison named beforehand."""
    errors: Errors = {}
    parts = [part.key for part in spec.parts]
    if len(parts) > MAX_PARTS:
        errors["parts"] = [f"Give {MAX_PARTS} at most."]
    for index, key in enumerate(parts):
        if fault := _key_fault(key, parts[:index]):
            errors[f"parts[{index}].key"] = [fault]
    if spec.primary and (spec.primary not in keys or spec.primary == spec.baseline_used):
        errors["primary"] = [f"{spec.primary!r} is none of the compared beside the baseline {spec.baseline_used!r}."]
    if spec.primary_part and (spec.primary_part not in parts or not spec.primary):
        errors["primary_part"] = ["Choose one of the parts, and name the primary comparison, or all test items."]
    if spec.string_test is not None:
        phrases = spec.string_test.phrases
        if not 1 <= len(phrases) <= MAX_PHRASES or not all(phrase.strip() for phrase in phrases):
            errors["string_test.phrases"] = [f"Give 1 to {MAX_PHRASES} phrases, none of them empty."]
    return errors


def _key_fault(key: str, earlier: Sequence[str]) -> str | None:
    if not CASE_NAME.fullmatch(key) or len(key) > MAX_KEY_LENGTH or key == FULL:
        return f"Use {CASE_NAME_WORDS}, {MAX_KEY_LENGTH} characters at most, and not {FULL}."
    return f"{key!r} stands there twice: give each its own." if key in earlier else None


def _case_faults(case: Case, earlier: Sequence[str]) -> Errors:
    if fault := _key_fault(case.key, earlier):
        return {"key": [fault]}
    if case.name not in STRATEGIES:
        return {"name": [f"{case.name!r} is not a strategy: choose one of {', '.join(STRATEGIES)}."]}
    try:
        check_options(case.name, case.options)
    except StrategyOptionError as error:
        return {f"options.{error.option}": [str(error)]}
    return {}
