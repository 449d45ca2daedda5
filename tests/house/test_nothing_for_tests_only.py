"""Everything is reachable by users: what only tests call is deleted, or gets a road.

Names are followed, not types: a method counts as called if code that runs mentions its name.
"""

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import candor
from tests.support.process import ROOT

PACKAGES = ("client", "estimators", "server")
# Scripts for the readers of an export: they call functions, and are run by themselves.
SCRIPTS = ROOT / "estimators" / "export" / "scripts"
# Decorators that do not register a function anywhere.
PLAIN = set(
    "abstractmethod cache cached_property classmethod contextmanager dataclass lru_cache "
    "overload property setter staticmethod".split()
)
# Bases that call none of their subclasses' public methods.
QUIET = set("ABC Exception Generic NamedTuple Protocol TypedDict ValueError".split())
EXCEPTIONS = {
    "VIEWS": "importing the views registers them",
}
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Definition:
    """A name that is defined, and the names that its own code mentions."""

    place: str
    name: str
    mentions: frozenset[str]
    is_reached: bool


def sources() -> dict[str, str]:
    paths = [ROOT / "candor.py", *(p for name in PACKAGES for p in (ROOT / name).rglob("*.py"))]
    own = (path for path in paths if not path.is_relative_to(ROOT / "server" / "examples"))
    return {str(path.relative_to(ROOT)): path.read_text() for path in own}


def mentions(*nodes: ast.AST | None) -> frozenset[str]:
    found = set()
    for node in (inner for outer in nodes if outer for inner in ast.walk(outer)):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            found.add(node.id)
        elif isinstance(node, ast.Attribute):
            found.add(node.attr)
        elif isinstance(node, ast.alias) and node.asname:
            found.add(node.name)
    return frozenset(found)


def called(node: ast.expr) -> str:
    """Return the last part of a decorator's or a base's name."""
    while isinstance(node, ast.Call | ast.Subscript):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def is_outside(base: ast.expr, own: set[str]) -> bool:
    """Return whether a base, such as `click.Group`, may call what a subclass defines."""
    return isinstance(base, ast.Attribute) or called(base) not in own | QUIET


def definitions(place: str, body: Iterable[ast.stmt], own: set[str]) -> Iterator[Definition]:
    """Yield what a module or a class defines; other statements run, so they are reached."""
    for node in body:
        if isinstance(node, Function | ast.ClassDef):
            used = mentions(*node.decorator_list)
            reached = any(called(decorator) not in PLAIN for decorator in node.decorator_list)
            if isinstance(node, ast.ClassDef):
                used |= mentions(*node.bases, *node.keywords)
                outside = [base for base in node.bases if is_outside(base, own)]
                public = node.name in candor.__all__
                for inner in definitions(f"{place}:{node.name}", node.body, own):
                    # A base from elsewhere may call it, and so may whoever imports `candor`.
                    open_to_all = bool(outside) or (public and not inner.name.startswith("_"))
                    dunder = inner.name.startswith("__")
                    yield Definition(
                        inner.place,
                        inner.name,
                        inner.mentions,
                        inner.is_reached or open_to_all or dunder,
                    )
            else:
                used |= mentions(node.args, node.returns, *node.body)
                reached |= node.name.startswith("__")
            yield Definition(f"{place}:{node.name}", node.name, used, reached)
        elif isinstance(node, ast.If | ast.Try):
            yield from definitions(place, node.body, own)
        elif name := constant(node):
            is_field = ":" in place
            yield Definition(f"{place}:{name}", name, mentions(node), is_field)
        else:
            yield Definition(place, "", mentions(node), True)


def constant(node: ast.stmt) -> str:
    """Return the name that a statement assigns to; nothing if it does something else."""
    match node:
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            return name
    return ""


def only_for_tests(files: dict[str, str], exceptions: Iterable[str] = EXCEPTIONS) -> list[str]:
    """Return the definitions that no road leads to."""
    trees = {place: ast.parse(text) for place, text in files.items()}
    own = {
        node.name
        for tree in trees.values()
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
    }
    waiting, reached = [], {*candor.__all__, *exceptions, *in_templates()}
    for place, tree in trees.items():
        if (ROOT / place).is_relative_to(SCRIPTS):
            reached |= mentions(tree)
        else:
            waiting += list(definitions(place, tree.body, own))
    while found := {one for one in waiting if one.is_reached or one.name in reached}:
        reached = reached.union(*(one.mentions for one in found))
        waiting = [one for one in waiting if one not in found]
    return sorted(one.place for one in waiting)


def in_templates() -> set[str]:
    texts = (path.read_text() for path in Path(ROOT / "templates").rglob("*.html"))
    inside = (code for text in texts for code in re.findall(r"\{[{%].*?[%}]\}", text, re.DOTALL))
    return {word for code in inside for word in re.findall(r"[A-Za-z_]\w*", code)}


def test_users_reach_every_function_class_method_and_constant() -> None:
    assert only_for_tests(sources()) == []


def test_every_exception_is_still_needed() -> None:
    unreached = only_for_tests(sources(), exceptions=())
    assert {place.rpartition(":")[2] for place in unreached} == set(EXCEPTIONS)


def test_what_nothing_calls_is_found_with_what_only_it_calls() -> None:
    extra = """
LIMIT_OF_NOBODY = 3

def nobody_calls_this():
    return only_it_calls_this() + LIMIT_OF_NOBODY

def only_it_calls_this():
    return only_it_calls_this()

class Unused_by_all:
    @property
    def never_read(self): ...
"""
    found = only_for_tests({**sources(), "client/extra.py": extra})
    assert found == [
        "client/extra.py:LIMIT_OF_NOBODY",
        "client/extra.py:Unused_by_all",
        "client/extra.py:Unused_by_all:never_read",
        "client/extra.py:nobody_calls_this",
        "client/extra.py:only_it_calls_this",
    ]
