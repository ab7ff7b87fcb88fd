"""docs/concepts.md: what it names exists, and no module, definition or API field goes by a retired word."""

import ast
import re
from pathlib import Path

import pytest
from django.apps import apps
from drf_spectacular.generators import SchemaGenerator

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/concepts.md").read_text(encoding="utf-8")
CODE = [*ROOT.glob("annotation_app/**/*.py"), *ROOT.glob("al_worker/**/*.py")]

# Words that had several meanings, or one that nobody outside the project knows. Tables, columns and stored values may
# still have them.
RETIRED_MODULES = {
    "shown",
    "standing",
    "letters",
    "pulse",
    "wake",
    "beat",
    "drive",
    "grams",
    "ladder",
    "asked",
    "shapes",
}
RETIRED_NAMES = {"answers_show", "Beside", "Asked", "Pulse", "Remembered", "Standing", "machine_run", "items_shown"}
RETIRED_FIELDS = {"own_open", "own_to_come", "learns"}


def terms() -> list[tuple[str, str]]:
    """(path or model, entry) of everything in backticks that an entry names as its place."""
    entries = re.findall(r"^- \*\*(.+?)\*\*: (.+?)(?=\n- |\n\n|\Z)", PAGE, re.MULTILINE | re.DOTALL)
    places = [(name, place.rsplit("(", 1)[1]) for name, place in entries]
    return [(place, name) for name, listed in places for place in re.findall(r"`([^`]+)`", listed)]


@pytest.mark.parametrize(("place", "entry"), terms())
def test_what_an_entry_names_exists(place: str, entry: str) -> None:
    if "/" in place or place.endswith((".py", ".md")):
        folders = (ROOT, ROOT / "annotation_app", ROOT / "docs")
        assert any((folder / place).exists() for folder in folders), f"{entry}: {place}"
    elif re.fullmatch(r"[A-Z]\w+(\.\w+)?", place):
        model, _, field = place.partition(".")
        options = apps.get_model("annotation_app", model)._meta
        assert not field or options.get_field(field), f"{entry}: {place}"
    else:
        assert any(re.search(rf"^def {place}\(", path.read_text(), re.MULTILINE) for path in CODE), f"{entry}: {place}"


def test_it_has_an_entry_for_every_package() -> None:
    named = {place.split("/")[0] for place, _ in terms()}
    assert {"projects", "codebook", "ingest", "assignment", "annotation", "aggregation", "validation"} <= named
    assert {"agreement", "rounds", "simulations", "export", "releases"} <= named


def test_no_module_or_definition_goes_by_a_retired_word() -> None:
    modules = {path.stem for path in CODE if path.parent.name != "migrations"}
    assert not {name for name in modules if RETIRED_MODULES.intersection(name.split("_"))}
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in CODE]
    nodes = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef | ast.FunctionDef)]
    defined = {node.name for node in nodes}
    assert len(defined) > 2_000
    assert defined.isdisjoint(RETIRED_NAMES)


def test_no_field_of_the_api_goes_by_a_retired_word() -> None:
    schemas = SchemaGenerator().get_schema(request=None, public=True)["components"]["schemas"]
    fields = {field for schema in schemas.values() for field in schema.get("properties", {})}
    assert len(fields) > 200
    assert fields.isdisjoint(RETIRED_FIELDS)
