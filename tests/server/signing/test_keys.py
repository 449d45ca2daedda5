"""Key files: found by their key, checked at the start, gone once they are deleted."""

import hashlib
import json
import stat
from pathlib import Path

import pytest

from client.core.primitives.refusal import Refusal
from server.signing.keys import SigningKeys
from server.signing.private_key import PrivateKey
from tests.support.ticket_keys import POOL

SOUND = {"p": f"{POOL[0].p:x}", "q": f"{POOL[0].q:x}"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "ticket-keys"


@pytest.fixture
def keys(folder: Path) -> SigningKeys:
    return SigningKeys(folder)


def code_of(caught: pytest.ExceptionInfo[Refusal]) -> str:
    return caught.value.code


def test_a_key_has_a_file_that_only_its_owner_reads_named_by_its_hash(
    keys: SigningKeys, folder: Path
) -> None:
    public = keys.make()
    (path,) = folder.iterdir()
    assert path.name == f"{hashlib.sha256(bytes.fromhex(public)).hexdigest()}.json"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    primes = json.loads(path.read_text())
    assert int(primes["p"], 16) * int(primes["q"], 16) == int(public, 16)
    assert keys.has(public)


def test_a_server_that_starts_again_signs_with_the_same_keys(
    keys: SigningKeys, folder: Path
) -> None:
    first, second = keys.make(), keys.make()
    assert first != second
    again = SigningKeys(folder)
    for public in (first, second):
        again.check(public)
        assert again.sign(public, f"{5:0512x}") == keys.sign(public, f"{5:0512x}")


def test_a_key_that_is_missing_is_asked_for_in_vain(keys: SigningKeys) -> None:
    with pytest.raises(Refusal) as caught:
        keys.sign(POOL[0].public, f"{5:0512x}")
    assert code_of(caught) == "ticket_key_missing"
    assert "path" not in caught.value.values
    with pytest.raises(Refusal) as caught:
        keys.check(POOL[0].public)
    assert code_of(caught) == "ticket_key_missing"


DAMAGED = {
    "empty": "",
    "no JSON": "p",
    "one prime": json.dumps({"p": SOUND["p"]}),
    "another key": json.dumps({"p": f"{POOL[1].p:x}", "q": f"{POOL[1].q:x}"}),
    "one as a number": json.dumps({"p": POOL[0].p, "q": SOUND["q"]}),
    "short": json.dumps({"p": SOUND["p"][1:], "q": SOUND["q"]}),
    "in capitals": json.dumps({"p": SOUND["p"].upper(), "q": SOUND["q"]}),
    "a comment": json.dumps({**SOUND, "note": "mine"}),
    "not ASCII": json.dumps({**SOUND, "ä": 1}, ensure_ascii=False),
}


@pytest.mark.parametrize("text", DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_file_is_noticed_at_the_start(text: str, keys: SigningKeys, folder: Path) -> None:
    keys.put_back({_name(): json.dumps(SOUND)}, [POOL[0].public])
    (folder / _name()).write_text(text)
    with pytest.raises(Refusal) as caught:
        keys.check(POOL[0].public)
    assert code_of(caught) == "bad_ticket_key_file"
    # A device tries again later, and hears nothing of the folder.
    with pytest.raises(Refusal) as caught:
        keys.sign(POOL[0].public, f"{5:0512x}")
    assert (code_of(caught), caught.value.values) == ("ticket_key_missing", {})
    with pytest.raises(Refusal) as caught:
        keys.put_back({_name(): text}, [])
    assert code_of(caught) == "bad_ticket_key_file"


def test_factors_that_are_no_primes_are_noticed_at_the_start(keys: SigningKeys) -> None:
    """Their product is the key, so only the test signature tells."""
    key = PrivateKey(POOL[0].p - 2, POOL[0].q - 2)
    name = f"{hashlib.sha256(bytes.fromhex(key.public)).hexdigest()}.json"
    keys.put_back({name: json.dumps({"p": f"{key.p:x}", "q": f"{key.q:x}"})}, [key.public])
    with pytest.raises(Refusal) as caught:
        keys.check(key.public)
    assert code_of(caught) == "bad_ticket_key_file"


def test_a_deleted_key_signs_no_more_and_leaves_no_file(keys: SigningKeys, folder: Path) -> None:
    gone, other = keys.make(), keys.make()
    keys.sign(gone, f"{5:0512x}")
    keys.delete(gone)
    keys.delete(gone)
    assert not keys.has(gone)
    assert len(list(folder.iterdir())) == 1
    with pytest.raises(Refusal) as caught:
        keys.sign(gone, f"{5:0512x}")
    assert code_of(caught) == "ticket_key_missing"
    assert keys.sign(other, f"{5:0512x}")


def test_deleting_where_nothing_was_ever_made_does_nothing(keys: SigningKeys) -> None:
    keys.delete(POOL[0].public)
    assert keys.read_all() == {}


def test_a_backup_holds_every_key_and_brings_them_back(keys: SigningKeys, tmp_path: Path) -> None:
    made = [keys.make(), keys.make()]
    restored = SigningKeys(tmp_path / "elsewhere")
    restored.put_back(keys.read_all(), made)
    assert restored.read_all() == keys.read_all()
    for public in made:
        restored.check(public)


@pytest.mark.parametrize("name", ["../key.json", "key.json", f"{'0' * 64}.json"])
def test_a_backup_writes_no_other_file(name: str, keys: SigningKeys, folder: Path) -> None:
    with pytest.raises(Refusal) as caught:
        keys.put_back({name: json.dumps(SOUND)}, [POOL[0].public])
    assert code_of(caught) == "bad_ticket_key_file"
    assert not folder.exists()


def _name() -> str:
    return f"{hashlib.sha256(bytes.fromhex(POOL[0].public)).hexdigest()}.json"
