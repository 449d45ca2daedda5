"""The catalogues: every language has every text, with the same figures, in allowed words."""

import json
import re
from collections.abc import Mapping
from decimal import Decimal

import pytest
from babel import Locale
from babel.numbers import format_decimal

from client.wording.catalogue import TEXTS, Wording, plural_category
from client.wording.languages import INTERFACE
from server.web.languages import OWN_TEXTS, in_language
from tests.support.process import ROOT

OTHERS = [language for language in INTERFACE if language != "en"]
CATEGORIES = ("zero", "one", "two", "few", "many", "other")
# Words that are the same in two languages, and texts with nothing to translate.
ALIKE = {
    "de": {
        *("format.minus", "format.comma", "terminal.no", "maths.p", "maths.q"),
        "results.median",
    },
    "es": {
        *("format.minus", "format.comma", "label.no", "option.no"),
        *("terminal.no", "maths.p", "maths.q"),
    },
    "ar": {"format.thousands", "format.decimal", "maths.p", "maths.q"},
}
# Words that promise too much, frighten, or suggest that somebody is dishonest.
FORBIDDEN = {
    "en": r"anonym|100 ?% private|impossible|\blies?\b|\blying\b|fake|\bfalse|corrupt|\bnoise",
    "de": r"anonym|100 ?% privat|unmöglich|lüge|lügt|gelogen|\bfalsch|fake|rauschen|verrauscht",
    "es": r"anónim|100 ?% privad|imposible|mentir|miente|\bfals[oa]s?\b|fraude|\bruido|corrupt",
    "ar": r"مجهول|خاص 100|مستحيل|كذب|تكذب|مزيف|زائف|باطل|ضوضاء|ضجيج|تشويش",
}
MOST_WORDS = 120


def catalogue(language: str) -> dict[str, str]:
    """Return the texts of the client and the server."""
    texts: dict[str, str] = {}
    for folder in (TEXTS, OWN_TEXTS):
        texts |= json.loads((folder / f"{language}.json").read_text("utf-8"))
    return texts


def base(key: str, texts: Mapping[str, str]) -> str:
    """Return the key that code uses, without the plural category."""
    stem, _, category = key.rpartition(".")
    return stem if category in CATEGORIES and f"{stem}.other" in texts else key


def forms(language: str) -> dict[str, dict[str, str]]:
    """Return the texts by category ("" if there is only one) for every key that code uses."""
    texts = catalogue(language)
    found: dict[str, dict[str, str]] = {}
    for key, text in texts.items():
        stem = base(key, texts)
        found.setdefault(stem, {})[key[len(stem) + 1 :]] = text
    return found


def placeholders(text: str) -> set[str]:
    return set(re.findall(r"\{([a-z_]+)\}", text))


def words(text: str) -> int:
    return len(re.findall(r"[^\W_]+(?:[.,:'’-][^\W_]+)*", text))


def test_there_is_a_catalogue_for_every_language_and_no_other() -> None:
    for folder in (TEXTS, OWN_TEXTS):
        assert {item.name for item in folder.iterdir()} == {f"{name}.json" for name in INTERFACE}


@pytest.mark.parametrize("language", INTERFACE)
def test_no_key_stands_twice_and_no_text_is_empty(language: str) -> None:
    keys: list[str] = []
    for folder in (TEXTS, OWN_TEXTS):
        pairs = json.loads((folder / f"{language}.json").read_text("utf-8"), object_pairs_hook=list)
        keys += [key for key, _ in pairs]
        assert all(isinstance(text, str) and text.strip() for _, text in pairs)
    assert len(keys) == len(set(keys))


@pytest.mark.parametrize("language", OTHERS)
def test_every_language_says_everything(language: str) -> None:
    assert forms(language).keys() == forms("en").keys()


@pytest.mark.parametrize("language", INTERFACE)
def test_a_text_with_several_forms_has_one_for_every_number(language: str) -> None:
    needed = {plural_category(language, count) for count in range(201)}
    for key, texts in forms(language).items():
        if "" not in texts:
            assert needed <= texts.keys(), key


@pytest.mark.parametrize("language", INTERFACE)
def test_every_form_holds_the_same_values_in_every_language(language: str) -> None:
    english = forms("en")
    for key, texts in forms(language).items():
        expected = placeholders(" ".join(english[key].values()))
        for category, text in texts.items():
            # "One person" and "two people" need no figure.
            spared = {"count"} if category in ("zero", "one", "two") else set()
            # A language may need the number only for its form, or not at all.
            found = placeholders(text)
            assert found - {"count"} == expected - {"count"}, (key, category)
            if category in ("", "few", "many", "other") and "count" in expected:
                assert "count" in found | spared, (key, category)


