"""The progress bar: on a terminal, after a second, on standard error; otherwise silence."""

import pytest

from client import progress
from client.progress import Bar


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "PATIENCE_SECONDS", -1.0)


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")


def use(steps: int) -> None:
    with Bar("Counting", steps) as bar:
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


@pytest.mark.usefixtures("impatient")
def test_nothing_is_shown_where_no_terminal_is(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    use(1000)
    assert capfd.readouterr().err == ""
