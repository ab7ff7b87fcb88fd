"""docs/operate/settings.md holds every variable that the code reads, with the default that holds."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from al_worker.formats.models import OFFERED
from tests.stack import ROOT

PAGE = ROOT / "docs" / "operate" / "settings.md"
# What a shell and pip keep for themselves.
NOT_OURS = {"PYTHONPATH"}


def documented() -> dict[str, str]:
    """Map each variable of the page's tables to the cell of its default."""
    rows = re.findall(r"^\| `([A-Z0-9_]+)` \| (.*?) ?\|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    return dict(rows)


def sources() -> list[Path]:
    return [ROOT / "manage.py", *(ROOT / "annotation_app").rglob("*.py"), *(ROOT / "al_worker").rglob("*.py")]


def variables_read(source: str) -> Iterator[tuple[str, ast.expr | None]]:
    """Yield each variable that the source reads, with the expression of its default where it names one."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name("env")), args=[ast.Constant(str(name)), *_]):
                yield name, next((each.value for each in node.keywords if each.arg == "default"), None)
            case ast.Call(
                func=ast.Attribute(value=ast.Attribute(attr="environ"), attr="get"),
                args=[ast.Constant(str(name)), *default],
            ):
                yield name, default[0] if default else None
            case ast.Subscript(value=ast.Attribute(attr="environ"), slice=ast.Constant(str(name)), ctx=ast.Load()):
                yield name, None
            case ast.Compare(left=ast.Constant(str(name)), comparators=[ast.Attribute(attr="environ")]):
                yield name, None


def containers_variables() -> set[str]:
    return set(re.findall(r"\$\{([A-Z0-9_]+)", (ROOT / "docker-compose.yml").read_text(encoding="utf-8")))


@cache
def all_read() -> list[tuple[str, ast.expr | None]]:
    return [
        each
        for path in sources()
        for each in variables_read(path.read_text(encoding="utf-8"))
        if each[0] not in NOT_OURS
    ]


def test_every_variable_that_is_read_is_documented() -> None:
    names = {name for name, _ in all_read()}
    assert len(names) > 35
    assert (names | containers_variables()) - documented().keys() == set()


def test_every_documented_variable_is_read() -> None:
    # The launcher passes it on to the migrations under its own name.
    launcher = {"DATABASE_OWNER_URL"} & set(
        re.findall(r'"([A-Z0-9_]+)"', (ROOT / "annotation_app" / "embedded" / "setup.py").read_text(encoding="utf-8"))
    )
    assert documented().keys() - {name for name, _ in all_read()} - containers_variables() - launcher == set()


@cache
def plain_defaults() -> dict[str, list[str]]:
    """Map each variable to the words of its default, where that is a number, a text or a list of texts."""
    found = {}
    for name, default in all_read():
        if default is None or any(isinstance(node, ast.Name | ast.Call | ast.IfExp) for node in ast.walk(default)):
            continue
        value = eval(compile(ast.Expression(default), name, "eval"))
        values = value if isinstance(value, list) else [value]
        found[name] = [f"{each:.0f}" if isinstance(each, float) else str(each) for each in values]
    return found


@pytest.mark.parametrize("name", sorted(plain_defaults()))
def test_the_default_is_the_documented_one(name: str) -> None:
    cell = documented()[name]
    told = re.findall(r"`([^`]*)`", cell)
    if name in {"DATABASE_URL", "REDIS_URL"}:
        # The address in the code is for tools that connect to nothing.
        assert "`make up`" in cell
    elif name in {"HF_HUB_OFFLINE", "OMP_NUM_THREADS", "PORT"}:
        # An empty one means what the cell says.
        assert cell
    else:
        assert told == [value for value in plain_defaults()[name] if value]


def test_the_documented_models_are_those_offered() -> None:
    assert re.findall(r"`([^`]*)`", documented()["QUORUM_MODELS"]) == list(OFFERED)
