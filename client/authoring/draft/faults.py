"""Collect faults with their paths, so that one pass over a draft finds all of them."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from client.core.primitives.refusal import Refusal, within

# Such as ("questions", 2, "options"); () is the whole draft. The path of a translated text ends
# with its language.
Path = tuple[str | int, ...]

# More than anybody fixes at once; beyond it, faults are only counted.
MAX_FAULTS = 100


class Faults:
    """The refusals collected so far."""

    def __init__(self) -> None:
        self.found: list[Refusal] = []
        self._count = 0

    def __len__(self) -> int:
        return self._count

    @contextmanager
    def noting(self, path: Path = (), name: str = "") -> Iterator[None]:
        """Collect a refusal raised inside, with its path, and continue."""
        try:
            if name:
                with within(*path, name=name):
                    yield
            else:
                yield
        except Refusal as refusal:
            self.add(refusal)

    def add(self, refusal: Refusal) -> None:
        self._count += 1
        if self._count <= MAX_FAULTS:
            self.found.append(refusal)

    def adopt(self, others: "Faults", language: str) -> None:
        """Add the faults of the texts in one language, which ends their paths."""
        for refusal in others.found:
            refusal.path = (*refusal.path, language)
            refusal.names = (language, *refusal.names)
            self.add(refusal)


def in_order(faults: Iterable[Refusal]) -> tuple[Refusal, ...]:
    """Sort faults as in the file, with those of the whole survey first."""
    return tuple(sorted(faults, key=lambda fault: question_of(fault.path)))


def question_of(path: Path) -> int:
    """Return the index of the question that a path leads into; -1 for the survey itself."""
    match path:
        case ("questions", int(index), *_):
            return index
    return -1


def field_of(path: Path) -> Path:
    """Return the path of the field, also if the fault is in one of its labels or languages."""
    match path:
        case ("questions", int(), *_):
            return path[:3]
        case ("groups", "factors", int(), *_):
            return path[:4]
        case ("groups", *_):
            return path[:2]
    return path[:1]


def path_text(path: Path) -> str:
    """Return a path as text, such as `questions[2].options`."""
    parts = (f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
    return "".join(parts).removeprefix(".")
