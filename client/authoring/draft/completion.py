"""Read what a panel asks for, `completion:` in a survey file."""

from client.authoring.draft.fields import COMPLETION_FIELDS
from client.core.completion import NO_PANEL, Completion
from client.core.primitives.refusal import require, within


def read_completion(value: object) -> Completion:
    """Return the code and the link that a survey file describes."""
    if isinstance(value, Completion):
        return value
    require(isinstance(value, dict), "not_a_mapping", "completion", part="completion")
    assert isinstance(value, dict)
    with within("completion", name="completion"):
        known = sorted(COMPLETION_FIELDS)
        for name in value:
            is_known = name in COMPLETION_FIELDS
            field = str(name)[:40]
            require(is_known, "unknown_field", field, part="completion", name=name, known=known)
        given = {name: value[name] for name in COMPLETION_FIELDS if name in value}
        names = given.pop("pass_on", [])
        require(isinstance(names, list | tuple), "bad_completion.list", "pass_on")
        completion = Completion(**given, pass_on=tuple(names))
        require(completion != NO_PANEL, "bad_completion.empty", "code")
        return completion
