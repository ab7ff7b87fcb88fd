import subprocess
import sys
from pathlib import Path

import pytest

from al_worker.formats.strategies import (
    STRATEGIES,
    StrategyOptionError,
    UnknownStrategy,
    check_options,
    strategy_describe,
    strategy_get,
)
from al_worker.formats.ties import derived_seed, tie_key
from al_worker.formats.training import DEFAULTS, PAPER_TABLE_11


def test_it_fills_in_the_papers_settings_of_cal() -> None:
    assert check_options("cal", {}) == {
        "preset": "paper",
        "k": 100,
        "vector": "cls",
        "metric": "cosine",
        "reduce": "mean",
    }


def test_it_starts_from_a_preset_and_lets_given_options_win() -> None:
    options = check_options("cal", {"preset": "cal_authors", "metric": "euclidean"})
    assert options == {
        "preset": "cal_authors",
        "k": 10,
        "vector": "pooled_head",
        "metric": "euclidean",
        "reduce": "mean",
    }
    assert check_options("cal", options) == options


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("entropy", {"k": 3}, 'strategy "entropy", option "k": unknown; this strategy takes no options'),
        ("cal", {"neighbours": 3}, "takes preset, k, vector, metric, reduce"),
        ("cal", {"k": 0}, "0 is outside 1 to 10000"),
        ("cal", {"k": 2.0}, "2.0 is not a whole number"),
        ("cal", {"k": True}, "True is not a whole number"),
        ("cal", {"k": "10"}, "'10' is not a whole number"),
        ("cal", {"metric": "manhattan"}, "'manhattan' is not one of cosine, euclidean, euclidean_unit"),
    ],
)
def test_it_names_the_option_and_the_mend(name: str, options: dict, words: str) -> None:
    with pytest.raises(StrategyOptionError, match=words.replace("[", r"\[")):
        check_options(name, options)


def test_it_lists_the_strategies_when_the_name_is_unknown() -> None:
    with pytest.raises(UnknownStrategy, match='"badge"; choose one of random, '):
        check_options("badge", {})


def test_it_needs_no_model_for_random_and_vectors_only_for_cal() -> None:
    assert [name for name, declared in STRATEGIES.items() if declared.needs_vectors] == ["cal"]
    assert not strategy_get("random").needs_model
    assert strategy_get("entropy").needs_model


def test_it_describes_a_strategy_as_the_api_shows_it() -> None:
    described = strategy_describe(strategy_get("cal"))
    assert described["options"][1] == {
        "name": "k",
        "type": "int",
        "default": 100,
        "help": strategy_get("cal").options[1].help,
        "minimum": 1,
        "maximum": 10_000,
        "choices": [],
    }
    assert described["options"][3]["choices"] == ["cosine", "euclidean", "euclidean_unit"]


def test_it_orders_ties_by_the_hash_of_state_round_and_id() -> None:
    ids = [f"s{n}" for n in range(10)]
    assert tie_key(13, 0, "s0").startswith("f7a16d8082883304")
    first = sorted(ids, key=lambda item_id: tie_key(13, 0, item_id))
    assert first == ["s2", "s1", "s8", "s5", "s3", "s6", "s7", "s4", "s0", "s9"]
    assert sorted(ids, key=lambda item_id: tie_key(13, 1, item_id))[:4] == ["s9", "s5", "s7", "s3"]


def test_it_derives_another_seed_for_each_purpose_and_round() -> None:
    seeds = {derived_seed(13, number, purpose) for number in (0, 1) for purpose in ("head", "shuffle", "dropout")}
    assert len(seeds) == 6
    assert all(0 <= seed < 2**32 for seed in seeds)


def test_it_states_the_papers_recipe() -> None:
    assert PAPER_TABLE_11 == {
        "epochs": 5,
        "batch_size": 50,
        "learning_rate": 3e-5,
        "weight_decay": 0.05,
        "dropout": 0.1,
        "max_tokens": 512,
    }
    assert DEFAULTS["clip_norm"] == 1.0 and DEFAULTS["warmup_steps"] == 0 and DEFAULTS["schedule"] == "linear"


def test_it_imports_nothing_but_the_standard_library() -> None:
    """Only `words` needs a package, `regex`, which every machine with transformers has."""
    apart = ("__init__", "words")
    modules = [f"al_worker.formats.{p.stem}" for p in Path("al_worker/formats").glob("*.py") if p.stem not in apart]
    code = (
        f"import sys, importlib; [importlib.import_module(m) for m in {modules!r}];"
        "outside = {m.split('.')[0] for m in sys.modules} - set(sys.stdlib_module_names) - {'al_worker', '__main__'};"
        "sys.exit(repr(outside) if outside else 0)"
    )
    done = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, cwd=Path.cwd())
    assert done.returncode == 0, done.stderr
