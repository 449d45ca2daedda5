"""Refusals in the words of the form: the catalogue's sentences whose keys end in `@editor`.

The form shows a field's title before the sentence, so the sentence does not name the field. A key
has an `@editor` sentence only if its usual one speaks of other fields or of the syntax of files.
"""

from client.core.primitives.refusal import Refusal
from server.workbench.editor.naming import title_of_path

FORM = "editor"


def form_sentence(refusal: Refusal) -> str:
    """Return what is wrong with a field, for a place where its title comes first."""
    return refusal.sentence(FORM, field="").strip()


def reason_of(refusal: Refusal) -> str:
    """Return why something was not done, with the title of the field if it concerns one."""
    words, title = form_sentence(refusal), title_of_path(refusal.path)
    if title:
        return f"{title}: {words}."
    return f"{words[:1].upper()}{words[1:].rstrip('.')}."
