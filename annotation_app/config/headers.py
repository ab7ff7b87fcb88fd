"""Set the response headers of every page, and check the one request header that a proxy must send."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from annotation_app.config.page import refuse

# Inline styles are allowed for chart libraries and progress bars. Inline scripts are not: pasted text can never run.
POLICY = (
    "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; object-src 'none'; "
    "base-uri 'none'; frame-ancestors 'none'; form-action 'self'"
)
# The pages use no device feature. Writing to the clipboard stays allowed, because it copies links.
PERMISSIONS = ", ".join(
    f"{feature}=()"
    for feature in (
        "accelerometer",
        "autoplay",
        "camera",
        "display-capture",
        "encrypted-media",
        "geolocation",
        "gyroscope",
        "hid",
        "magnetometer",
        "microphone",
        "midi",
        "payment",
        "publickey-credentials-get",
        "screen-wake-lock",
        "serial",
        "usb",
        "xr-spatial-tracking",
    )
)
HEALTH = "/api/health/"


class SecurityHeaders:
    """Add the security headers to every response that does not set its own."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.setdefault("Content-Security-Policy", POLICY)
        response.setdefault("Permissions-Policy", PERMISSIONS)
        return response


class ProxyNamesScheme:
    """Refuse a request, with an explanation, where QUORUM_URL is https and no proxy names the scheme.

    Without this, the redirect to https would never end.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        silent = "HTTP_X_FORWARDED_PROTO" not in request.META and not request.is_secure()
        if settings.ADDRESS.is_tls and silent and request.path_info != HEALTH:
            return refuse(
                request,
                "This request did not come by the proxy that speaks TLS",
                f"Quorum can be reached at {settings.PUBLIC_URL} only.",
                "Whoever runs it: the proxy must send `X-Forwarded-Proto` with every request. "
                "In nginx that is `proxy_set_header X-Forwarded-Proto $scheme;`.",
            )
        return self.get_response(request)
