"""Write the small part of TOML that config.toml uses: tables of scalars and of lists of scalars, and lists of tables.

The standard library reads TOML but does not write it.
"""

import json
import math
from collections.abc import Mapping, Sequence

Scalar = str | int | float | bool
Value = Scalar | Sequence[Scalar]
Table = Mapping[str, Value]


def toml_dumps(tables: Mapping[str, Table | Sequence[Table]]) -> str:
    """Return the text of `{table: {key: value}}` in the given order. A list of tables is repeated as `[[table]]`.

    Raises TypeError on a value outside this subset.
    """
    parts: list[str] = []
    for name, values in tables.items():
        if isinstance(values, Mapping):
            parts.append(_table(f"[{_key(name)}]", values))
        else:
            parts += [_table(f"[[{_key(name)}]]", entry) for entry in values]
    return "\n".join(parts)


def _table(title: str, values: Table) -> str:
    lines = [title] + [f"{_key(key)} = {_value(value)}" for key, value in values.items()]
    return "\n".join(lines) + "\n"


def _key(key: str) -> str:
    bare = key and all(c.isascii() and (c.isalnum() or c in "-_") for c in key)
    return key if bare else _string(key)


def _value(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return _float(value)
    if isinstance(value, Sequence):
        return "[" + ", ".join(_value(part) for part in value) + "]"
    raise TypeError(f"config.toml holds text, numbers, true/false and lists of them, not {type(value).__name__}")


def _float(value: float) -> str:
    if not math.isfinite(value):
        return "nan" if math.isnan(value) else ("inf" if value > 0 else "-inf")
    text = repr(value)
    return text if any(mark in text for mark in ".e") else text + ".0"


def _string(text: str) -> str:
    # JSON's escapes are a subset of TOML's. But TOML also needs DEL escaped, and it has no surrogate pairs.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007F")
