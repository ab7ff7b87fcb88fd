"""A client whose requests are answered with the rights of the application's database role."""

from contextlib import suppress
from typing import Any

import psycopg2
from django.db import connection
from rest_framework.response import Response
from rest_framework.test import APIClient


class AppClient(APIClient):
    """Act as quorum_app while a request is answered: the tests' own role owns the tables, and may do everything."""

    def request(self, **request: Any) -> Response:
        role("quorum_app")
        try:
            return super().request(**request)
        finally:
            # What a failed transaction set is rolled back with it.
            with suppress(psycopg2.InternalError):
                role("quorum_owner")


def role(name: str) -> None:
    connection.ensure_connection()
    # Beside Django, which would count it as a query.
    with connection.connection.cursor() as cursor:
        cursor.execute(f"SET ROLE {name}")
