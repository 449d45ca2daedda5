"""A data folder in a bad place or state gets a sentence, and nothing in it is lost."""

import os
import stat
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from client.core.primitives.refusal import Refusal
from server.cli import main
from server.data_folder import KEYS, DataFolder
from server.serving import running_services
from server.store.database import Database
from server.store.researchers import accounts


def run(*given: str) -> str:
    result = CliRunner().invoke(main, list(given))
    assert result.exit_code == 2, result.output
    assert "Traceback" not in result.output
    assert len(result.output.splitlines()) == 1
    return result.output


@pytest.mark.parametrize("command", [["serve"], ["researcher", "list"], ["log"], ["verify"]])
def test_a_folder_in_which_nothing_can_be_written_gets_a_sentence(command: list[str]) -> None:
    # Not even root can make a file there.
    assert "/proc/self" in run(*command, "--data", "/proc/self")


# Empty, short, no digits, long, with a line break, not UTF-8, UTF-16, zeros, and far too long.
DAMAGED = [
    *(b"", b"00ff", b"x" * 64, b"ab" * 33, b"ab" * 32 + b"\n", b"\xff\xfe\x80" * 20),
    *(("ab" * 32).encode("utf-16"), bytes(64), b"ab" * 2**20),
]


@pytest.mark.parametrize("content", DAMAGED, ids=range(len(DAMAGED)))
@pytest.mark.parametrize("name", KEYS)
def test_a_damaged_key_is_refused_and_not_replaced(
    folder: DataFolder, name: str, content: bytes
) -> None:
    with running_services(folder):
        pass
    key = folder.path / name
    key.write_bytes(content)
    for command in (["serve"], ["researcher", "list"], ["backup", str(folder.path / "copy.db")]):
        command = [*command, *(["--with-keys"] if "backup" in command else [])]
        said = run(*command, "--data", str(folder.path))
        assert f"{key} is damaged; put it back from a copy" in said
    assert key.read_bytes() == content
    assert not (folder.path / "copy.db").exists()


def test_a_key_that_cannot_be_read_is_refused(folder: DataFolder) -> None:
    with running_services(folder):
        pass
    key = folder.path / "secret.key"
    key.unlink()
    key.mkdir()
    assert f"{key} cannot be read" in run("serve", "--data", str(folder.path))


@pytest.mark.parametrize("content", [*DAMAGED, b"\n\n\n", b"http://a\0b"])
@pytest.mark.parametrize("name", ["server.url", "public.url"])
def test_a_damaged_note_of_an_address_is_no_address(
    folder: DataFolder, name: str, content: bytes
) -> None:
    """It stays behind after a crash, and says only where a server was."""
    with running_services(folder):
        pass
    (folder.path / name).write_bytes(content)
    assert (folder.announced_url, folder.public_url) == (None, None)


@pytest.mark.parametrize("content", [*DAMAGED, b"[" * 10_000, b'{"secret.key": 1}'])
def test_damaged_keys_of_a_backup_bring_nothing_back(tmp_path: Path, content: bytes) -> None:
    keys = tmp_path / "monday.keys"
    keys.write_bytes(content)
    place = tmp_path / "new"
    said = run("restore-backup", "monday.db", "--keys", str(keys), "--data", str(place))
    assert "keys" in said
    assert not place.exists()


def test_the_database_and_its_log_are_their_owners_alone_in_any_folder(tmp_path: Path) -> None:
    tmp_path.chmod(0o777)
    path = tmp_path / "candor.db"
    path.touch(mode=0o666)
    path.chmod(0o666)
    before = os.umask(0)
    try:
        with closing(Database(path, log_key=b"k")) as database:
            database.write(accounts.add, "ana", "hash")
            modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in tmp_path.iterdir()}
    finally:
        os.umask(before)
    assert modes == dict.fromkeys(("candor.db", "candor.db-wal", "candor.db-shm"), 0o600)


def test_damaged_tests_do_not_keep_the_surveys_down(folder: DataFolder) -> None:
    folder.create()
    damaged = b"this is no database " * 500
    folder.drafts.write_bytes(damaged)
    with running_services(folder) as services:
        assert services.drafts.reader.execute("SELECT count(*) FROM surveys").fetchone() == (0,)
    (aside,) = folder.path.glob("drafts-damaged-*.db")
    assert aside.read_bytes() == damaged
    # The real surveys are not set aside.
    folder.database.write_bytes(damaged)
    with pytest.raises(Refusal, match="cannot be used"), running_services(folder):
        pass
    assert folder.database.read_bytes() == damaged
