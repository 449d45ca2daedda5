"""A survey of one question without words, to be planned or simulated."""

from client.domain import MAX_OPTIONS
from client.draft import build_survey
from client.kinds import AnyOf, Number, OneOf, Scale, YesNo
from client.refusal import require
from client.survey import Survey

# Which fields describe a question of each kind that needs no words.
SHAPES: dict[str, tuple[str, ...]] = {
    YesNo.name: (),
    OneOf.name: ("options",),
    AnyOf.name: ("options", "at_most"),
    Scale.name: ("lo", "hi", "goal"),
    Number.name: ("lo", "hi", "step", "goal"),
}


def one_question(kind: str, epsilon: str, options: int = 0, **fields: object) -> Survey:
    """A question of this kind with so many numbered options; the rule chooses its mechanism."""
    # Asked before so many labels are made.
    require(
        options <= MAX_OPTIONS,
        "bad_shape",
        f"options must be at most {MAX_OPTIONS:,}, got {options}",
        "options",
    )
    labels = {"options": [str(number) for number in range(1, options + 1)]} if options else {}
    shape = {name: str(value) for name, value in fields.items()}
    question = {"id": kind, "kind": kind, "prompt": kind.replace("_", "-"), "epsilon": epsilon}
    return build_survey(
        {"slug": "one-question", "title": "One question", "questions": [question | labels | shape]}
    )
