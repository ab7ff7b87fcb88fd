"""Make the YAML block at the top of a card, by which the hub filters and `datasets` loads the folder."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import yaml

from annotation_app.releases.datasheet import Datasheet
from annotation_app.releases.factoid_records import FIELDS
from annotation_app.releases.features import features, fields_of
from annotation_app.releases.released_sets import SetConfig
from annotation_app.releases.shape import Shape

# Upper bounds of the hub's classes of size.
SIZES = {10**3: "n<1K", 10**4: "1K<n<10K", 10**5: "10K<n<100K", 10**6: "100K<n<1M", 10**7: "1M<n<10M"}
# What the hub takes for `license`, as far as it is used for texts; it refuses a card with any other word.
LICENCES = frozenset(
    [
        *("cc-by-2.0", "cc-by-2.5", "cc-by-3.0", "cc-by-4.0", "cc-by-sa-3.0", "cc-by-sa-4.0", "cc-by-nc-2.0"),
        *("cc-by-nc-3.0", "cc-by-nc-4.0", "cc-by-nd-4.0", "cc-by-nc-nd-3.0", "cc-by-nc-nd-4.0", "cc-by-nc-sa-2.0"),
        *("cc-by-nc-sa-3.0", "cc-by-nc-sa-4.0", "cc0-1.0", "cc", "odc-by", "odbl", "pddl", "c-uda", "cdla-sharing-1.0"),
        *("cdla-permissive-1.0", "cdla-permissive-2.0", "etalab-2.0", "gfdl", "apache-2.0", "mit", "bsd-2-clause"),
        *("bsd-3-clause", "gpl-2.0", "gpl-3.0", "agpl-3.0", "lgpl-3.0", "mpl-2.0", "eupl-1.2", "unlicense", "unknown"),
    ]
)
# ISO 639 writes codes small; three capitals are rather TBD.
LANGUAGE = re.compile(r"[a-z]{2,3}|[A-Z]{2}")


class _Plain(yaml.SafeDumper):
    """Dump YAML without anchors: what occurs twice is repeated."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def card_head(
    *, name: str, sheet: Datasheet, shape: Shape, kinds: Iterable[str], items: int, sets: Sequence[SetConfig] = ()
) -> str:
    """Return the block with its two lines of dashes.

    `kinds`, and the `sets` of texts, are those whose file has a line: others cannot be loaded.
    """
    configs = list(kinds)
    head = {
        "pretty_name": sheet.answer("title") or name,
        **licence(sheet.answer("licence")),
        **languages(sheet.answer("languages")),
        "task_categories": tasks(shape),
        "size_categories": [size_of(items)],
        "configs": [
            *(config(kind) for kind in configs),
            *({"config_name": each.name, "data_files": each.path} for each in sets),
        ],
        "dataset_info": [
            *({"config_name": kind, "features": features(fields_of(kind, shape))} for kind in configs),
            *({"config_name": each.name, "features": features(FIELDS[each.kind])} for each in sets),
        ],
    }
    return yaml_block(head)


def yaml_block(head: Mapping[str, Any]) -> str:
    """Return a mapping as YAML between two lines of dashes."""
    text = yaml.dump(dict(head), Dumper=_Plain, sort_keys=False, allow_unicode=True, width=1_000)
    return f"---\n{text}---"


def size_of(items: int) -> str:
    """Return the hub's class of size."""
    return next((size for bound, size in SIZES.items() if items < bound), "10M<n<100M")


def config(kind: str) -> dict[str, Any]:
    told: dict[str, Any] = {"config_name": kind, "data_files": f"data/{kind}.jsonl"}
    return told | ({"default": True} if kind == "aggregated" else {})


def licence(answer: str) -> dict[str, str]:
    """Return the hub's short name where the answer's first line is one ("CC BY 4.0" too), else `other`."""
    first = re.sub(r"[\s_]+", "-", answer.split("\n", 1)[0].strip().lower())
    if not first:
        return {"license": "unknown"}
    return {"license": first if first in LICENCES else "other"}


def languages(answer: str) -> dict[str, list[str]]:
    """Return the language codes; none unless the answer is codes only, since most short words are codes too."""
    codes = [code for part in re.split(r"[,;\n]", answer) if (code := part.strip())]
    return {"language": [code.lower() for code in codes]} if codes and all(map(LANGUAGE.fullmatch, codes)) else {}


def tasks(shape: Shape) -> list[str]:
    return ["text-classification"] * bool(shape.stages) + ["token-classification"] * shape.has_spans
