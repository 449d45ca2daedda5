"""The headers that respondents' pages and files are served with, errors included.

Nothing foreign is loaded, and nothing inline but the one style, by its hash. Only the one script
runs, by its hash too. `candor check` compares them with what a server sends.
"""

from client.browser.bundle import integrity, script_file, style


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
# An address that is its content's hash stays true, and is the same for everybody. There is nothing
# to ask about such a copy later, so it has no ETag, which could tell visitors apart.
FOR_EVER = "public, max-age=31536000, immutable"
# A script, a picture or texts load nothing themselves, whoever opens them by their address.
FILE_HEADERS = HEADERS | {
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Cache-Control": FOR_EVER,
}
# What a server or the proxy in front of it adds about the connection. A browser does nothing with
# it that a respondent could notice or that could tell respondents apart.
_OF_THE_CONNECTION = frozenset(
    "age alt-svc connection content-encoding content-length date keep-alive server "
    "strict-transport-security transfer-encoding vary via".split()
)


def unexpected(served: list[tuple[str, str]], expected: dict[str, str]) -> list[str]:
    """Return what is wrong with a response's headers: one missing, changed, doubled or foreign.

    A foreign one may do anything: refresh the page elsewhere, set a cookie, report to somebody.
    """
    wanted = {name.lower(): value for name, value in expected.items()}
    wrong = [
        f"{name}: {value}"
        for name, value in served
        if name.lower() not in _OF_THE_CONNECTION and wanted.get(name.lower()) != value
    ]
    names = [name.lower() for name, _ in served]
    wrong += [f"no {name}" for name in wanted if name not in names]
    wrong += [f"{name} twice" for name in wanted if names.count(name) > 1]
    return wrong
