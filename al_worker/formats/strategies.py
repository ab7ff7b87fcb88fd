"""Declare the query strategies: their names, titles, requirements and options.

The web side displays and validates with these declarations.
al_worker.core holds one function for each name, and a test asserts that the two agree.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

OptionValue = int | float | bool | str

# How a strategy's scores at several heads become one.
COMBINES = ("sum", "max")


class UnknownStrategy(ValueError):
    """Signal that no strategy of that name is declared."""


class StrategyOptionError(ValueError):
    """Signal an unknown option, or a value that the strategy does not accept. The message names the accepted ones."""

    def __init__(self, strategy: str, option: str, message: str) -> None:
        super().__init__(f'strategy "{strategy}", option "{option}": {message}')
        self.strategy, self.option = strategy, option


@dataclass(frozen=True, slots=True)
class OptionSpec:
    """Describe one option of a strategy. `type` is "int", "float", "bool" or "choice"."""

    name: str
    type: str
    default: OptionValue
    help: str
    minimum: float | None = None
    maximum: float | None = None
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StrategyDeclaration:
    """Declare a strategy.

    One with `needs_vectors` has an option `vector`, and one with `needs_labels` compares with the labelled items.
    `presets` maps a value of the option `preset` to the defaults that it changes. With two labels all strategies with
    `same_with_two_labels` give one order.
    """

    name: str
    title: str
    summary: str
    needs_model: bool
    needs_vectors: bool = False
    needs_labels: bool = False
    same_with_two_labels: bool = False
    options: tuple[OptionSpec, ...] = ()
    presets: Mapping[str, Mapping[str, OptionValue]] = field(default_factory=dict)


_CAL_OPTIONS = (
    OptionSpec(
        "preset",
        "choice",
        "paper",
        "Settings to start from; options given beside it win.",
        choices=("paper", "cal_authors"),
    ),
    OptionSpec(
        "k",
        "int",
        100,
        "Labelled neighbours compared with each item; the labelled set's size where that is smaller.",
        1,
        10_000,
    ),
    OptionSpec(
        "vector",
        "choice",
        "cls",
        "The item's vector: [CLS] of the last hidden state, the classifier's input, or the mean over tokens.",
        choices=("cls", "pooled_head", "mean"),
    ),
    OptionSpec(
        "metric",
        "choice",
        "cosine",
        "Distance that finds the neighbours.",
        choices=("cosine", "euclidean", "euclidean_unit"),
    ),
    OptionSpec(
        "reduce", "choice", "mean", "How the k divergences become one score.", choices=("mean", "max", "median")
    ),
)

_NGRAM_OPTIONS = (
    OptionSpec("j", "int", 3, "Longest n-gram counted: lengths 1 to j.", 1, 10),
    OptionSpec(
        "tokenizer",
        "choice",
        "words",
        "Tokens: words and single marks by Unicode's rules, or what stands between white space.",
        choices=("words", "whitespace"),
    ),
    OptionSpec("lowercase", "bool", True, "Whether upper and lower case are one."),
    OptionSpec("update_within_batch", "bool", True, "Whether each pick counts as seen for the next one."),
)

_DECLARATIONS = (
    StrategyDeclaration(
        "random", "Uniform random", "Every item is equally likely; needs no model. Always the first batch.", False
    ),
    StrategyDeclaration(
        "ngram_density",
        "N-gram density",
        "Texts with the most word sequences that nobody has read yet, for their length; needs no model.",
        False,
        options=_NGRAM_OPTIONS,
    ),
    StrategyDeclaration(
        "entropy",
        "Maximum entropy",
        "Items whose predicted label the model is least sure of.",
        True,
        same_with_two_labels=True,
    ),
    StrategyDeclaration(
        "least_confidence",
        "Least confidence",
        "Items whose most likely label has the lowest probability.",
        True,
        same_with_two_labels=True,
    ),
    StrategyDeclaration(
        "breaking_ties",
        "Breaking ties",
        "Items whose two most likely labels are closest; differs from entropy from three labels on.",
        True,
        same_with_two_labels=True,
    ),
    StrategyDeclaration(
        "cal",
        "Contrastive (CAL)",
        "Items whose prediction differs most from those of their nearest labelled neighbours.",
        True,
        needs_vectors=True,
        needs_labels=True,
        options=_CAL_OPTIONS,
        presets={"cal_authors": {"k": 10, "vector": "pooled_head", "metric": "euclidean_unit"}},
    ),
)

STRATEGIES: dict[str, StrategyDeclaration] = {declaration.name: declaration for declaration in _DECLARATIONS}
# Any of these can stand in where a model has learned nothing.
WITHOUT_MODEL = tuple(name for name, declaration in STRATEGIES.items() if not declaration.needs_model)


def strategy_get(name: str) -> StrategyDeclaration:
    """Return the declaration of that name. Raises UnknownStrategy, which names the strategies there are."""
    try:
        return STRATEGIES[name]
    except KeyError:
        raise UnknownStrategy(f'unknown strategy "{name}"; choose one of {", ".join(STRATEGIES)}') from None


def check_options(name: str, options: Mapping[str, Any]) -> dict[str, OptionValue]:
    """Return all options of the strategy, checked, with defaults and preset filled in.

    Raises UnknownStrategy, or StrategyOptionError, which names the option and the remedy.
    """
    declaration = strategy_get(name)
    specs = {spec.name: spec for spec in declaration.options}
    for option in options:
        if option not in specs:
            takes = f"takes {', '.join(specs)}" if specs else "takes no options"
            raise StrategyOptionError(name, option, f"unknown; this strategy {takes}")
    given = {option: _checked(name, specs[option], value) for option, value in options.items()}
    preset = given.get("preset", specs["preset"].default) if "preset" in specs else ""
    defaults = {spec.name: spec.default for spec in declaration.options}
    return {**defaults, **declaration.presets.get(str(preset), {}), **given}


def strategy_describe(declaration: StrategyDeclaration) -> dict[str, Any]:
    """Return the declaration as JSON-ready data for the API. What an option does not have is null or empty."""
    return {
        "name": declaration.name,
        "title": declaration.title,
        "summary": declaration.summary,
        "needs_model": declaration.needs_model,
        "options": [_describe_option(spec) for spec in declaration.options],
        "presets": {name: dict(values) for name, values in declaration.presets.items()},
    }


def _describe_option(spec: OptionSpec) -> dict[str, Any]:
    return {
        "name": spec.name,
        "type": spec.type,
        "default": spec.default,
        "help": spec.help,
        "minimum": spec.minimum,
        "maximum": spec.maximum,
        "choices": list(spec.choices),
    }


def _checked(strategy: str, spec: OptionSpec, value: Any) -> OptionValue:
    if spec.type == "choice":
        if value not in spec.choices:
            raise StrategyOptionError(strategy, spec.name, f"{value!r} is not one of {', '.join(spec.choices)}")
        return str(value)
    if spec.type == "bool":
        if not isinstance(value, bool):
            raise StrategyOptionError(strategy, spec.name, f"{value!r} is neither true nor false")
        return value
    return _checked_number(strategy, spec, value)


def _checked_number(strategy: str, spec: OptionSpec, value: Any) -> int | float:
    whole = spec.type == "int"
    if isinstance(value, bool) or not isinstance(value, int if whole else int | float) or not math.isfinite(value):
        raise StrategyOptionError(strategy, spec.name, f"{value!r} is not a {'whole ' if whole else ''}number")
    if (spec.minimum is not None and value < spec.minimum) or (spec.maximum is not None and value > spec.maximum):
        raise StrategyOptionError(strategy, spec.name, f"{value} is outside {spec.minimum} to {spec.maximum}")
    return int(value) if whole else float(value)
