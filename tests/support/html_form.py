"""What a browser would send: the controls of a form in a page, with their values."""

from html.parser import HTMLParser


class _Controls(HTMLParser):
    def __init__(self, form: str) -> None:
        super().__init__()
        self.form = form
        self.inside = False
        self.fields: dict[str, str] = {}
        self._select = self._area = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.inside = given.get("id") == self.form
        if not self.inside:
            return
        name = given.get("name", "")
        if tag == "input":
            if given.get("type") not in ("radio", "checkbox") or "checked" in given:
                self.fields[name] = given.get("value", "")
        elif tag == "select":
            self._select = name
        elif tag == "option" and self._select:
            if "selected" in given or self._select not in self.fields:
                self.fields[self._select] = given.get("value", "")
        elif tag == "textarea":
            self._area = name
            self.fields[name] = ""

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.inside = False
        if tag == "select":
            self._select = ""
        if tag == "textarea":
            # Browsers drop the first line break, and send the others as two characters.
            text = self.fields[self._area].removeprefix("\n")
            self.fields[self._area] = text.replace("\n", "\r\n")
            self._area = ""

    def handle_data(self, data: str) -> None:
        if self._area:
            self.fields[self._area] += data


def fields_of(page: bytes, form: str = "editor") -> dict[str, str]:
    parser = _Controls(form)
    parser.feed(page.decode())
    fields = dict(parser.fields)
    del fields["csrf_token"]
    return fields
