"""docs/guide/export.md has every kind of export with the formats that it is written in."""

import re

from annotation_app.export.kinds import KINDS, formats_of
from tests.stack import ROOT

PAGE = (ROOT / "docs" / "guide" / "export.md").read_text(encoding="utf-8")


def test_it_has_every_kind_with_its_formats() -> None:
    section = PAGE.partition("## Kinds")[2].partition("## Choices")[0]
    rows = re.findall(r"^\| `(\w+)` \| (.*?) \|", section, re.MULTILINE)
    told = {kind: set(re.findall(r"`(\w+)`", formats)) for kind, formats in rows}
    assert told == {kind: set(formats_of(kind)) for kind in KINDS}
