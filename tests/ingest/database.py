"""The test database's address, for processes that tests start."""

from urllib.parse import quote

from django.db import connection


def database_url() -> str:
    parts = connection.settings_dict
    user = quote(parts["USER"]) + (f":{quote(parts['PASSWORD'])}" if parts["PASSWORD"] else "")
    return f"postgres://{user}@{parts['HOST']}:{parts['PORT']}/{parts['NAME']}"
