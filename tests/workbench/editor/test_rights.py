"""What the editor offers to whom: nobody finds a button that would be refused."""

import re

import pytest

from server.surveys.researchers import Role
from tests.support.live import Live
from tests.support.researcher import Browser, hire, logged_in
from tests.workbench.editor.writing import Draft, kept, plain, save, write
from tests.workbench.test_pages import words


@pytest.fixture(scope="module")
def vic(live: Live) -> Browser:
    hire(live, "vic", Role.VIEWER)
    return logged_in(live, "vic")


@pytest.fixture(scope="module")
def next_version(live: Live) -> str:
    """Of the survey that ana owns, bea edits and vic looks at; with something to mend in it."""
    return write(live, habits(), "habits")


def habits(**changed: str) -> Draft:
    return plain(slug="habits", delete_on="2999-12-31", unknown="1", **changed)


def offered(browser: Browser, address: str) -> set[str]:
    """What the buttons of the editor's form do, wherever they stand."""
    return set(re.findall('name="do" value="([^"]+)"', browser.get(address).body.decode()))


def test_owners_write_and_publish(ana: Browser, next_version: str) -> None:
    everything = {"save", "test", "publish", "add", "add-factor", "remove-0", "forget"}
    assert offered(ana, next_version) == everything
    assert f"{next_version}/discard" in ana.get(next_version).body.decode()


def test_an_editor_is_not_offered_to_publish(live: Live, ana: Browser, next_version: str) -> None:
    bea = logged_in(live, "bea")
    assert offered(ana, next_version) - offered(bea, next_version) == {"publish"}
    assert "Only owners can publish it." in words(bea.get(next_version))
    assert "Only owners can publish it." not in words(ana.get(next_version))
    # Under another name nothing of theirs is replaced.
    another = write(live, plain(slug="habits-of-bea"), "habits")
    assert "publish" in offered(bea, another)
    # What is one's own is nobody else's to publish.
    assert "publish" in offered(ana, write(live, plain()))


def test_a_viewer_reads_and_is_offered_nothing_else(
    live: Live, vic: Browser, next_version: str
) -> None:
    page = vic.get(next_version)
    assert "Editors and owners of the survey can change it." in words(page)
    assert "One?" in words(page)
    assert offered(vic, next_version) == set()
    form = page.body.decode().partition('id="editor"')[2].partition("</form>")[0]
    # All that could be typed into stands between these two.
    before, _, inside = form.partition("<fieldset disabled>")
    inside, _, after = inside.rpartition("</fieldset>")
    assert 'name="title@en"' in inside
    assert re.findall('<(?:textarea|select|input(?! type="hidden"))', before + after) == []
    for never in ("editor.js", "/discard", 'id="problems"'):
        assert never not in page.body.decode()


def test_the_pages_behind_the_buttons_are_refused_to_viewers(
    live: Live, vic: Browser, next_version: str
) -> None:
    another = write(live, plain(slug="another"), "habits")
    before = kept(live, another)
    for address in (next_version, another):
        for path in ("/test", "/publish", "/discard"):
            answer = vic.get(address + path)
            assert (answer.status, "You may not do this" in words(answer)) == (403, True), path
    assert vic.post(f"{another}/test").status == 403
    assert live.get("/t/another").status == 404
    assert vic.post(another, revision="1", count="1", respondents="9").status == 403
    assert kept(live, another) == before


def test_what_viewers_read_is_what_was_saved(
    live: Live, ana: Browser, vic: Browser, next_version: str
) -> None:
    assert save(ana, next_version, **{"title@en": "Seen by all"}).status == 303
    assert "Seen by all" in words(vic.get(next_version))
