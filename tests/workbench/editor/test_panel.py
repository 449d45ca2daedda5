"""A panel's code and link in the editor: three lines that become one field, and go again."""

from tests.support.live import Live
from tests.support.researcher import Browser
from tests.workbench.editor.writing import kept, plain, save, write
from tests.workbench.test_pages import words

LINK = "https://panel.example/done"


def test_the_lines_become_one_field_and_emptying_them_removes_it(live: Live, ana: Browser) -> None:
    address = write(live, plain())
    lines = {"code": " AB12 ", "redirect": LINK, "pass_on": "PID, SESSION"}
    assert save(ana, address, **{f"completion.{part}": text for part, text in lines.items()})
    wanted = {"code": "AB12", "redirect": LINK, "pass_on": ["PID", "SESSION"]}
    assert kept(live, address)["completion"] == wanted
    save(ana, address, **{f"completion.{part}": "" for part in lines})
    assert "completion" not in kept(live, address)


def test_a_fault_and_what_a_panel_learns_are_told_beside_the_lines(
    live: Live, ana: Browser
) -> None:
    address = write(live, plain(completion={"redirect": "http://panel.example"}))
    assert "must be a plain address that begins with https://" in words(ana.get(address))
    save(ana, address, **{"completion.redirect": LINK})
    assert "the panel learns who took part" in words(ana.get(address))
