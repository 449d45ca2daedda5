"""The page without any survey: a word to respondents, a way in for researchers, and no trace."""

import re

import pytest

from tests.support.live import Live


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "For researchers: log in"),
        ("de", "Für Forschende: anmelden"),
        ("es", "Para investigadores: iniciar sesión"),
        ("ar", "للباحثين: تسجيل الدخول"),
    ],
)
def test_researchers_find_the_workbench_and_nobody_gets_a_cookie(
    live: Live, language: str, said: str
) -> None:
    answer = live.send("GET", "/", headers={"Accept-Language": language})
    page = answer.body.decode()
    assert said in " ".join(re.sub(r"<[^>]+>", "", page).split())
    assert '<a href="/workbench">' in page
    assert "Set-Cookie" not in answer.headers
    # Nothing comes from elsewhere.
    assert not re.search(r'(?:src|href)="(?!/)', page)
