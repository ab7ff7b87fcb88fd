"""Define what each role may do in a project. Every check of permissions reads this one table."""

from enum import StrEnum

from django.db import models


class Role(models.TextChoices):
    ADMIN = "admin"
    ANNOTATOR = "annotator"
    ADJUDICATOR = "adjudicator"


class Capability(StrEnum):
    """List what a member may do besides seeing the project.

    MANAGE: set the project up, run rounds, see every figure, export. RATE: be given items, with answers that count in
    majorities and agreement. RESOLVE: decide disagreements and review spans. GROUP: group the strings of settled spans
    into equivalence classes.
    """

    MANAGE = "manage"
    RATE = "rate"
    RESOLVE = "resolve"
    GROUP = "group"


CAPABILITIES: dict[Role, frozenset[Capability]] = {
    Role.ADMIN: frozenset(Capability),
    Role.ANNOTATOR: frozenset({Capability.RATE, Capability.GROUP}),
    Role.ADJUDICATOR: frozenset({Capability.RESOLVE, Capability.GROUP}),
}


class Scope(models.TextChoices):
    """List what an API token may be for. READ writes nothing; LABEL does a member's work, MANAGE an admin's too."""

    READ = "read"
    LABEL = "label"
    MANAGE = "manage"


# A token may do what both its scope and its person's role allow.
SCOPES: dict[Scope, frozenset[Capability]] = {
    Scope.READ: frozenset(Capability),
    Scope.LABEL: frozenset(Capability) - {Capability.MANAGE},
    Scope.MANAGE: frozenset(Capability),
}


def roles_with(capability: Capability) -> tuple[Role, ...]:
    """Return the roles that have a capability."""
    return tuple(role for role, capabilities in CAPABILITIES.items() if capability in capabilities)


def usual_raters() -> tuple[Role, ...]:
    """Return the roles whose members rate and do not run the project: rounds offer them first."""
    managers = roles_with(Capability.MANAGE)
    return tuple(role for role in roles_with(Capability.RATE) if role not in managers)
