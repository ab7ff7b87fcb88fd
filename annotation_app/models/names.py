"""User names as people mean them: two that look or sound the same are one name."""

import unicodedata
from typing import Any

from django.contrib.auth.models import UserManager
from django.db.models import CharField, Func, Value
from django.db.models.functions import Lower


def name_key(name: str) -> str:
    """Return what two spellings of one name share: its compatibility normal form (NFKC) in lower case."""
    return unicodedata.normalize("NFKC", name).lower()


class NormalForm(Func):
    """PostgreSQL's `normalize(x, NFKC)`."""

    template = "normalize(%(expressions)s, NFKC)"
    output_field = CharField()


def key_of(expression: Any) -> Lower:
    """Return the key of a name as the database has it: what is unique among people (`user_name_once`)."""
    return Lower(NormalForm(expression))


class PeopleManager(UserManager):
    """Finds people by any spelling of their name, so that nobody fails to sign in for a capital letter."""

    def named(self, username: str) -> Any:
        """Return the people of that name: one or none."""
        return self.alias(name_key=key_of("username")).filter(name_key=key_of(Value(username)))

    def get_by_natural_key(self, username: str | None) -> Any:
        return self.named(username or "").get()
