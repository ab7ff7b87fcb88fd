"""Writes the API reference while mkdocs builds: two pages of Markdown from the server's OpenAPI schema.

No server, database or network is needed. `mkdocs.yml` names this file under `hooks`.
"""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parents[2]
CALLS, OBJECTS = "develop/api_reference.md", "develop/api_objects.md"
Json = Mapping[str, Any]


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add both pages to the site. Called by mkdocs."""
    schema = schema_read()
    for path, lines in ((CALLS, calls_page(schema)), (OBJECTS, objects_page(schema))):
        files.append(File.generated(config, path, content="\n".join(lines) + "\n"))
    return files


def schema_read() -> Json:
    """Return the OpenAPI schema. The settings need a key and a database address; nothing connects to either."""
    own = {"SECRET_KEY": "only for the schema", "DATABASE_URL": "postgres://nobody@127.0.0.1:1/none", "QUORUM_URL": ""}
    command = [sys.executable, "manage.py", "spectacular", "--format", "openapi-json"]
    done = subprocess.run(command, cwd=ROOT, env={**os.environ, **own}, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"The schema of the API cannot be made: {done.stderr}")
    schema: Json = json.loads(done.stdout)
    return schema


def calls_page(schema: Json) -> Iterator[str]:
    yield "# API reference: calls"
    yield ""
    yield "This page is made from the server's OpenAPI schema, which a running server gives at `/api/schema/`."
    yield f"[Objects]({Path(OBJECTS).name}) lists the bodies. [API](api.md) explains the rules that hold for all calls."
    group = ""
    for path, operations in sorted(schema["paths"].items(), key=lambda each: (group_of(each[0]), each[0])):
        if group_of(path) != group:
            group = group_of(path)
            yield from ("", f"## {group}")
        for method, operation in operations.items():
            yield from ("", f"### `{method.upper()} {path}`", "")
            yield from call(operation)


def group_of(path: str) -> str:
    """Return a call's heading: what stands behind the project, else the first part of the path."""
    parts = [part for part in path.split("/") if part and not part.startswith("{")][1:]
    return parts[1] if parts[0] == "projects" and len(parts) > 1 else parts[0]


def call(operation: Json) -> Iterator[str]:
    yield from (prose(operation.get("description", "")), "")
    queries = [each for each in operation.get("parameters", []) if each["in"] == "query"]
    if queries:
        rows = [(each["name"], each["schema"], each.get("required", False), each) for each in queries]
        yield from table("Parameter", rows)
    if body := operation.get("requestBody"):
        yield from (f"Body: {bodies(body['content'])}.", "")
    answers = operation["responses"]
    good = {code: answer for code, answer in answers.items() if code < "400"}
    for code, answer in good.items():
        what = bodies(answer["content"]) if "content" in answer else "no body"
        yield from (f"Answer {code}: {what}.", "")
    if refusals := sorted(set(answers) - set(good)):
        yield f"Refusals: {', '.join(refusals)}."


def bodies(content: Json) -> str:
    """Return the media types of a body, each with its object."""
    named = [(kind, type_of(part.get("schema", {}))) for kind, part in content.items()]
    return " or ".join(what if kind == "application/json" else f"{what} as `{kind}`" for kind, what in named)


def objects_page(schema: Json) -> Iterator[str]:
    yield "# API reference: objects"
    yield ""
    yield f"The bodies of the [calls]({Path(CALLS).name}), in the order of their names."
    for name, part in sorted(schema["components"]["schemas"].items()):
        yield from ("", f"## {name}", "", prose(part.get("description", "")), "")
        if "enum" in part:
            yield f"One of {values(part['enum'])}."
        elif "properties" in part:
            needed = set(part.get("required", []))
            yield from table("Field", [(key, each, key in needed, each) for key, each in part["properties"].items()])
        else:
            yield f"{type_of(part)}."


def table(what: str, rows: Sequence[tuple[str, Json, bool, Json]]) -> Iterator[str]:
    yield f"| {what} | Type | Default | Meaning |"
    yield "|---|---|---|---|"
    for name, schema, needed, said in rows:
        default = "required" if needed else f"`{json.dumps(schema['default'])}`" if "default" in schema else ""
        yield f"| `{name}` | {type_of(schema)} | {default} | {cell(prose(said.get('description', '')))} |"
    yield ""


def type_of(schema: Json) -> str:
    """Return a schema's type in words, with links to named objects."""
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[1]
        return f"[{name}]({Path(OBJECTS).name}#{name.lower()})"
    for key, joint in (("allOf", " and "), ("oneOf", " or "), ("anyOf", " or ")):
        if key in schema:
            return joint.join(type_of(each) for each in schema[key])
    if "enum" in schema:
        return values(schema["enum"])
    if "const" in schema:
        return values([schema["const"]])
    kind = schema.get("type", "any value")
    if isinstance(kind, list):
        return " or ".join("null" if each == "null" else type_of({**schema, "type": each}) for each in kind)
    if kind == "array":
        return f"list of {type_of(schema['items'])}"
    if kind == "object" and isinstance(schema.get("additionalProperties"), dict):
        return f"object of {type_of(schema['additionalProperties'])}"
    return f"{schema.get('format', '') or kind}{bounds(schema)}"


def values(choices: Sequence[Any]) -> str:
    return ", ".join(f"`{json.dumps(each).strip(chr(34))}`" for each in choices)


def bounds(schema: Json) -> str:
    least = schema.get("minimum", schema.get("minItems"))
    most = schema.get("maximum", schema.get("maxLength", schema.get("maxItems")))
    if least is None and most is None:
        return ""
    return f" ({'' if least is None else f'{least:,}'} to {'any' if most is None else f'{most:,}'})".replace("( to", "(up to")


def prose(text: str) -> str:
    """Return a docstring as Markdown in which nothing is markup but code between backticks."""
    parts = re.split(r"(`[^`]*`)", text.strip())
    return "".join(part if part.startswith("`") else re.sub(r"([\\*_<>\[\]])", r"\\\1", part) for part in parts)


def cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
