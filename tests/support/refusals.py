"""The refusals in the source, read from its syntax, and the page about them in docs/.

`python -m tests.support.refusals` writes the page again.
"""

import ast
import string
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from client.core.primitives.refusal import sentences
from server.web.errors import STATUS
from tests.support.process import ROOT

PAGE = ROOT / "docs" / "refusals.md"
PACKAGES = ("client", "estimators", "server")
DEFINITION = ROOT / "client" / "core" / "primitives" / "refusal.py"
# The position of the key among the arguments.
KEY = {"Refusal": 0, "require": 1}


@dataclass(frozen=True)
class Site:
    """A place that refuses with `key`, and the values that it gives to the sentence."""

    where: str
    key: str
    values: frozenset[str]


def source_files() -> list[Path]:
    files = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]
    files.append(ROOT / "candor.py")
    return [path for path in files if path != DEFINITION]


@cache
def source_trees() -> dict[Path, ast.Module]:
    return {path: ast.parse(path.read_text()) for path in source_files()}


@cache
def sites() -> list[Site]:
    """Return every place that refuses, including those whose callers pass the key."""
    calls = {path: list(_calls(tree)) for path, tree in source_trees().items()}
    found: list[Site] = []
    left_to_callers: dict[str, list[frozenset[str]]] = defaultdict(list)
    for path, made in calls.items():
        for function, call in made:
            if _name(call) in KEY:
                key, values = call.args[KEY[_name(call)]], _values(call)
                if isinstance(key, ast.Name | ast.Attribute) and function:
                    left_to_callers[function].append(values)
                else:
                    found += [Site(_where(path, call), each, values) for each in _keys(key)]
    for path, made in calls.items():
        for _, call in made:
            given = [word.value for word in call.keywords if word.arg == "key"]
            for values in left_to_callers.get(_name(call), ()):
                assert given, f"{_where(path, call)} must say key="
                found += [Site(_where(path, call), each, values) for each in _keys(given[0])]
    return found


def variants() -> dict[str, str]:
    """Return sentences in the words of a form, and the keys that they are for."""
    return {key: key.partition("@")[0] for key in sentences() if "@" in key}


def placeholders(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name is not None}


def page() -> str:
    """Return all codes with their sentences, as Markdown."""
    by_code: dict[str, list[str]] = defaultdict(list)
    for key, sentence in sentences().items():
        if key in variants():
            continue
        by_code[key.partition(".")[0]].append(sentence)
    rows = (
        f"| `{code}` | {STATUS.get(code, 400)} | {'<br>'.join(map(_escaped, said))} |\n"
        for code, said in by_code.items()
        if code != "*"
    )
    shared = (f"- {_escaped(sentence)}\n" for sentence in by_code["*"])
    return f"{_INTRODUCTION}{''.join(rows)}{_SHARED}{''.join(shared)}"


_INTRODUCTION = """\
# Refusals

What Candor says when it refuses something. Programs get the code, the sentence and the field from
`/api` (`{"error": {"code", "message", "field"}}`) with the HTTP status of this table; a command
prints the sentence in one line and ends with exit code 2. Words in braces stand for what was given,
`!r` for quotes around it.

The sentences are in `client/core/primitives/refusals.en.json`; `make refusals` writes this page.

| code | status | sentences |
|---|---|---|
"""
_SHARED = """
Some rules are for many fields, whose codes are `bad_` and the name of the field:

"""


def _escaped(sentence: str) -> str:
    return sentence.replace("|", "\\|").replace("<", "&lt;")


def _calls(tree: ast.AST, function: str = "") -> Iterator[tuple[str, ast.Call]]:
    """Yield every call with the function that contains it; a method counts as its class."""
    for node in ast.iter_child_nodes(tree):
        inner = function
        if isinstance(node, ast.ClassDef) or (isinstance(node, ast.FunctionDef) and not function):
            inner = node.name
        if isinstance(node, ast.Call):
            yield inner, node
        yield from _calls(node, inner)


def _name(call: ast.Call) -> str:
    return getattr(call.func, "id", "") or getattr(call.func, "attr", "")


def _where(path: Path, call: ast.Call) -> str:
    return f"{path.relative_to(ROOT)}:{call.lineno}"


def _keys(key: ast.expr) -> list[str]:
    """Return the keys that an expression can stand for; `*.rule` if any code may precede."""
    match key:
        case ast.Constant(value=str(text)):
            return [text]
        case ast.IfExp(body=body, orelse=orelse):
            return [*_keys(body), *_keys(orelse)]
        case ast.JoinedStr(values=[*_, ast.Constant(value=str(text))]) if text.startswith("."):
            return [f"*{text}"]
    raise AssertionError(f"line {key.lineno}: cannot tell the key {ast.unparse(key)}")


def _values(call: ast.Call) -> frozenset[str]:
    given = {word.arg for word in call.keywords if word.arg is not None}
    path = call.args[KEY[_name(call)] + 1 :]
    return frozenset(given | {"field"} if path else given)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
