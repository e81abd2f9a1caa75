"""The transparency log that kept checkpoints are compared with: that of a running service, or one that an export has saved."""

from __future__ import annotations

import time
from collections.abc import Collection, Generator, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, Protocol

from ..domain.match import MatchId
from ..service.errors import StartupRefused
from ..service.features.records.verdict import Finding
from ..service.features.transparency import tree
from ..service.features.transparency.checks import check_consistency, check_inclusion, hash_leaf, reference
from ..service.features.transparency.port import Leaf, LeafKind
from ..service.signing.notes import BadNote, Note, PublicKey, is_signed, read_note
from ..service.signing.statements import Origin, TreeHead, read_statement, text_of
from .log_ends import find_outcomes
from .records_folder import SavedLog
from .remote import BUSY, FAILED

if TYPE_CHECKING:
    from tafelrunde.client import Client
    from tafelrunde.client.shapes import Checkpoint, DayProof, LeafProof, OpeningProof

WHERE = "kept"
NOT_IN_LOG = "urn:tafelrunde:problem:not-in-log"


class Differs(Exception):
    """Something is not as it was kept."""

    def __init__(self, what: str, expected: object, found: object) -> None:
        super().__init__(what)
        self.finding = Finding(WHERE, what, str(expected), str(found))


class KnownLog(Protocol):
    """A log as it was when it was last seen; `time_ms` is when its newest leaf was added."""

    @property
    def time_ms(self) -> int:
        """When the newest leaf was added."""
        ...

    @property
    def now_ms(self) -> int:
        """What time it is for who asks a log that goes on; 0 for one that does not."""
        ...

    def continues(self, head: TreeHead) -> bool:
        """Return whether it could be compared with an earlier checkpoint; raise Differs if it does not continue that."""
        ...

    def first_missing(self, leaves: Sequence[Leaf]) -> Leaf | None:
        """Return the first of some leaves, all of one kind and match, that it does not have; raise Differs for another one."""
        ...

    def has_only(self, leaves: Sequence[Leaf]) -> bool:
        """Return whether its entries could be counted; raise Differs if they have more or fewer ends and corrections of a match.

        *leaves* are all that the log must have of that match.
        """
        ...

    def day_secret(self, day: Leaf) -> str | None:
        """Return the secret that the leaf of a day binds; None if no one is there to say it."""
        ...

    def signers(self, keys: Sequence[PublicKey], notes: Sequence[Note]) -> Signers:
        """Return who signs in the name of the deployment with the kept *keys*, as far as it takes for its *notes*.

        Raises Differs if the log itself is signed by someone else.
        """
        ...


class Signers(NamedTuple):
    """The keys that were kept and those that they have handed over to; `whole` if a log was asked: then there are no others."""

    keys: Sequence[PublicKey]
    whole: bool


def _require_root(size: int, kept: bytes, found: bytes) -> None:
    if kept != found:
        raise Differs(f"the root of the log of {size} leaves", kept.hex(), found.hex())


def _places(places: Sequence[int]) -> str:
    return f"leaves {', '.join(map(str, places))}" if places else "none"


def is_by(note: Note, keys: Sequence[PublicKey]) -> bool:
    """Return whether one of some keys has signed a note."""
    return any(is_signed(note, key) for key in keys)


def _signers_of(note: Note) -> str:
    return ", ".join(f"{each.name}+{each.id.hex()}" for each in note.signatures)


class SavedLeaves:
    """The leaves that an export has saved; *sizes* are those of the checkpoints that it will be compared with."""

    def __init__(self, saved: SavedLog, sizes: Collection[int]) -> None:
        self._leaves = {*saved.leaves}
        self._days = saved.days
        self._roots = tree.roots([bytes.fromhex(leaf) for leaf in saved.leaves], sizes)
        self.time_ms = saved.checkpoints[-1].time_ms if saved.checkpoints else 0
        self.now_ms = 0

    def continues(self, head: TreeHead) -> bool:
        """Return whether the log is long enough to be compared; raise Differs if its first leaves are others."""
        if (root := self._roots.get(head.size)) is None:
            return False
        _require_root(head.size, head.root, root)
        return True

    def first_missing(self, leaves: Sequence[Leaf]) -> Leaf | None:
        """Return the first of some leaves that it does not have."""
        return next((leaf for leaf in leaves if hash_leaf(leaf).hex() not in self._leaves), None)

    def has_only(self, leaves: Sequence[Leaf]) -> bool:
        """Return False: hashes of leaves do not show which match they are of."""
        return False

    def day_secret(self, day: Leaf) -> str | None:
        """Return the secret of a day, if the export has saved it."""
        return self._days.get(day.lines[0])

    def signers(self, keys: Sequence[PublicKey], notes: Sequence[Note]) -> Signers:
        """Return the keys that were kept: hashes of leaves do not show to whom they have handed over."""
        return Signers(keys, whole=False)


