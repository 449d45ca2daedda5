"""Strict headers on every response, errors included."""

from flask import Flask, Response, request

from client.browser.headers import HEADERS, policy
from server.web.urls import in_workbench

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
