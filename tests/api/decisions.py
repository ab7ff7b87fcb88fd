"""Bodies of decisions on disagreements."""

from typing import Any
from uuid import uuid4


def body(labels: dict[str, Any], base: int = 0, **more: Any) -> dict[str, Any]:
    return {"client_id": str(uuid4()), "base_revision": base, "labels": labels, "reason": "Read the rule.", **more}
