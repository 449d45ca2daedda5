"""Strict headers on every response, errors included: nothing inline, nothing foreign, no cache."""

from flask import Flask, Response

HEADERS = {
    "Content-Security-Policy": "; ".join(
        [
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "img-src 'self'",
            "connect-src 'self'",
            # A form that posts is a road for a raw answer.
            "form-action 'none'",
            "frame-ancestors 'none'",
            "base-uri 'none'",
        ]
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), browsing-topics=()",
    "Cache-Control": "no-store",
}


def add_strict_headers(app: Flask) -> None:
    @app.after_request
    def add(response: Response) -> Response:
        response.headers.update(HEADERS)
        return response
