"""The progress of long tasks: a bar on a terminal after a second, elsewhere a line now and then."""

import re

import pytest

from client.console import progress
from client.console.progress import Bar, in_words


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "PATIENCE_SECONDS", -1.0)


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")


def use(steps: int) -> None:
    with Bar("Counting", steps, "reports") as bar:
        for _ in range(steps):
            bar.advance()


@pytest.mark.usefixtures("impatient", "terminal")
def test_a_slow_task_on_a_terminal_shows_a_bar_on_standard_error(
    capfd: pytest.CaptureFixture[str],
) -> None:
    use(1000)
    captured = capfd.readouterr()
    assert "Counting" in captured.err
    assert captured.out == ""


@pytest.mark.usefixtures("terminal")
def test_a_quick_task_shows_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    use(1000)
    assert capfd.readouterr().err == ""


@pytest.mark.usefixtures("impatient", "terminal")
def test_the_bar_tells_the_rate(capfd: pytest.CaptureFixture[str]) -> None:
    use(1000)
    assert "reports per second" in capfd.readouterr().err


@pytest.mark.usefixtures("impatient")
def test_a_line_is_written_now_and_then_where_no_terminal_is(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    monkeypatch.setattr(progress, "LINE_SECONDS", 0.0)
    with Bar("Counting", 2, "reports") as bar:
        bar.advance()
    captured = capfd.readouterr()
    assert re.fullmatch(
        r"Counting: 50%, [0-9.,]+( [mb]illion)? reports per second, about 0 s left\n", captured.err
    )
    assert captured.out == ""


@pytest.mark.usefixtures("impatient")
def test_lines_are_seldom(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    use(1000)
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (3.4, "3"),
        (4070.2, "4,070"),
        (310e6, "310 million"),
        (999.9e6, "1,000 million"),
        (1.2549e9, "1.25 billion"),
    ],
)
def test_numbers_in_words(number: float, words: str) -> None:
    assert in_words(number) == words
