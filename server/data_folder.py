"""The data folder with the database, the keys and the lock; only its owner may read it."""

import fcntl
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from client.core.primitives.refusal import Refusal, require
from client.core.primitives.words import secure_hex

# Eight words of 32 bits: as long as the signatures made with them.
KEY_WORDS = 8
_KEY = re.compile(rf"[0-9a-f]{{{8 * KEY_WORDS}}}")
# Of a file with a key or an address; more of them is not read.
MOST_BYTES = 4096
_URL = re.compile(r"https?://[^\s\0-\x1f\x7f\ufffd]+")
KEYS = ("secret.key", "session.key", "operator.key", "log.key")


@dataclass(frozen=True)
class DataFolder:
    """The folder of one server. Keys are made at first use, with mode 600."""

    path: Path

    @property
    def database(self) -> Path:
        return self.path / "candor.db"

    @property
    def drafts(self) -> Path:
        """The database of tests, a separate file so that they never mix with real reports."""
        return self.path / "drafts.db"

    @property
    def ticket_keys(self) -> Path:
        """The folder of the private keys that sign the tickets of invited surveys."""
        return self.path / "ticket-keys"

    @property
    def test_keys(self) -> Path:
        """The same for tests."""
        return self.path / "test-keys"

    @property
    def secret(self) -> bytes:
        """The key that signs tickets of open surveys, and hides the codes of personal links."""
        return bytes.fromhex(self._key("secret.key"))

    @property
    def session_key(self) -> bytes:
        """The key that signs researchers' sessions and forms."""
        return bytes.fromhex(self._key("session.key"))

    @property
    def operator_key(self) -> str:
        """The key that proves to the running server that a command comes from its operator."""
        return self._key("operator.key")

    @property
    def log_key(self) -> bytes:
        """The key of the audit log: whoever has only the database cannot rewrite it."""
        return bytes.fromhex(self._key("log.key"))

    @property
    def keys(self) -> dict[str, str]:
        """All keys by the names of their files."""
        return {name: self._key(name) for name in KEYS}

    def put_keys(self, keys: Mapping[str, str]) -> None:
        """Store keys that were made earlier, before anything here makes others."""
        for name, key in keys.items():
            _write_once(self.path / name, key)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing in the folder but the lock, or no folder."""
        return not self.path.exists() or {path.name for path in self.path.iterdir()} <= {"lock"}

    def create(self) -> None:
        """Create the folder if it does not exist; raise if that is impossible."""
        try:
            self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise Refusal(
                "bad_data_folder", "data", path=self.path, reason=error.strerror
            ) from None

    def require_database(self, test: bool = False) -> Path:
        """Return the path of the database (or of the drafts'); raise if there is none yet."""
        path = self.drafts if test else self.database
        if not path.is_file():
            raise Refusal("no_database", "data", path=self.path)
        return path

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Be the only process that writes here, or raise. Killed processes release the lock too."""
        self.create()
        try:
            handle = os.open(self.path / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise Refusal(
                "bad_data_folder", "data", path=self.path, reason=error.strerror
            ) from None
        try:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                url = self.announced_url
                raise Refusal(
                    "data_folder_in_use.served" if url else "data_folder_in_use",
                    "data",
                    path=self.path,
                    url=url,
                ) from None
            # The process that wrote it is gone.
            self._url_file.unlink(missing_ok=True)
            yield
        finally:
            os.close(handle)

    @contextmanager
    def announced(self, url: str, public_url: str | None = None) -> Iterator[None]:
        """Tell other commands where the running server listens, and its public address."""
        public = (public_url or url).rstrip("/")
        self._url_file.write_text(f"{url}\n{public}")
        if public_url:
            # Stays, for links that are made while no server runs.
            self._last_url_file.write_text(public)
        else:
            self._last_url_file.unlink(missing_ok=True)
        try:
            yield
        finally:
            self._url_file.unlink(missing_ok=True)

    @property
    def announced_url(self) -> str | None:
        """The address at which the running server listens, if there is one."""
        return self._announcement[0]

    @property
    def public_url(self) -> str | None:
        """The address that people use: of the running server, or of the one that ran last."""
        _, public = self._announcement
        return public or _url(_noted(self._last_url_file))

    @property
    def _announcement(self) -> tuple[str | None, str | None]:
        url, _, public_url = _noted(self._url_file).partition("\n")
        return _url(url), _url(public_url)

    @property
    def _url_file(self) -> Path:
        return self.path / "server.url"

    @property
    def _last_url_file(self) -> Path:
        return self.path / "public.url"

    def _key(self, name: str) -> str:
        path = self.path / name
        if not path.exists():
            _write_once(path, new_key())
        try:
            key = _start_of(path)
        except OSError as error:
            raise Refusal(
                "bad_key_file.unreadable", "data", path=path, reason=error.strerror
            ) from None
        # A new key in its place would silently void all that the old one signed.
        require(_KEY.fullmatch(key) is not None, "bad_key_file", "data", path=path)
        return key


def new_key() -> str:
    """Return a key that nobody has."""
    return secure_hex(KEY_WORDS)


def _start_of(path: Path) -> str:
    """Read all of a small file; what is no text becomes a character that no key has."""
    with path.open("rb") as file:
        return file.read(MOST_BYTES).decode("utf-8", "replace")


def _noted(path: Path) -> str:
    """Return what is noted in a file; nothing if it is not there."""
    try:
        return _start_of(path)
    except OSError:
        return ""


def _url(text: str) -> str | None:
    """Return an address that was noted; None if a crash left something else."""
    return text if _URL.fullmatch(text) else None


def _write_once(path: Path, text: str) -> None:
    """Write a file completely or not at all: a key cut short by a crash would void every ticket."""
    draft = path.with_suffix(".new")
    draft.unlink(missing_ok=True)
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    draft.rename(path)
