"""Write times as exports have them."""

from datetime import datetime


def utc(moment: datetime) -> str:
    """Return ISO 8601 with a Z; times come from the database in UTC."""
    return moment.isoformat().replace("+00:00", "Z")
