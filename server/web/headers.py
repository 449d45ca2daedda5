"""Strict headers on every response, errors included: nothing foreign, and nothing inline but the
one style of respondents' pages, by its hash. Only the one script runs there, by its hash too.
"""

from flask import Flask, Response, request

from client.browser.bundle import integrity, script_file, style
from server.web.urls import in_workbench


def policy(**changed: str) -> str:
    """Return the policy of respondents' pages, with some directives changed."""
    directives = {
        "default-src": "'none'",
        "script-src": f"'{script_file().integrity}'",
        "style-src": f"'{integrity(style().encode())}'",
        "img-src": "'self'",
        "connect-src": "'self'",
        # A form that posts is a road for a raw answer.
        "form-action": "'none'",
        "frame-ancestors": "'none'",
        "base-uri": "'none'",
    } | {name.replace("_", "-"): value for name, value in changed.items()}
    return "; ".join(f"{name} {value}" for name, value in directives.items())


HEADERS = {
    "Content-Security-Policy": policy(),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), browsing-topics=()",
    # But for files whose address is their hash.
    "Cache-Control": "no-store",
}
# Researchers send forms, whose protection on HTTPS reads where they come from.
WORKBENCH_HEADERS = HEADERS | {
    "Content-Security-Policy": policy(
        script_src="'self'", style_src="'self'", form_action="'self'", frame_src="'self'"
    ),
    "Referrer-Policy": "same-origin",
}


def add_strict_headers(app: Flask) -> None:
    @app.after_request
    def add(response: Response) -> Response:
        headers = WORKBENCH_HEADERS if in_workbench(request.path) else HEADERS
        for name, value in headers.items():
            response.headers.setdefault(name, value)
        return response
