"""The browser of the tests is started as Playwright would start it."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Error

from tests.browser.chromium import FEATURES, TURNED_OFF, launch_options


def test_what_playwright_turns_off_is_turned_off(browser: Browser, tmp_path: Path) -> None:
    """A stand-in for Chromium writes down what it is started with."""
    stand_in, told = tmp_path / "stand-in", tmp_path / "told"
    stand_in.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > {told}\n')
    stand_in.chmod(0o755)
    options = launch_options()
    options["executable_path"] = str(stand_in)
    with pytest.raises(Error):
        browser.browser_type.launch(**options)
    theirs, ours = (
        set(argument.removeprefix(FEATURES).split(","))
        for argument in told.read_text().splitlines()
        if argument.startswith(FEATURES)
    )
    assert ours == set(TURNED_OFF)
    assert theirs <= ours
