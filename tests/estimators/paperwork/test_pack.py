"""The ethics pack: complete for every survey, and it claims nothing that is not so."""

import re
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from client.authoring.draft.survey import build_survey
from client.authoring.files import load_survey
from client.core.mechanisms import MECHANISMS
from client.core.survey import Survey
from client.wording.catalogue import ENGLISH
from client.wording.mechanisms import sends
from client.wording.odds import odds_sentences
from estimators import least_shown
from estimators.paperwork.catalogue import METHODS, template
from estimators.paperwork.pack import PARTS, Paperwork
from estimators.paperwork.page import html_body
from estimators.paperwork.plan import StudyPlan
from estimators.paperwork.template import blanks_in, escape, fill
from server.surveys.disclosure import LEAST_IN_GROUP, MINIMUM
from tests.estimators.paperwork.packs import DEMO, INVITED, WEAK, every_survey, pack
from tests.support.process import ROOT

SURVEYS = every_survey()
# What no respondent is told, as in the texts of the page.
TOO_MUCH = r"anonym|100 ?% private|impossible|\blies?\b|\blying\b|fake|false|corrupt|\bnoise"
# What no text of the pack claims.
CLAIMS = r"100 ?%|impossible|\bguarantee|\bfully\b|\bsafe\b|cannot be (traced|linked|identified)"
HOSTILE = "<script>alert(1)</script> *b* [x](https://a.example) | `c` {title} &amp; _d_ ![i](//e)"


@pytest.mark.parametrize("name", SURVEYS)
def test_every_survey_gives_a_complete_pack(name: str) -> None:
    made = pack(SURVEYS[name], respondents=800)
    assert list(made.parts) == list(PARTS)
    text = made.markdown
    for title in PARTS.values():
        assert re.search(rf"^## \d\. {re.escape(title)}$", text, re.MULTILINE)
    # Nothing of the templates' own language is left over, and no sentence has a gap.
    assert not re.search(r"\{[a-z_?!.]+\}|  +\S| \.|\.\.|,,| ,", text)
    for question in SURVEYS[name].questions:
        assert text.count(escape(question.prompt)) >= 2
        assert sends(question.mechanism) in made.parts["review"]


@pytest.mark.parametrize("name", SURVEYS)
def test_all_that_is_to_be_filled_in_is_listed_at_the_top(name: str) -> None:
    made = pack(SURVEYS[name])
    top, rest = made.markdown.split("## 1. ", 1)
    for what in blanks_in(rest):
        (line,) = (line for line in top.splitlines() if line.startswith(f"- {what} ("))
        named = [title for part, title in PARTS.items() if f"[fill in: {what}]" in made.parts[part]]
        assert line == f"- {what} ({', '.join(named)})"
    assert rest.count("[fill in: ") == sum(
        text.count(f"[fill in: {what}]") for text in made.parts.values() for what in blanks_in(text)
    )
    assert set(made.blanks) == set(blanks_in(rest))


@pytest.mark.parametrize("name", SURVEYS)
def test_no_text_claims_too_much(name: str) -> None:
    made = pack(SURVEYS[name])
    assert not re.search(TOO_MUCH, made.consent, re.IGNORECASE)
    assert not re.search(CLAIMS, made.markdown, re.IGNORECASE)
    told = re.findall(r"[^.\n]*anonym[^.\n]*", made.markdown, re.IGNORECASE)
    assert told == ["**Why we do not call these data anonymous"]


@pytest.mark.parametrize("name", SURVEYS)
def test_the_consent_text_fits_the_survey_and_its_small_markdown(name: str) -> None:
    text = pack(SURVEYS[name]).consent
    assert len(text) <= 20_000
    for line in text.splitlines():
        # Headings, paragraphs, lists and bold: no tables, code, quotes or markup of other kinds.
        assert not re.match(r"[|>`]|\s", line)
        assert "`" not in line
        assert line.count("**") % 2 == 0
    assert "](" not in text
    assert "\\" not in text


