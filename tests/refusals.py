"""Expect a refusal by its code."""

import pytest

from annotation_app.refusals import Refused


def refusal(code: str) -> pytest.RaisesExc[Refused]:
    return pytest.raises(Refused, check=lambda error: error.code == code)
