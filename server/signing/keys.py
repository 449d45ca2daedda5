"""The private keys of a data folder: a file each, so that no copy of the database can sign.

A file is named by the hash of its key and is deleted as soon as no more tickets are given.
"""

import json
import os
import re
from collections.abc import Collection, Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from threading import BoundedSemaphore, Lock

from client.core.primitives import canonical
from client.core.primitives.refusal import Refusal, require
from server.signing.private_key import PrivateKey

# A signature takes the processor for about 10 ms, so the others wait.
_AT_ONCE = 2
_MOST_BYTES = 2000
_PRIME = re.compile(r"[0-9a-f]{256}")
_NAME = re.compile(r"[0-9a-f]{64}\.json")
# Something to sign when a key is checked.
_TEST = 2**2000 + 1


class SigningKeys:
    """The keys in one folder, by the moduli that stand in documents."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._known: dict[str, PrivateKey] = {}
        self._lock = Lock()
        self._places = BoundedSemaphore(_AT_ONCE)

    def make(self) -> str:
        """Make a key, and return what stands in the document once it is on the disk."""
        return self.keep(PrivateKey.new())

    def keep(self, key: PrivateKey) -> str:
        """Write a key into its file; return what stands in the document."""
        self._write(f"{_stem(key.public)}.json", _text_of(key))
        return key.public

    def has(self, public: str) -> bool:
        return self._path(public).exists()

    def check(self, public: str) -> None:
        """Raise unless the file of a key is there, is sound, and signs."""
        require(self.has(public), "ticket_key_missing.file", "data", path=self._path(public))
        try:
            self._read(public).sign(_TEST)
        except ValueError:
            raise Refusal("bad_ticket_key_file", "data", path=self._path(public)) from None

    def sign(self, public: str, blinded: str) -> str:
        """Sign what `check_blinded` accepted. Two sign at once, and the others wait their turn."""
        with self._places:
            return f"{self._key(public).sign(int(blinded, 16)):0512x}"

    def delete(self, *publics: str) -> None:
        """Delete keys, as far as they are there: nobody can make a ticket from now on."""
        with self._lock:
            for public in publics:
                self._known.pop(public, None)
                self._path(public).unlink(missing_ok=True)
            self._sync()

    def read_all(self) -> dict[str, str]:
        """Return all files by their names, for a backup."""
        return {path.name: path.read_text("ascii") for path in sorted(self._folder.glob("*.json"))}

    def put_back(self, files: Mapping[str, str], publics: Collection[str]) -> None:
        """Store these keys from the files of a backup; raise if any file is none of ours."""
        for name, text in files.items():
            fits = _NAME.fullmatch(name) and _stem(_parsed(text, name).public) == name[:64]
            require(bool(fits), "bad_ticket_key_file", "data", path=name)
        wanted = {self._path(public).name for public in publics}
        for name in wanted & files.keys():
            self._write(name, files[name])

    def _key(self, public: str) -> PrivateKey:
        with self._lock:
            if public not in self._known:
                try:
                    self._known[public] = self._read(public)
                except (OSError, Refusal):
                    # Whoever asks for a ticket hears neither why nor where the file is.
                    raise Refusal("ticket_key_missing") from None
            return self._known[public]

    def _read(self, public: str) -> PrivateKey:
        path = self._path(public)
        key = _parsed(path.read_bytes().decode("ascii", "replace"), path)
        require(key.public == public, "bad_ticket_key_file", "data", path=path)
        return key

    def _path(self, public: str) -> Path:
        return self._folder / f"{_stem(public)}.json"

    def _write(self, name: str, text: str) -> None:
        """Write a file completely or not at all, before its key stands in any document."""
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft = self._folder / f"{name}.new"
        draft.unlink(missing_ok=True)
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(self._folder / name)
        self._sync()

    def _sync(self) -> None:
        """Have the disk know which files there are."""
        if not self._folder.exists():
            return
        handle = os.open(self._folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _stem(public: str) -> str:
    return sha256(bytes.fromhex(public)).hexdigest()


def _text_of(key: PrivateKey) -> str:
    return json.dumps({"p": f"{key.p:x}", "q": f"{key.q:x}"})


def _parsed(text: str, path: object) -> PrivateKey:
    """Read a file; whether it is the right key is known by its name."""
    with suppress(Refusal):
        value = canonical.parse(text.encode(), _MOST_BYTES, "key")
        primes = canonical.exact_keys(value, frozenset("pq"), "key")
        if all(isinstance(prime, str) and _PRIME.fullmatch(prime) for prime in primes.values()):
            return PrivateKey(int(primes["p"], 16), int(primes["q"], 16))
    raise Refusal("bad_ticket_key_file", "data", path=path)
