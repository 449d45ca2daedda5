"""The data folder: where the database, the keys and the lock live. Only its owner may look in."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from client.core.primitives.refusal import Refusal
from client.core.primitives.words import secure_hex

# Eight words of 32 bits: as long as the hash that signs with them.
KEY_WORDS = 8


@dataclass(frozen=True)
class DataFolder:
    """A folder of one server. Keys are made at first use, with mode 600."""

    path: Path

    @property
    def database(self) -> Path:
        return self.path / "candor.db"

    @property
    def drafts(self) -> Path:
        """A file of their own, so that tests and real reports can never be confused."""
        return self.path / "drafts.db"

    @property
    def secret(self) -> bytes:
        """Signs tickets."""
        return bytes.fromhex(self._key("secret.key"))

    @property
    def session_key(self) -> bytes:
        """Signs the sessions of researchers and their forms."""
        return bytes.fromhex(self._key("session.key"))

    @property
    def operator_key(self) -> str:
        """Proves to the running server that a command comes from its operator."""
        return self._key("operator.key")

    def create(self) -> None:
        try:
            self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise Refusal(
                "bad_data_folder", "data", path=self.path, reason=error.strerror
            ) from None

    def require_database(self, test: bool = False) -> Path:
        """The database of a folder that has been used before, or that of its drafts."""
        path = self.drafts if test else self.database
        if not path.is_file():
            raise Refusal("no_database", "data", path=self.path)
        return path

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Be the one process that writes here. The system lets go even when a process is killed."""
        self.create()
        handle = os.open(self.path / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
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
            # Whoever wrote it is gone.
            self._url_file.unlink(missing_ok=True)
            yield
        finally:
            os.close(handle)

    @contextmanager
    def announced(self, url: str, public_url: str | None = None) -> Iterator[None]:
        """Tell other commands where the running server listens, and under which name."""
        self._url_file.write_text(f"{url}\n{(public_url or url).rstrip('/')}")
        try:
            yield
        finally:
            self._url_file.unlink(missing_ok=True)

    @property
    def announced_url(self) -> str | None:
        """Where the server that holds the lock listens, if one does."""
        return self._announcement[0]

    @property
    def public_url(self) -> str | None:
        """The address of that server for everybody else."""
        return self._announcement[1]

    @property
    def _announcement(self) -> tuple[str | None, str | None]:
        try:
            url, public_url = self._url_file.read_text().split("\n")
        except FileNotFoundError:
            return None, None
        return url, public_url

    @property
    def _url_file(self) -> Path:
        return self.path / "server.url"

    def _key(self, name: str) -> str:
        path = self.path / name
        if not path.exists():
            _write_once(path, secure_hex(KEY_WORDS))
        return path.read_text()


def _write_once(path: Path, text: str) -> None:
    """Complete or absent, never half: a key cut short by a crash would void every ticket."""
    draft = path.with_suffix(".new")
    draft.unlink(missing_ok=True)
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    draft.rename(path)
