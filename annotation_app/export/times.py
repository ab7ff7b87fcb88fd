"""Moments as exports write them."""

from datetime import datetime


def utc(moment: datetime) -> str:
    """ISO 8601 with a Z; moments come from the database in UTC."""
    return moment.isoformat().replace("+00:00", "Z")
