"""A survey file (YAML or JSON) becomes a `Survey`: thresholds are computed here, once.

Scalars are kept as they are written, so that an epsilon of 0.1 is that decimal and no float.
"""

from pathlib import Path
from typing import Any

import yaml

from client.budget import split_budget
from client.draft_fields import Fields
from client.draft_question import build_question
from client.refusal import Refusal
from client.survey import BY_TICKET, Survey

MAX_FILE_BYTES = 2**21


def read_draft(path: Path) -> dict[str, Any]:
    """The mapping in a survey file. JSON is YAML, so one reader serves both."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise Refusal("unreadable", f"{path} cannot be read: {error.strerror}", str(path)) from None
    if len(data) > MAX_FILE_BYTES:
        raise Refusal("too_large", f"{path} must be at most {MAX_FILE_BYTES} bytes", str(path))
    try:
        # BaseLoader makes every scalar a string: nothing is turned into a float, date or boolean.
        draft = yaml.load(data, Loader=yaml.BaseLoader)
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError) as error:
        reason = " ".join(str(error).split())[:200]
        raise Refusal(
            "bad_survey_file", f"{path} is not YAML or JSON: {reason}", str(path)
        ) from None
    return Fields.of(draft, str(path)).values


def build_survey(draft: dict[str, Any], version: int = 1) -> Survey:
    """The survey that a draft describes, mechanisms chosen and thresholds computed."""
    fields = Fields.of(draft, "survey")
    drafts = fields.take_mappings("questions")
    ask_each_person = fields.take_integer("ask_each_person", 0)
    epsilons = split_budget(
        drafts,
        total=fields.take("total_epsilon", None),
        default=fields.take("epsilon", None),
        asked=ask_each_person or len(drafts),
    )
    earlier: list[Any] = []
    for item, epsilon in zip(drafts, epsilons, strict=True):
        earlier.append(build_question(item, epsilon, earlier))
    survey = Survey(
        slug=fields.take("slug"),
        version=version,
        title=fields.take("title"),
        intro=fields.take("intro", ""),
        organizer=fields.take("organizer", ""),
        delete_on=fields.take("delete_on", ""),
        ask_each_person=ask_each_person,
        drawn_by=fields.take("drawn_by", BY_TICKET),
        questions=tuple(earlier),
    )
    fields.check_all_taken()
    return survey
