"""Speak with the provider of OpenID Connect: the authorization code flow with PKCE, state and nonce, by Authlib."""

import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import requests
from authlib.common.errors import AuthlibBaseError
from authlib.integrations.base_client import MismatchingStateError
from authlib.integrations.django_client import OAuth
from django.conf import settings
from django.http import HttpRequest
from joserfc.errors import JoseError

from annotation_app.refusals import Refused

logger = logging.getLogger(__name__)

SECONDS = 10
# Of an error's name only what the standards allow reaches the log: it stands in an address that anybody can type.
NAME = re.compile(r"[a-z_]{1,40}")
FLOW = "flow"
DENIED = "The provider did not let you in, or you turned back there."
LAPSED = "This sign-in was begun too long ago, in another browser, or is over already."
AWAY = "The provider of the sign-in does not answer. Try again in a moment, or sign in with your password."
FAULTY = "What the provider answered does not hold. Try again. If it stays so, tell whoever runs this server."


@dataclass(frozen=True)
class Claims:
    """Hold what the provider says of a person. `address` is "" where the provider has not verified it."""

    issuer: str
    subject: str
    username: str
    name: str
    address: str


def is_offered() -> bool:
    return bool(settings.OPENID_ISSUER)


@lru_cache(maxsize=4)
def provider_of(issuer: str, client: str, secret: str) -> Any:
    """Return Authlib's client, which loads the provider's configuration and keys once and keeps them."""
    return OAuth().register(
        "openid",
        client_id=client,
        client_secret=secret or None,
        server_metadata_url=f"{issuer}/.well-known/openid-configuration",
        client_kwargs={
            "scope": "openid profile email",
            "code_challenge_method": "S256",
            "default_timeout": SECONDS,
        },
    )


def issuer_stored() -> str:
    """Return the provider's issuer as identities hold it. Some providers write it with a slash at its end."""
    return str(settings.OPENID_ISSUER).rstrip("/")


def provider() -> Any:
    return provider_of(issuer_stored(), settings.OPENID_CLIENT_ID, settings.OPENID_CLIENT_SECRET)


@contextmanager
def failures_told() -> Iterator[None]:
    """Turn every failure into a Refused in words. The log gets the kind of the failure, and nothing of its content."""
    try:
        yield
    except MismatchingStateError as error:
        raise Refused("lapsed", LAPSED) from error
    except requests.RequestException as error:
        logger.warning("The provider of OpenID Connect does not answer: %s", type(error).__name__)
        raise Refused("unreachable", AWAY) from None
    except (AuthlibBaseError, JoseError, ValueError, KeyError, RuntimeError) as error:
        name = str(getattr(error, "error", ""))
        if name == "access_denied":
            raise Refused("denied", DENIED) from None
        told = name if NAME.fullmatch(name) else "no name"
        logger.warning("A sign-in by OpenID Connect failed: %s (%s)", type(error).__name__, told)
        raise Refused("faulty", FAULTY) from None


def sign_in_begin(request: HttpRequest, *, back: str, **flow: Any) -> str:
    """Return the provider's address to go to, and keep `flow` in the session meanwhile. Raises Refused."""
    with failures_told():
        begun = provider().create_authorization_url(back)
        provider().save_authorize_data(request, redirect_uri=back, **{FLOW: flow}, **begun)
        return str(begun["url"])


def flow_of(request: HttpRequest) -> dict[str, Any]:
    """Return what `sign_in_begin` kept in this browser's session for the sign-in that comes back. Raises Refused."""
    kept = provider().framework.get_state_data(request.session, request.GET.get("state", ""))
    if not kept and request.GET.get("error") == "access_denied":
        # Some providers leave the state out then.
        raise Refused("denied", DENIED)
    if not kept:
        raise Refused("lapsed", LAPSED)
    return dict(kept[FLOW])


def sign_in_end(request: HttpRequest) -> Claims:
    """Return who came back, once state, code, signature, issuer, audience and nonce hold. Raises Refused."""
    with failures_told():
        client = provider()
        try:
            issuer = client.load_server_metadata()["issuer"]
            if issuer.rstrip("/") != issuer_stored():
                raise ValueError("another issuer")
            options = {
                "iss": {"essential": True, "values": [issuer]},
                "aud": {"essential": True, "value": settings.OPENID_CLIENT_ID},
                "sub": {"essential": True},
            }
            token = client.authorize_access_token(request, claims_options=options)
        finally:
            client.framework.clear_state_data(request.session, request.GET.get("state", ""))
        said = dict(token["userinfo"])
        if "email" not in said and "userinfo_endpoint" in client.server_metadata:
            more = dict(client.userinfo(token=token))
            if more["sub"] != said["sub"]:
                raise ValueError("another subject")
            said = {**more, **said}
    return claims_read(said)


def claims_read(said: dict[str, Any]) -> Claims:
    def text(key: str) -> str:
        value = said.get(key)
        return value.strip() if isinstance(value, str) else ""

    address = text("email")
    return Claims(
        issuer=issuer_stored(),
        subject=text("sub"),
        username=text("preferred_username") or address.partition("@")[0],
        name=text("name") or text("preferred_username") or address,
        address=address if said.get("email_verified") is True else "",
    )
