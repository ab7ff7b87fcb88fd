"""Compare user names as people mean them: spellings that differ only in case or character form are one name."""

import unicodedata
from typing import Any

from django.contrib.auth.models import UserManager
from django.db.models import CharField, Func, Value
from django.db.models.functions import Lower


def name_key(name: str) -> str:
    """Return the key that all spellings of a name share: its compatibility normal form (NFKC) in lower case."""
    return unicodedata.normalize("NFKC", name).lower()


class NormalForm(Func):
    """Call PostgreSQL's `normalize(x, NFKC)`."""

    template = "normalize(%(expressions)s, NFKC)"
    output_field = CharField()


def key_of(expression: Any) -> Lower:
    """Return the database's expression for a name's key, which is unique among people (`user_name_once`)."""
    return Lower(NormalForm(expression))


class PeopleManager(UserManager):
    """Find people by any spelling of their name, so that a capital letter keeps nobody from signing in."""

    def named(self, username: str) -> Any:
        """Return the people of that name, who are one or none."""
        return self.alias(name_key=key_of("username")).filter(name_key=key_of(Value(username)))

    def get_by_natural_key(self, username: str | None) -> Any:
        return self.named(username or "").get()
