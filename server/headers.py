"""Strict headers on every response, errors included: nothing foreign, and nothing inline but the
one style, by its hash. Only the one script runs, by its hash too.
"""

from flask import Flask, Response

from client.page import integrity, script_file, style

HEADERS = {
    "Content-Security-Policy": "; ".join(
        [
            "default-src 'none'",
            f"script-src '{script_file().integrity}'",
            f"style-src '{integrity(style().encode())}'",
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
    # But for files whose address is their hash.
    "Cache-Control": "no-store",
}


def add_strict_headers(app: Flask) -> None:
    @app.after_request
    def add(response: Response) -> Response:
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        return response
