"""The one error of the domain: input that is refused, with a sentence that helps."""

from collections.abc import Iterator
from contextlib import contextmanager


class Refusal(ValueError):
    """Bad input. `code` is for programs, the message for people, `field` names the culprit.

    Translated once at each edge: a 4xx on the server, one line and exit code 2 in a terminal.
    """

    def __init__(
        self, code: str, message: str, field: str | None = None, inside: tuple[str, ...] = ()
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.field = field
        # The question or the language that it is about, outermost first.
        self.inside = inside


def require(condition: bool, code: str, message: str, field: str | None = None) -> None:
    """Refuse unless the rule holds. Say rules positively: then NaN cannot pass them."""
    if not condition:
        raise Refusal(code, message, field)


@contextmanager
def within(name: str) -> Iterator[None]:
    """Refusals from inside name the question they are about."""
    try:
        yield
    except Refusal as refusal:
        named = refusal.message.startswith((f"{name}:", f"{name}.", f"{name} "))
        message = refusal.message if named else f"{name}: {refusal.message}"
        inside = (name, *refusal.inside)
        raise Refusal(refusal.code, message, refusal.field, inside) from None
