"""Let people sign in by OpenID Connect: whose account an identity of the provider is, and how it becomes linked."""

import re

from django.db import IntegrityError, transaction

from annotation_app.models import Identity, User, event_write
from annotation_app.projects.mails import address_key, is_configured, mail_enqueue
from annotation_app.projects.openid_provider import Claims
from annotation_app.projects.services import ALREADY_IN, invite_join
from annotation_app.refusals import Invalid, Refused

UNKNOWN = "No account belongs to this sign-in yet."
SWITCHED_OFF = "Your account is switched off."
TAKEN = "This sign-in belongs to another account."
OTHER = "Your account is linked with another sign-in of this provider. Unlink that one first."
NO_PASSWORD = (
    "You have no password, so you could not sign in any more. Choose a password first: an admin makes you a link, "
    "or the sign-in page sends one to your confirmed address."
)
LINKED = """Hello {name},

your Quorum account {username} can now be signed in to by {provider}.

Was it not you? Then unlink it on the page Your account, change your password, and tell whoever runs the server.
"""
NOT_IN_NAMES = re.compile(r"[^\w.@+-]+")
NAMES_TRIED = 1000


@transaction.atomic
def person_of(claims: Claims) -> User | None:
    """Return whose account the identity is. A verified address that an account has confirmed links the two.

    None: nobody's. Raises Refused.
    """
    known = Identity.objects.select_related("user").filter(issuer=claims.issuer, subject=claims.subject).first()
    person = known.user if known else None
    if person is None and claims.address:
        person = User.objects.filter(email=address_key(claims.address)).first()
        if person is not None and person.is_active:
            identity_link(user=person, claims=claims)
    if person is not None and not person.is_active:
        raise Refused("switched_off", SWITCHED_OFF)
    return person


@transaction.atomic
def identity_link(*, user: User, claims: Claims) -> None:
    """Link the identity with the account, once. Raises Refused where it or the account is linked with another."""
    user = User.objects.select_for_update(no_key=True).get(pk=user.pk)
    mine = user.identities.filter(issuer=claims.issuer).first()
    if mine is not None:
        if mine.subject == claims.subject:
            return
        raise Refused("other_linked", OTHER)
    name = (claims.address or claims.name)[:254]
    try:
        # The database alone knows: somebody else may be linking the same identity at this moment.
        with transaction.atomic():
            Identity.objects.create(user=user, issuer=claims.issuer, subject=claims.subject, name=name)
    except IntegrityError as error:
        raise Refused("taken", TAKEN) from error
    event_write(verb="identity_linked", project=None, actor_id=user.pk, subject=user.uuid)
    if user.email and is_configured():
        told = LINKED.format(name=user.shown_name, username=user.username, provider=claims.issuer)
        mail_enqueue(address=user.email, subject="A new way to sign in to Quorum", text=told)


@transaction.atomic
def identity_unlink(*, user: User, issuer: str) -> None:
    """Unlink the account; doing it twice changes nothing. Raises Refused where the account has no password."""
    user = User.objects.select_for_update(no_key=True).get(pk=user.pk)
    if not user.has_usable_password():
        raise Refused("no_password", NO_PASSWORD)
    if user.identities.filter(issuer=issuer).delete()[0]:
        event_write(verb="identity_unlinked", project=None, actor_id=user.pk, subject=user.uuid)


@transaction.atomic
def invited_join(*, claims: Claims, person: User | None, hashed: str) -> User:
    """Accept the invitation whose token has this hash. Where nobody's account it is yet, make one without a password.

    Raises Refused and Invalid.
    """
    if person is not None:
        try:
            return invite_join(hashed=hashed, user=person, account={})
        except Invalid as error:
            if error.errors == {"token": [ALREADY_IN]}:
                return person
            raise
    account = {"username": name_free(claims), "display_name": claims.name[:150], "password": None}
    person = invite_join(hashed=hashed, user=None, account=account)
    identity_link(user=person, claims=claims)
    return person


def name_free(claims: Claims) -> str:
    """Return a user name that is like the one at the provider, and that nobody has."""
    base = NOT_IN_NAMES.sub("-", claims.username or claims.name).strip("-")[:140] or "person"
    names = [base, *(f"{base}-{number}" for number in range(2, NAMES_TRIED))]
    return next(name for name in names if not User.objects.named(name).exists())
