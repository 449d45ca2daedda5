"""What is wrong, in the words of the form: the sentences of the catalogue that end in `@editor`.

The form shows the title of a field before the sentence, so that the sentence need not name it. Only
where a sentence speaks of other fields, or of how files are written, the form has one of its own.
"""

from client.core.primitives.refusal import Refusal
from server.workbench.editor.naming import title_of_path

FORM = "editor"


def in_form_words(refusal: Refusal) -> str:
    """What is wrong with a field whose title stands before the sentence."""
    return refusal.sentence(FORM, field="").strip()


def reason_of(refusal: Refusal) -> str:
    """Why something was not done, with the title of the field if it is about one."""
    words, title = in_form_words(refusal), title_of_path(refusal.path)
    if title:
        return f"{title}: {words}."
    return f"{words[:1].upper()}{words[1:].rstrip('.')}."
