"""Every setting that the settings read stands in the documentation."""

import re

from tests.stack import ROOT


def test_every_setting_is_documented() -> None:
    settings = (ROOT / "annotation_app" / "config" / "settings.py").read_text(encoding="utf-8")
    names = set(re.findall(r'env(?:\.\w+)?\(\s*"([A-Z_]+)"', settings))
    documented = set(re.findall(r"`([A-Z_]+)`", (ROOT / "docs" / "serving.md").read_text(encoding="utf-8")))
    assert len(names) > 25
    assert names - documented == set()
