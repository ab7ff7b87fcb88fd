"""Make, find and revoke API tokens: a person's scripts reach one project by one, within its scope and time."""

import secrets
from datetime import timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from annotation_app.models import ApiToken, Capability, Membership, Scope, User, event_write
from annotation_app.projects.services import token_hash
from annotation_app.refusals import Invalid

# Lets programs that look for secrets in texts recognize one.
PREFIX = "quorum_"
MOST_DAYS = 366
MOST_TOKENS = 20
# The last use is written down no more often than this.
TOUCH = timedelta(minutes=1)


def tokens_live(tokens: "QuerySet[ApiToken]") -> list[ApiToken]:
    """Return those of the tokens that have not run out and were not revoked, the newest first."""
    live = tokens.filter(revoked_at=None, expires_at__gt=timezone.now())
    return list(live.select_related("membership__user", "membership__project").order_by("-pk"))


@transaction.atomic
def token_create(*, member: Membership, name: str, scope: Scope, days: int) -> tuple[ApiToken, str]:
    """Return a new token of the member and its text, which is shown once and kept nowhere. Raises Invalid."""
    if scope == Scope.MANAGE and not member.may(Capability.MANAGE):
        raise Invalid({"scope": ["Your role in this project does not manage it. Choose another scope."]})
    # One at a time for a member, so that they are counted.
    Membership.objects.select_for_update(no_key=True).get(pk=member.pk)
    if len(tokens_live(member.api_tokens.all())) >= MOST_TOKENS:
        raise Invalid({"name": [f"You have {MOST_TOKENS} tokens for this project. Revoke one that is not used."]})
    text = PREFIX + secrets.token_urlsafe(32)
    token = ApiToken.objects.create(
        membership=member,
        name=name,
        scope=scope,
        token_hash=token_hash(text),
        expires_at=timezone.now() + timedelta(days=days),
    )
    event_write(
        verb="api_token_created",
        project=member.project,
        actor_id=member.user_id,
        subject=member.uuid,
        name=name,
        scope=scope,
        days=days,
    )
    return token, text


def token_find(text: str) -> ApiToken | None:
    """Return the token whose text this is, if it still works, and note that it is used."""
    now = timezone.now()
    tokens = ApiToken.objects.filter(revoked_at=None, expires_at__gt=now).select_related("membership__user")
    theirs = tokens.filter(membership__is_active=True, membership__user__is_active=True)
    token = theirs.filter(token_hash=token_hash(text)).first() if text.startswith(PREFIX) else None
    if token is not None and (token.last_used_at is None or now - token.last_used_at > TOUCH):
        ApiToken.objects.filter(pk=token.pk).update(last_used_at=now)
    return token


@transaction.atomic
def token_revoke(*, token: ApiToken, actor: User) -> ApiToken:
    """End a token at once. Doing it twice changes nothing."""
    token = ApiToken.objects.select_for_update(of=("self",)).select_related("membership__project").get(pk=token.pk)
    if token.revoked_at is None:
        token.revoked_at = timezone.now()
        token.save(update_fields=["revoked_at"])
        member = token.membership
        event_write(
            verb="api_token_revoked", project=member.project, actor_id=actor.pk, subject=member.uuid, name=token.name
        )
    return token


def tokens_end(members: "QuerySet[Membership]") -> None:
    """End all tokens of these members: they may be in other hands, or their person is no longer to get in."""
    ApiToken.objects.filter(membership__in=members, revoked_at=None).update(revoked_at=timezone.now())
