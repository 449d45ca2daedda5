"""A researcher at the workbench of a real server: a cookie, the token of the forms, and clicks."""

import re
from functools import cache
from urllib.parse import urlencode

from argon2 import PasswordHasher

from server.store.researchers import access, accounts, api_keys
from server.surveys.researchers import Role, Scope
from tests.support.live import Answer, Live

PASSWORD = "correct horse battery"
FORM = "application/x-www-form-urlencoded"


@cache
def password_hash() -> str:
    """Return a hash as the server's own, but a cheap one: a hash says itself what it costs.

    The server's cost is 0.2 seconds at every login; `test_login.py` has tests of it.
    """
    return PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash(PASSWORD)


def hire(live: Live, name: str, role: Role | None = None, slug: str | None = None) -> None:
    """Add a researcher, with a role in the survey."""
    live.services.database.write(accounts.add, name, password_hash())
    if role is not None:
        live.services.database.write(access.give_role, slug or live.survey.slug, name, role)


def key_of(live: Live, name: str, scope: Scope = Scope.MANAGE) -> dict[str, str]:
    """Return the header with a new API key of a researcher."""
    database = live.services.database
    _, text = database.write(api_keys.make, accounts.named(database.reader, name), "a test", scope)
    return {"Authorization": f"Bearer {text}"}


class Browser:
    """A browser that keeps cookies and knows the token of its session."""

    def __init__(self, live: Live) -> None:
        self.live = live
        self.cookie = ""
        # The cookie by which the login recognizes the browser; sent nowhere else.
        self.device = ""

    def get(self, path: str) -> Answer:
        return self._request("GET", path)

    def head(self, path: str) -> Answer:
        return self._request("HEAD", path)

    def post(self, path: str, token: str | None = "own", **fields: str) -> Answer:
        given = {"csrf_token": self.token() if token == "own" else token or ""}
        return self._request("POST", path, urlencode({**given, **fields}).encode())

    def upload(
        self, path: str, name: str, data: bytes, field: str = "file", **fields: str
    ) -> Answer:
        """Post a form with a file in it."""
        mark = "----candor"
        disposition = f'form-data; name="{field}"; filename="{name}"'.replace("\n", " ")
        texts = {"csrf_token": self.token(), **fields}
        parts = [
            *(
                f'--{mark}\r\nContent-Disposition: form-data; name="{text}"\r\n\r\n{value}'
                for text, value in texts.items()
            ),
            f"--{mark}\r\nContent-Disposition: {disposition}\r\n\r\n",
        ]
        body = "\r\n".join(parts).encode() + data + f"\r\n--{mark}--\r\n".encode()
        return self._request("POST", path, body, f"multipart/form-data; boundary={mark}")

    def token(self) -> str:
        """Return the token, from a page that everybody in this session can see."""
        page = self.get("/workbench/account")
        if page.status != 200:
            page = self.get("/workbench/login")
        found = re.search(rb'name="csrf_token" value="([^"]+)"', page.body)
        assert found is not None, page.body
        return found[1].decode()

    def log_in(self, name: str, password: str = PASSWORD, wish: str = "") -> Answer:
        query = f"?{urlencode({'next': wish})}" if wish else ""
        return self.post(f"/workbench/login{query}", name=name, password=password)

    def is_in(self) -> bool:
        return self.get("/workbench").status == 200

    def _request(
        self, method: str, path: str, body: bytes | None = None, type: str = FORM
    ) -> Answer:
        kept = [self.cookie, self.device if path.startswith("/workbench/login") else ""]
        headers = {"Content-Type": type, "Cookie": "; ".join(filter(None, kept))}
        answer = self.live.send(method, path, body, headers)
        for cookie in answer.cookies:
            pair = cookie.partition(";")[0]
            if pair.startswith("candor-device="):
                self.device = pair
            else:
                self.cookie = pair
        return answer


def logged_in(live: Live, name: str) -> Browser:
    browser = Browser(live)
    answer = browser.log_in(name)
    assert answer.status == 303, answer.body
    return browser