@pytest.mark.parametrize("language", INTERFACE)
def test_no_text_uses_a_word_that_promises_too_much_or_frightens(language: str) -> None:
    for key, text in catalogue(language).items():
        assert not re.search(FORBIDDEN[language], text, re.IGNORECASE), key


def test_the_forbidden_words_are_found() -> None:
    for language, text in [
        ("en", "This is anonymous."),
        ("de", "Das ist anonym."),
        ("es", "Es una respuesta falsa."),
        ("ar", "إجابة مزيفة"),
    ]:
        assert re.search(FORBIDDEN[language], text, re.IGNORECASE)


@pytest.mark.parametrize("language", OTHERS)
def test_no_english_is_left_over(language: str) -> None:
    english = catalogue("en")
    alike = {key for key, text in catalogue(language).items() if english.get(key) == text}
    assert alike == ALIKE[language] & alike
    assert ALIKE[language] - alike == set()


@pytest.mark.parametrize("language", INTERFACE)
@pytest.mark.parametrize("total", ["1.5", "4.5"])
def test_at_most_120_words_stand_above_the_first_question(language: str, total: str) -> None:
    """All that is ours; a title and an intro of an author come on top; here they have 6 words."""
    wording, epsilon = Wording(language), Decimal(total)
    shown = [
        *(wording.say("label.heading"), wording.say("label.visible"), wording.say("start")),
        *(f"{who} {seen}" for who, seen in wording.consequences(epsilon)),
        wording.process(epsilon),
        wording.whole_survey(6, epsilon),
        wording.say("by", organizer="The study group"),
        "Habits at work. Three short questions.",
        wording.say("question.progress", position=1, count=6),
    ]
    assert words(" ".join(shown)) <= MOST_WORDS


@pytest.mark.parametrize("language", INTERFACE)
def test_the_odds_speak_no_jargon_and_hold_no_figures_of_their_own(language: str) -> None:
    odds = {key: text for key, text in catalogue(language).items() if key.startswith("odds.")}
    assert len(odds) >= 18
    jargon = r"epsilon|épsilon|إبسيلون|probab|wahrschein|احتمال|differential|diferencial|\d"
    for key, text in odds.items():
        assert not re.search(jargon, text, re.IGNORECASE), key


def test_arabic_keeps_what_runs_the_other_way_apart() -> None:
    """Latin letters and formulas stand inside isolates, all of which are closed."""
    for key, text in catalogue("ar").items():
        if key in ALIKE["ar"]:
            continue
        outside = re.sub("\u2066[^\u2066\u2069]*\u2069", "", text)
        assert not re.search("[\u2066-\u2069]", outside), key
        plain = re.sub(r"\{[a-z_]+\}", "", outside)
        # A single letter is one strong character and reorders nothing next to it.
        assert not re.search(r"[A-Za-z]{2}|[=/]", plain), key


@pytest.mark.parametrize("language", INTERFACE)
def test_numbers_are_written_as_babel_writes_them(language: str) -> None:
    wording = Wording(language)
    for number in (0, 7, 999, 1_000, 12_345, 4_294_967_295):
        assert wording.number(number) == format_decimal(number, locale=language)
    for figure in ("0.5", "7.25"):
        assert wording.decimal(Decimal(figure)) == format_decimal(Decimal(figure), locale=language)


@pytest.mark.parametrize("language", INTERFACE)
def test_plural_categories_are_those_of_babel(language: str) -> None:
    rule = Locale.parse(language).plural_form
    for count in (*range(201), 1_000, 1_003, 1_011, 1_000_000, 2_000_000, 2_000_001):
        assert plural_category(language, count) == rule(count), count


def test_the_forms_of_arabic_are_used() -> None:
    said = [in_language("ar").say("results.reports", count=count) for count in (1, 2, 3, 11, 100)]
    assert len({re.sub("[0-9]+", "", text) for text in said}) == 5


def test_every_text_is_used() -> None:
    """By its key, or by what its key begins with where code completes it."""
    sources = [
        path.read_text("utf-8")
        for folder in ("client", "server", "templates")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in (".py", ".js", ".html")
    ]
    code = "\n".join(sources)
    # Whole numbers have texts of their own.
    for key in {key.removesuffix(".whole") for key in forms("en")}:
        stems = [key, *(key[: at + 1] for at, sign in enumerate(key) if sign == ".")]
        assert any(re.search(rf"""["'`]{re.escape(stem)}["'`${{]""", code) for stem in stems), key