def test_the_consent_text_has_the_words_and_odds_of_the_page() -> None:
    survey = load_survey(DEMO)
    text = pack(survey).consent
    assert ENGLISH.process(survey.total_epsilon) in text
    assert ENGLISH.whole_survey(3, survey.total_epsilon) in text
    assert "would be right for at most 88 of 100 people" in text
    assert "- The researchers: no, but they can guess\n" in text
    assert "deleted from the server on 2099-12-31" in text


def test_a_weak_survey_is_called_weak_in_every_part_that_speaks_of_protection() -> None:
    made = pack(WEAK)
    assert "- The researchers: they can guess well" in made.consent
    assert "It is weak" in made.parts["review"]
    assert "this protection is weak" in made.parts["data_protection"]
    assert "why a smaller total epsilon is not enough for this study" in made.blanks
    assert "weak" not in pack(DEMO).parts["data_protection"]


def test_the_board_reads_every_epsilon_with_its_odds() -> None:
    survey = build_survey(INVITED)
    text = pack(survey).parts["review"]
    for question in survey.questions:
        (row,) = (line for line in text.splitlines() if line.startswith(f"| {question.prompt} |"))
        assert "| 0.8 |" in row
        assert " ".join(odds_sentences(question, ENGLISH)) in row


def test_an_invitation_only_survey_says_that_taking_part_shows_and_results_are_sealed() -> None:
    invited, opened = pack(INVITED), pack({**INVITED, "access": "open"})
    for made, personal in ((invited, True), (opened, False)):
        assert ("That you took part. Your link was made for you alone" in made.consent) == personal
        assert ("Nobody sees results before the survey is closed" in made.consent) == personal
        assert ("as soon as they come in" in made.consent) != personal
        assert ("for each personal link a hash" in made.parts["data_protection"]) == personal
        assert ("from the first report on" in made.parts["review"]) != personal


def test_the_smallest_numbers_that_are_shown_are_those_of_the_server() -> None:
    assert (least_shown.PUBLIC, least_shown.IN_GROUP) == (MINIMUM, LEAST_IN_GROUP) == (50, 20)
    text = pack(INVITED).consent
    assert "if at least 20 people took part. Everybody else sees totals if at least 50 did." in text


def test_only_a_published_survey_has_a_fingerprint() -> None:
    survey = load_survey(DEMO)
    published = Paperwork(survey, StudyPlan(), is_published=True, reports=2345)
    assert published.markdown.count(survey.fingerprint) == 3
    assert "The number of reports was 2,345." in published.parts["methods"]
    assert "the fingerprint of the published survey" not in published.blanks
    drafted = pack(survey)
    assert survey.fingerprint not in drafted.markdown
    assert {"the fingerprint of the published survey", "the number of reports"} <= set(
        drafted.blanks
    )


def test_a_survey_without_a_deletion_day_or_an_organizer_leaves_them_to_be_filled_in() -> None:
    assert {"the day of deletion", "who conducts the survey"} <= set(pack(WEAK).blanks)
    assert not {"the day of deletion", "who conducts the survey"} & set(pack(DEMO).blanks)


def test_all_mechanisms_are_described_for_a_methods_section() -> None:
    assert set(METHODS) == set(MECHANISMS)
    text = pack(SURVEYS["every kind"]).parts["methods"]
    for question in SURVEYS["every kind"].questions:
        assert METHODS[question.mechanism.name] in text


def letters(text: str) -> str:
    return re.sub(r"\W", "", text)


