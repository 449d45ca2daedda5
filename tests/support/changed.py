"""A function of ours with one line changed, wherever it is used: for planting a fault."""

import inspect
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FunctionType
from typing import Any


@contextmanager
def changed(function: Callable[..., Any], old: str, new: str) -> Iterator[None]:
    """Run with `new` instead of `old` in a function's source.

    The function itself stays, so everybody who has imported it gets the change.
    """
    target = inspect.unwrap(getattr(function, "__func__", function))
    assert isinstance(target, FunctionType)
    source = textwrap.dedent(inspect.getsource(target))
    assert source.count(old) == 1, f"{old!r} must stand once in {target.__qualname__}"
    own: dict[str, Any] = {}
    exec(
        compile(source.replace(old, new), f"<{target.__qualname__}, changed>", "exec"),
        dict(target.__globals__),
        own,
    )
    before = target.__code__
    target.__code__ = own[target.__name__].__code__
    try:
        yield
    finally:
        target.__code__ = before