class ServedLog:
    """The log of a running service, asked by a client of it. What the service refuses to prove is not so.

    Every method raises StartupRefused if the service cannot say, and Unreachable for no answer.
    """

    def __init__(self, service: str, client: Client) -> None:
        self._service = service
        self._client = client

    @cached_property
    def _newest(self) -> Checkpoint:
        with self._asking("the newest checkpoint"):
            return self._client.checkpoint()

    @property
    def time_ms(self) -> int:
        """When the newest leaf was added."""
        return self._newest.time_ms

    @property
    def now_ms(self) -> int:
        """What time it is by this machine's clock."""
        return time.time_ns() // 1_000_000

    @property
    def _size(self) -> int:
        return self._newest.size

    @property
    def _root(self) -> bytes:
        return bytes.fromhex(self._newest.root)

    def signers(self, keys: Sequence[PublicKey], notes: Sequence[Note]) -> Signers:
        """Return the kept keys, and those that they have handed over to in this log, if a note or the log of now needs one.

        Raises Differs if none of them has signed the newest checkpoint.
        """
        if not keys:
            return Signers(keys, whole=True)
        note = self._require_signed(keys[0].name)
        if not all(is_by(each, keys) for each in (*notes, note)):
            keys = [*keys, *self._find_successors(keys[0], notes)]
        if not is_by(note, keys):
            raise Differs(
                "who signs the log", f"{keys[-1].text}, or a key that it has handed over to in the log", _signers_of(note)
            )
        return Signers(keys, whole=True)

    def _require_signed(self, origin: str) -> Note:
        """Return the newest checkpoint as it is signed; raise Differs if it is none of that origin, or says something else."""
        newest = self._newest
        try:
            note = read_note(newest.signed)
            head = read_statement(note.text)
        except BadNote as error:
            raise Differs("the newest checkpoint", "a signed note", error) from error
        if head != (expected := TreeHead(origin=Origin(origin), size=self._size, root=self._root)):
            raise Differs("the newest checkpoint", text_of(expected), note.text)
        return note

    def _find_successors(self, key: PublicKey, notes: Sequence[Note]) -> Sequence[PublicKey]:
        """Return the keys that a key has handed over to: since the first checkpoint among some notes, or at any time."""
        from .hand_overs import find_successors

        head = TreeHead(origin=Origin(key.name), size=self._size, root=self._root)
        sizes = [found.size for each in notes if isinstance(found := read_statement(each.text), TreeHead)]
        with self._asking("who signs the log"):
            since = [*find_successors(self._client, key, head, min(sizes, default=0))]
            return since or [*find_successors(self._client, key, head)]

    @contextmanager
    def _asking(self, what: str) -> Generator[None]:
        from tafelrunde.client import ApiError

        try:
            yield
        except ApiError as error:
            if error.problem.status == BUSY:
                raise StartupRefused(f"{self._service} is busy: try again later.") from error
            if error.problem.status >= FAILED:
                raise StartupRefused(f"{self._service} gives no answer about {what}: {error}. Nothing was decided.") from error
            raise Differs(what, "a proof by the service", error) from error

    def continues(self, head: TreeHead) -> bool:
        """Return True; raise Differs unless the service proves that its log continues an earlier one."""
        if head.size == self._size:
            _require_root(head.size, head.root, self._root)
            return True
        with self._asking(f"a log that continues that of {head.size} leaves"):
            found = self._client.log_consistency(head.size, self._size)
        _require_root(head.size, head.root, bytes.fromhex(found.earlier_root))
        path = [bytes.fromhex(each) for each in found.path]
        if not check_consistency(head.size, head.root, self._size, self._root, path):
            raise Differs(f"a log that continues that of {head.size} leaves", "a proof by the service", "one that does not hold")
        return True

    def first_missing(self, leaves: Sequence[Leaf]) -> Leaf | None:
        """Return the first of some leaves that the service does not prove; raise Differs for a proof of another leaf."""
        proofs = self._fetch_proofs(leaves[0])
        if len(proofs) > len(leaves):
            raise Differs("the leaves of the match in the log", len(leaves), len(proofs))
        for leaf, proof in zip(leaves, proofs, strict=False):
            path = [bytes.fromhex(each) for each in proof.path]
            if not check_inclusion(leaf, proof.index, path, self._size, self._root):
                raise Differs(f"leaf {proof.index} of the log", hash_leaf(leaf).hex(), "another leaf, or no path to the root")
        return leaves[len(proofs)] if len(proofs) < len(leaves) else None

    def has_only(self, leaves: Sequence[Leaf]) -> bool:
        """Return True; raise Differs unless its entries have the leaves that the service proves of the match, and no others."""
        match = leaves[0].match
        proved = [proof.index for proof in self._fetch_proofs(leaves[0])]
        with self._asking("the entries of the log"):
            found = [*find_outcomes(self._client, reference(match), self._find_opening(match), self._size)]
        if found != proved:
            raise Differs("the ends and corrections of the match among the entries of the log", _places(proved), _places(found))
        return True

    def _find_opening(self, match: MatchId) -> int:
        """Return the place of a match's opening in the log; 0 for a match from before there were any."""
        from tafelrunde.client import ApiError

        try:
            return self._client.opening_proof(match, self._size).index
        except ApiError as error:
            if error.problem.type == NOT_IN_LOG:
                return 0
            raise

    def day_secret(self, day: Leaf) -> str | None:
        """Return the secret of a day that is over, empty if the service has none."""
        with self._asking("the secret of the day"):
            return self._client.day_proof(day.lines[0]).secret or ""

    def _fetch_proofs(self, leaf: Leaf) -> Sequence[LeafProof | OpeningProof | DayProof]:
        """Return the proofs of all leaves of this kind that the log has of the match; none where it has none."""
        from tafelrunde.client import ApiError

        if self._size == 0:
            return ()
        with self._asking("the match in the log"):
            try:
                if leaf.kind is LeafKind.OPENING:
                    return (self._client.opening_proof(leaf.match, self._size),)
                if leaf.kind is LeafKind.DAY:
                    return (self._client.day_proof(leaf.lines[0], self._size),)
                return self._client.log_proofs(leaf.match, self._size).leaves
            except ApiError as error:
                if error.problem.type == NOT_IN_LOG:
                    return ()
                raise