def test_the_literature_is_that_of_the_methods_page_and_every_citation_has_its_entry() -> None:
    page = letters((ROOT / "docs" / "methods.md").read_text())
    entries = [line.removeprefix("- ") for line in template("literature").splitlines()]
    for entry in entries:
        assert letters(entry) in page, entry
    used: set[str] = set()
    for survey in SURVEYS.values():
        made = pack(survey)
        cited = re.findall(
            r"\b([A-ZÖ][\w-]+) ((?:19|20)\d\d[a-z]?)\b", "".join(made.parts.values())
        )
        assert cited
        for name, year in cited:
            assert any(re.match(rf"{name}\b.* {year}\. ", entry) for entry in made.literature), (
                f"{name} {year}"
            )
        used |= set(made.literature)
    assert used == set(entries)


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


@pytest.mark.parametrize("name", SURVEYS)
def test_the_page_is_self_contained_and_runs_nothing(name: str) -> None:
    made = pack(SURVEYS[name])
    tags = _Tags()
    tags.feed(made.html)
    assert not {"script", "link", "img", "iframe", "a", "form"} & {tag for tag, _ in tags.found}
    assert all(not {"src", "href", "style"} & attributes.keys() for _, attributes in tags.found)
    assert "url(" not in made.html
    assert "@import" not in made.html
    assert made.html.count("<mark>[fill in: ") == made.markdown.count("[fill in: ")
    levels = [int(tag[1]) for tag, _ in tags.found if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def hostile() -> Survey:
    question: dict[str, Any] = {"id": "a", "prompt": HOSTILE, "epsilon": "1"}
    labels = {"options": ["no", "[fill in: mine]"]}
    return build_survey(
        {"slug": "h", "title": HOSTILE, "organizer": HOSTILE, "questions": [question | labels]}
    )


def test_texts_of_authors_stay_text() -> None:
    made = pack(hostile())
    tags = _Tags()
    tags.feed(made.html)
    assert not {"script", "a", "img"} & {tag for tag, _ in tags.found}
    # The title in the heading, the same as it was written.
    assert (
        "&lt;script&gt;alert(1)&lt;/script&gt; *b* [x](https://a.example) | `c` {title} &amp;amp; "
        "_d_ ![i](//e)</h1>" in made.html
    )
    rows = [line for line in made.markdown.splitlines() if line.startswith("| \\<script>")]
    assert {len(re.findall(r"(?<!\\)\|", row)) for row in rows} == {5}
    assert "mine" not in made.blanks


def test_the_page_makes_neither_links_nor_markup_of_any_markdown() -> None:
    text = "[a](https://b.example) ![i](https://c.example) <https://d.example> <i>e</i>\n\n<hr>\n"
    tags = _Tags()
    tags.feed(html_body(text))
    assert [tag for tag, _ in tags.found] == ["p", "p"]


def test_a_template_keeps_the_pieces_whose_condition_holds() -> None:
    text = "One {?a}two {!a}three {.}four.\n{!a}Gone.\n- {?b}gone\n- kept\n\n{?b}Gone.\n\nEnd {v}."
    assert fill(text, {"v": "here"}, {"a": True, "b": False}) == (
        "One two four.\n- kept\n\nEnd here.\n"
    )
    with pytest.raises(KeyError):
        fill("{unknown}", {}, {})
    with pytest.raises(KeyError):
        fill("{?unknown}a", {}, {})


def test_every_template_is_used() -> None:
    folder = ROOT / "estimators" / "paperwork" / "texts"
    names = {path.stem for path in Path(folder).iterdir()}
    assert names == {*PARTS, "front", "literature", "mechanisms"}


def test_what_the_survey_says_about_the_study_is_not_to_be_filled_in(draft: dict[str, Any]) -> None:
    said = {"contact": "Ada *Example*", "ethics_reference": "Board of Examples, 2026-113"}
    blanks = ("name and contact of the person responsible", "ethics board and reference number")
    without = pack(build_survey(draft)).parts["consent"]
    made = pack(build_survey({**draft, **said})).parts["consent"]
    assert "- About the study: Ada \\*Example\\*\n" in made
    assert "- About the ethics review: Board of Examples, 2026-113\n" in made
    for blank in blanks:
        assert (blank in blanks_in(without), blank in blanks_in(made)) == (True, False)
