"""The office: researchers, their roles and keys, and the surveys that they are still writing."""

from server.store.database import StoreFile
from server.store.researchers import access, accounts, api_keys, manuscripts
from server.surveys.audit import OPERATOR, AuditContext
from server.surveys.records import Published
from server.surveys.researchers import ApiKey, Manuscript, Membership, Researcher, Role, Scope
from server.surveys.schedule import Clock, utc_now


class Office:
    """A desk beside the ballot box, in the same database file."""

    def __init__(self, file: StoreFile, clock: Clock = utc_now) -> None:
        self._file = file
        self._clock = clock

    @property
    def now(self) -> str:
        return self._clock()

    # Researchers

    def add_researcher(self, name: str, password_hash: str, actor: str = OPERATOR) -> Researcher:
        return self._file.write(
            lambda db: accounts.add(db, name, password_hash, AuditContext(self.now, actor))
        )

    def change_password(self, name: str, password_hash: str, actor: str = OPERATOR) -> None:
        """Every session of the researcher is over."""
        self._file.write(
            lambda db: accounts.change_password(
                db, name, password_hash, AuditContext(self.now, actor)
            )
        )

    def set_active(self, name: str, active: bool, actor: str = OPERATOR) -> None:
        """Who is disabled can do nothing, neither by password nor with a key."""
        self._file.write(
            lambda db: accounts.set_active(db, name, active, AuditContext(self.now, actor))
        )

    def end_sessions(self, researcher: Researcher) -> None:
        self._file.write(lambda db: accounts.end_sessions(db, researcher))

    def everybody(self) -> list[Researcher]:
        return accounts.everybody(self._file.reader)

    def researcher(self, name: str) -> Researcher:
        return accounts.named(self._file.reader, name)

    def password_hash(self, name: str) -> str | None:
        """Of somebody who may log in."""
        return accounts.password_hash(self._file.reader, name)

    def with_stamp(self, stamp: str) -> Researcher | None:
        """Whose session quotes this stamp."""
        return accounts.with_stamp(self._file.reader, stamp)

    # Roles

    def give_role(self, slug: str, name: str, role: Role, actor: str = OPERATOR) -> None:
        self._file.write(
            lambda db: access.give_role(db, slug, name, role, AuditContext(self.now, actor))
        )

    def take_role(self, slug: str, name: str, actor: str = OPERATOR) -> None:
        self._file.write(lambda db: access.take_role(db, slug, name, AuditContext(self.now, actor)))

    def role_of(self, researcher: Researcher, slug: str) -> Role | None:
        return access.role_of(self._file.reader, researcher, slug)

    def require_role(self, researcher: Researcher, slug: str, needed: Role) -> Role:
        """Refuse a researcher without the role. Who has no part in a survey does not hear of it."""
        return access.require_role(self.role_of(researcher, slug), needed, slug)

    def require_part(self, researcher: Researcher, slug: str, needed: Role) -> None:
        """The same of a slug that is published, with a word that helps whoever did not know."""
        access.require_part(self._file.reader, researcher, slug, needed)

    def memberships(self, researcher: Researcher) -> list[Membership]:
        """The surveys that a researcher has a part in."""
        return access.memberships(self._file.reader, researcher)

    def surveys(self, researcher: Researcher) -> list[tuple[Published, Role]]:
        """The newest version of each of them, with the researcher's role."""
        return access.surveys(self._file.reader, researcher, self.now)

    def people(self, slug: str) -> list[Membership]:
        """Everybody who has a part in a survey."""
        return access.people(self._file.reader, slug)

    # Keys

    def make_key(self, researcher: Researcher, label: str, scope: Scope) -> tuple[ApiKey, str]:
        """A new key and its text, which nobody can read again."""
        return self._file.write(
            lambda db: api_keys.make(
                db, researcher, label, scope, AuditContext(self.now, researcher.name)
            )
        )

    def revoke_key(self, researcher: Researcher, id: int) -> None:
        self._file.write(
            lambda db: api_keys.revoke(db, researcher, id, AuditContext(self.now, researcher.name))
        )

    def keys(self, researcher: Researcher) -> list[ApiKey]:
        """The newest first, revoked ones too."""
        return api_keys.of(self._file.reader, researcher)

    def holder(self, key: str) -> tuple[Researcher, Scope] | None:
        """Whose key this is and what it is good for, if it is good for anything."""
        return api_keys.holder(self._file.reader, key)

    # Manuscripts

    def begin_manuscript(
        self, researcher: Researcher, content: str, slug: str | None = None
    ) -> Manuscript:
        """A new one; with a slug, for the next version of a survey that the researcher edits."""
        return self._file.write(
            lambda db: manuscripts.begin(db, researcher, content, slug, self.now)
        )

    def save_manuscript(
        self,
        researcher: Researcher,
        id: str,
        content: str,
        revision: int,
        respondents: int | None = None,
    ) -> Manuscript:
        """Replace the content that `revision` had; refused if it was changed since."""
        return self._file.write(
            lambda db: manuscripts.save(
                db, researcher, id, content, revision, respondents, self.now
            )
        )

    def discard_manuscript(self, researcher: Researcher, id: str) -> None:
        self._file.write(lambda db: manuscripts.discard(db, researcher, id))

    def manuscript(self, researcher: Researcher, id: str) -> Manuscript:
        return access.manuscript(self._file.reader, researcher, id)

    def manuscripts(self, researcher: Researcher) -> list[Manuscript]:
        """All that a researcher may read, the latest first."""
        return access.manuscripts(self._file.reader, researcher)
