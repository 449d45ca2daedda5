"""What a published document may say, written a second time and without the product."""

import json
import re
from decimal import Decimal
from itertools import product
from typing import Any, NoReturn
from urllib.parse import urlsplit

from tests.torture.bad_input.oracles.question import (
    TEXTS,
    Answers,
    are_labels,
    check_question,
    is_integer,
    is_text,
    plain,
)

_KEYS = {"candor", "slug", "version", "title", "intro", "organizer", "delete_on"} | {
    *("ask_each_person", "access", "questions", "total_epsilon")
}
_PAGES = {"consent": 20_000, "closing": 20_000, "contact": 2000, "ethics_reference": 2000}
_OPTIONAL = {*_PAGES, "groups", "completion", "shuffle", "test", "language", "translations"} | {
    *("ticket_keys", "answer_from")
}
_LANGUAGE = "[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?"


def strict(data: bytes) -> Any:
    """Parse JSON without repeated keys, whose numbers are integers."""
    return json.loads(
        data.decode("utf-8"),
        object_pairs_hook=_each_once,
        parse_float=_no_number,
        parse_constant=_no_number,
    )


def check_document(data: bytes) -> None:
    """Fail unless these bytes are a sound document, in the one spelling that it has."""
    tree = strict(data)
    written = json.dumps(tree, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert written.encode() == data, "not the canonical spelling"
    assert _KEYS <= tree.keys() <= _KEYS | _OPTIONAL
    assert type(tree["candor"]) is int
    assert tree["candor"] == 3
    assert re.fullmatch("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?", tree["slug"])
    assert is_integer(tree["version"], 1, 10**6)
    assert re.fullmatch("([0-9]{4}-[01][0-9]-[0-3][0-9])?", tree["delete_on"])
    _check_texts(tree)
    assert all(tree[name] is True for name in ("test", "shuffle") if name in tree)
    _check_questions(tree)
    codes = _check_groups(tree["groups"], tree["questions"]) if "groups" in tree else []
    by_link = tree.get("groups", {}).get("by") == "link" and "test" not in tree
    _check_access(tree, codes if by_link else [""])
    if "completion" in tree:
        _check_completion(tree["completion"], codes)
    _check_translations(tree)


def _check_access(tree: dict[str, Any], with_key: list[str]) -> None:
    if tree["access"] == "open":
        assert not tree.keys() & {"ticket_keys", "answer_from"}
        return
    assert tree["access"] == "invited"
    keys = tree["ticket_keys"]
    assert sorted(keys) == sorted(with_key)
    assert all(re.fullmatch("[0-9a-f]{512}", key) for key in keys.values())
    assert all(int(key, 16).bit_length() == 2048 and int(key, 16) % 2 for key in keys.values())
    assert len(set(keys.values())) == len(keys)
    day = tree.get("answer_from", "0000-01-01")
    assert re.fullmatch("[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])", day)
    assert not tree["delete_on"] or day < tree["delete_on"]


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    assert len({key for key, _ in pairs}) == len(pairs), "a key appears twice"
    return dict(pairs)


def _no_number(text: str) -> NoReturn:
    raise AssertionError(f"{text} is not an integer")


def _check_texts(tree: dict[str, Any]) -> None:
    assert is_text(tree["title"], empty=False)
    assert is_text(tree["intro"])
    assert is_text(tree["organizer"])
    for name, most in _PAGES.items():
        assert name not in tree or (tree[name] and is_text(tree[name], most=most))


def _check_questions(tree: dict[str, Any]) -> None:
    questions, asked = tree["questions"], tree["ask_each_person"]
    assert 1 <= len(questions) <= 100
    assert is_integer(asked, 0, len(questions) - 1)
    earlier: list[tuple[str, Answers]] = []
    for item in questions:
        answers = check_question(item, earlier, sampled=asked > 0)
        earlier.append((item["id"], answers))
    epsilons = sorted((plain(item["epsilon"]) for item in questions), reverse=True)
    total = sum(epsilons[: asked or len(questions)], Decimal(0))
    assert plain(tree["total_epsilon"]) == total <= 10


def _check_groups(groups: Any, questions: list[Any]) -> list[str]:
    """Fail unless the groups are sound; return their codes."""
    assert groups.keys() == {"by", "factors"}
    assert groups["by"] in ("link", "choice")
    assert 1 <= len(groups["factors"]) <= 4
    ids = [item["id"] for item in questions]
    assert "group" not in ids
    every = []
    for factor in groups["factors"]:
        assert factor.keys() == {"id", "prompt", "levels", "decline"}
        assert re.fullmatch("[a-z][a-z0-9_]{0,31}", factor["id"])
        assert factor["id"] not in [*ids, "group"]
        ids.append(factor["id"])
        assert is_text(factor["prompt"], empty=False)
        assert are_labels(factor["levels"], 2, 9)
        assert is_text(factor["decline"])
        assert bool(factor["decline"]) == (groups["by"] == "choice")
        every.append([*factor["levels"], *filter(None, [factor["decline"]])])
        assert are_labels(every[-1], 2, 10)
    names = [", ".join(levels) for levels in product(*every)]
    assert len(set(names)) == len(names) <= 50
    return ["-".join(map(str, code)) for code in product(*(range(len(each)) for each in every))]


def _check_completion(part: Any, codes: list[str]) -> None:
    assert part
    assert part.keys() <= {"code", "redirect", "pass_on", "by_group"}
    _check_way_back(part)
    by_group = part.get("by_group", {})
    assert by_group or "by_group" not in part
    for code, own in by_group.items():
        assert code in codes
        assert own
        assert own.keys() <= {"code", "redirect"}
        _check_way_back(own)
    names = part.get("pass_on", [])
    assert names or "pass_on" not in part
    assert len(set(names)) == len(names) <= 5
    assert all(re.fullmatch("[A-Za-z][A-Za-z0-9_-]{0,31}", name) for name in names)
    assert not names or any("redirect" in each for each in (part, *by_group.values()))


def _check_way_back(part: dict[str, Any]) -> None:
    if "code" in part:
        assert re.fullmatch("[A-Za-z0-9_-]{1,64}", part["code"])
    if "redirect" in part:
        link = part["redirect"]
        assert len(link) <= 500
        assert re.fullmatch("https://[!-~]+", link)
        assert not set(link) & set('#"<>\\^`{|}[]')
        assert urlsplit(link).username is None
        assert urlsplit(link).hostname


def _check_translations(tree: dict[str, Any]) -> None:
    own, others = tree.get("language", "en"), tree.get("translations", {})
    assert others or "translations" not in tree
    assert "language" not in tree or own != "en"
    assert all(re.fullmatch(_LANGUAGE, language) for language in (own, *others))
    assert own not in others
    assert len(others) < 30
    for texts in others.values():
        given = {"title", "intro", "organizer"} | (_PAGES.keys() & tree.keys())
        groups = {"groups"} if "groups" in tree else set()
        assert texts.keys() == given | {"questions"} | groups
        _check_texts(texts)
        assert all(bool(texts[name]) == bool(tree[name]) for name in given)
        _check_same(tree["questions"], texts["questions"])
        if groups:
            _check_same(tree["groups"]["factors"], texts["groups"])
            translated = [{**item, **texts["groups"][item["id"]]} for item in _factors(tree)]
            _check_groups({**tree["groups"], "factors": translated}, tree["questions"])


def _factors(tree: dict[str, Any]) -> list[dict[str, Any]]:
    return list(tree["groups"]["factors"])


def _check_same(parts: list[dict[str, Any]], texts: dict[str, Any]) -> None:
    """Fail unless every text is translated: lists as long as ours, empty texts still empty."""
    assert texts.keys() == {part["id"] for part in parts}
    for part in parts:
        own, other = _texts_of(part), texts[part["id"]]
        assert other.keys() == own.keys()
        for name, text in own.items():
            if isinstance(text, list):
                assert are_labels(other[name], len(text), len(text))
            else:
                assert is_text(other[name])
                assert bool(text) == bool(other[name])


def _texts_of(part: dict[str, Any]) -> dict[str, Any]:
    if "levels" in part:
        return {name: part[name] for name in ("prompt", "levels", "decline")}
    names = ("prompt", "decline", "not_applicable", *TEXTS[part["kind"]])
    optional = (name for name in ("heading", "hint") if name in part)
    return {name: part[name] for name in (*names, *optional)}
