"""What each role may do in a project: the one table that everything reads which asks."""

from enum import StrEnum

from django.db import models


class Role(models.TextChoices):
    ADMIN = "admin"
    ANNOTATOR = "annotator"
    ADJUDICATOR = "adjudicator"


class Capability(StrEnum):
    """What a member may do beside seeing the project.

    MANAGE: set the project up, run rounds, see every figure, export. RATE: be given items, with answers that count in
    majorities and agreement. RESOLVE: settle disagreements and validate spans.
    """

    MANAGE = "manage"
    RATE = "rate"
    RESOLVE = "resolve"


CAPABILITIES: dict[Role, frozenset[Capability]] = {
    Role.ADMIN: frozenset(Capability),
    Role.ANNOTATOR: frozenset({Capability.RATE}),
    Role.ADJUDICATOR: frozenset({Capability.RESOLVE}),
}


def roles_with(capability: Capability) -> tuple[Role, ...]:
    """Return the roles that have a capability."""
    return tuple(role for role, capabilities in CAPABILITIES.items() if capability in capabilities)
