"""Find the person that a command names."""

from django.core.management.base import CommandError

from annotation_app.models import User


def person_named(username: str) -> User:
    """Return the account of a user name. Raises CommandError where there is none."""
    user = User.objects.named(username).first()
    if user is None:
        raise CommandError(f"There is no account named {username}.")
    return user
