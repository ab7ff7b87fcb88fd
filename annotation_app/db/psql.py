r"""Write a statement as psql takes it: parameters become psql variables, set by `\set` lines at the top."""

import re
from collections.abc import Mapping

Value = str | int | bool | list[str] | None
PARAMETER = re.compile(r"%\((\w+)\)s|%%")


def for_psql(statement: str, values: Mapping[str, Value], *, verb: str = "") -> str:
    r"""Return the statement after its `\set` lines. `values` must hold a value for each parameter.

    `verb` stands before the statement: with EXPLAIN, nothing is run.
    """
    names = dict.fromkeys(match[1] for match in PARAMETER.finditer(statement) if match[1])
    settings = [f"\\set {name} {_set_value(values[name])}" for name in names]
    text = PARAMETER.sub(lambda match: _variable(match[1], values) if match[1] else "%", statement)
    return "\n".join([*settings, "", *([verb] if verb else []), f"{text};", ""])


def _variable(name: str, values: Mapping[str, Value]) -> str:
    """Return the psql variable. psql quotes texts; numbers and NULL stand in the statement as they are."""
    return f":'{name}'" if isinstance(values[name], str | list) else f":{name}"


def _set_value(value: Value) -> str:
    match value:
        case None:
            return "NULL"
        case bool():
            return str(value).lower()
        case int():
            return str(value)
        case list():
            return _quoted("{" + ",".join(value) + "}")
        case str():
            return _quoted(value)


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "''")
    return f"'{escaped}'"
