"""A witness of a service's log: fetches a checkpoint, makes sure that it continues the one it kept, signs it, and keeps it."""

from __future__ import annotations

import re
import secrets
import time
from pathlib import Path
from typing import NamedTuple

from tafelrunde.client import ApiError, Client

from ..service.errors import StartupRefused
from ..service.features.transparency.checks import check_consistency
from ..service.signing.judge import Ruling, judge
from ..service.signing.notes import BadNote, Kind, Note, PrivateKey, PublicKey, is_signed, read_note, read_public
from ..service.signing.statements import TreeHead, read_statement
from .hand_overs import find_successors
from .remote import read_hashes

KEY, NAME = "witness.key", "witness.name"


class Contradicted(Exception):
    """The service contradicts what the witness kept; the text says how, and which files prove it."""


class Seen(NamedTuple):
    """A checkpoint as signed by the service, what it says, and the key that signed it."""

    note: Note
    head: TreeHead
    key: PublicKey


class RunOutcome(NamedTuple):
    """What a run has done: the sizes before (None: the first time) and now, and why the service did not take the signature."""

    before: int | None
    size: int
    refused: str


class Witness:
    """The key of a witness and what it has kept of each log, in a folder that no other user can read."""

    def __init__(self, folder: Path, name: str | None) -> None:
        self._folder = folder
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not (folder / KEY).exists():
            (folder / KEY).touch(0o600)
            (folder / KEY).write_text(secrets.token_hex(32))
            (folder / NAME).write_text(name or f"tafelrunde-witness/{secrets.token_hex(4)}")
        try:
            seed = bytes.fromhex((folder / KEY).read_text())
            own = (folder / NAME).read_text().strip()
            self._key = PrivateKey(own, seed, Kind.COSIGNATURE)
        except (ValueError, OSError) as error:
            raise StartupRefused(f"{folder} has no usable key of a witness: {error}.") from None
        if name not in {None, own}:
            raise StartupRefused(f"The witness in {folder} is called {own}: another name needs another folder.")

    @property
    def public(self) -> PublicKey:
        """The public key of the witness."""
        return self._key.public

    def run(self, client: Client, trusted: str | None, now: int | None = None) -> RunOutcome:
        """Look once. Raises Contradicted, StartupRefused, and what the client raises.

        *trusted* is the public key of the service; without it the first one that it shows is believed, and kept.
        """
        kept = self._load_kept(client, trusted)
        seen = self._fetch_seen(client, kept, trusted)
        if kept is not None:
            self._require_continuing(client, kept, seen)
        line = self._key.cosign(seen.note.text, int(time.time()) if now is None else now).line
        self._keep(seen, f"{seen.note}{line}\n")
        refused = ""
        try:
            client.add_cosignature(self.public.text, f"{seen.note}{line}\n")
        except ApiError as error:
            refused = error.problem.title
        return RunOutcome(kept.head.size if kept is not None else None, seen.head.size, refused)

    # What is kept

    def _file(self, origin: str, what: str) -> Path:
        return self._folder / f"{re.sub('[^A-Za-z0-9.-]', '_', origin)}.{what}"

    def _load_kept(self, client: Client, trusted: str | None) -> Seen | None:
        """Return what was kept of this service's log, if anything was."""
        origin = read_key(trusted).name if trusted is not None else client.signing_keys().origin
        file = self._file(origin, "note")
        if not file.exists():
            return None
        return _read(file.read_text(), read_key(self._file(origin, "key").read_text()))

    def _keep(self, seen: Seen, text: str) -> None:
        for what, content in (("key", seen.key.text), ("note", text)):
            file = self._file(seen.head.origin, what)
            fresh = file.with_name(f"{file.name}.new")
            fresh.write_text(content)
            fresh.replace(file)

    # What is checked

    def _fetch_seen(self, client: Client, kept: Seen | None, trusted: str | None) -> Seen:
        """Return the newest checkpoint, signed by the key that is trusted, or by one that it has handed over to."""
        key = kept.key if kept is not None else read_key(trusted or client.signing_keys().keys[0])
        text = client.signed_checkpoint().decode()
        note = read_note(text)
        if is_signed(note, key):
            return _read(text, key)
        head = read_statement(note.text)
        for successor in find_successors(client, key, head) if isinstance(head, TreeHead) else ():
            if is_signed(note, successor):
                return _read(text, successor)
        raise Contradicted(f"The checkpoint is not signed by {key.text}, nor by a key that it has handed over to.")

    def _require_continuing(self, client: Client, kept: Seen, seen: Seen) -> None:
        earlier, later = kept.head, seen.head
        if (earlier.size == later.size and earlier.root == later.root) or earlier.size == 0:
            return
        if earlier.size > later.size:
            raise Contradicted(
                f"The log has shrunk from {earlier.size} leaves to {later.size}. {self._save_evidence(kept, seen)}"
            )
        if earlier.size < later.size:
            path = [bytes.fromhex(each) for each in client.log_consistency(earlier.size, later.size).path]
            if check_consistency(earlier.size, earlier.root, later.size, later.root, path):
                return
        hashes = [*map(bytes.fromhex, read_hashes(client, 0, later.size))]
        judgement = judge(earlier, later, hashes)
        if judgement.ruling is Ruling.AGREEMENT:
            return
        raise Contradicted(f"{judgement.why[:1].upper()}{judgement.why[1:]}. {self._save_evidence(kept, seen, hashes)}")

    def _save_evidence(self, kept: Seen, seen: Seen, leaves: list[bytes] | None = None) -> str:
        """Keep what proves it, for everyone; return where."""
        stem = f"{kept.head.size}-{seen.head.size}"
        files = {
            self._file(kept.head.origin, f"{stem}.kept"): str(kept.note),
            self._file(kept.head.origin, f"{stem}.found"): str(seen.note),
            self._file(kept.head.origin, f"{stem}.leaves"): "".join(f"{each.hex()}\n" for each in leaves or ()),
        }
        for file, content in files.items():
            file.write_text(content)
        one, other, hashes = map(str, files)
        return f"Publish {one} and {other}; `tafelrunde judge` reads them, with --leaves {hashes}."


def read_key(text: str) -> PublicKey:
    """Return the public key of a service; raise StartupRefused."""
    try:
        return read_public(text)
    except BadNote as error:
        raise StartupRefused(f"{text}: {error}.") from error


def _read(text: str, key: PublicKey) -> Seen:
    note = read_note(text)
    head = read_statement(note.text)
    if not isinstance(head, TreeHead) or head.origin != key.name or not is_signed(note, key):
        raise Contradicted(f"This is no checkpoint that {key.text} has signed.")
    return Seen(note, head, key)
