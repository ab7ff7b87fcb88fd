"""Response headers that hold for every page, and the one request header that a proxy must send."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from annotation_app.config.page import refuse

# Styles carry attributes (chart libraries, progress bars), scripts never: nothing an annotator pastes can run.
POLICY = (
    "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; object-src 'none'; "
    "base-uri 'none'; frame-ancestors 'none'; form-action 'self'"
)
# Nothing here asks a device for anything; the clipboard is written where a link is copied.
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
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.setdefault("Content-Security-Policy", POLICY)
        response.setdefault("Permissions-Policy", PERMISSIONS)
        return response


class ProxyNamesScheme:
    """Refuses in words where QUORUM_URL is https but no proxy says so: sending people on to https would never end."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        silent = "HTTP_X_FORWARDED_PROTO" not in request.META and not request.is_secure()
        if settings.ADDRESS.is_tls and silent and request.path_info != HEALTH:
            return refuse(
                request,
                "This request did not come by the proxy that speaks TLS",
                f"Quorum is to be reached at {settings.PUBLIC_URL} only.",
                "Whoever runs it: the proxy must send `X-Forwarded-Proto` with every request. "
                "In nginx that is `proxy_set_header X-Forwarded-Proto $scheme;`.",
            )
        return self.get_response(request)
