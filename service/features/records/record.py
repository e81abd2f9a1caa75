"""A finished match as a record that is complete in itself: all that is needed to verify it without its server.

A record is a sequence of JSON lines. The first describes the match, then comes one for each stored entry, one for each
committed deal, one with the secret and the result, and one with a sum over all. Whatever a line says besides an
entry's bytes follows from them, and `records.verify` checks that it does.
"""

from __future__ import annotations

import base64
import functools
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from typing import Union

import msgspec
from msgspec import UNSET, UnsetType

from ....domain.game import AnyGame, Event, Placing
from ....domain.match import MatchId, Status
from ....domain.match.state import Match
from ....domain.secrecy import known
from ...errors import CorruptHistory
from ...matches.codec import Codec, digest_of, plain_of
from ...matches.repository import Loaded
from ...ports.events import GENESIS, chain_over
from ...views.card_proofs import CardViewer, DealProofs

FORMAT = "tafelrunde.record.1"
ALL_DEALS = 1 << 31


class RecordHead(msgspec.Struct, frozen=True, kw_only=True, tag_field="line", tag="head"):
    """What the record is of. `rules` is the digest of the game's source; `schemas` has a JSON Schema of each event's kind.

    Each schema also says who may know the event (`x-known-by`). `lesson` is the number that the secret of a lesson is made of.
    """

    format: str
    match: MatchId
    game: str
    rules_version: int
    rules: str
    software: str
    seats: int
    options: Mapping[str, object]
    commitment: str
    entries: int
    schemas: Mapping[str, object]
    lesson: int | UnsetType = UNSET


class RecordEntry(msgspec.Struct, frozen=True, kw_only=True, tag_field="line", tag="entry"):
    """One stored entry: its bytes in base64, the chain after it, and what the bytes say."""

    version: int
    bytes: str
    chain: str
    time_ms: int
    actor: str
    command_id: str
    correlation_id: str
    event: Mapping[str, object]
    command: Mapping[str, object] | None
    digest: str | None


class RecordDeal(msgspec.Struct, frozen=True, kw_only=True, tag_field="line", tag="deal"):
    """A deal that was committed to: its root, and its cards in the order of the leaves, each with the seat that held it."""

    deal: int
    root: str
    cards: tuple[tuple[int, str], ...]


class RecordEnd(msgspec.Struct, frozen=True, kw_only=True, tag_field="line", tag="end"):
    """How the match ended, the secret that its dealing came from, and the seats' nonces."""

    status: Status
    secret: str
    nonces: tuple[str, ...]
    placings: tuple[Placing, ...] | None
    chain: str
    state: str


class RecordSum(msgspec.Struct, frozen=True, kw_only=True, tag_field="line", tag="sum"):
    """The sha256 over the bytes of all lines before: a copy that was damaged tells so at once."""

    sum: str


RecordLine = Union[RecordHead, RecordEntry, RecordDeal, RecordEnd, RecordSum]  # noqa: UP007 - msgspec takes it as a type at run time


class Recorder:
    """Writes the records of one service."""

    def __init__(self, codec: Codec) -> None:
        self._codec = codec

    def lines(self, match_id: MatchId, loaded: Loaded) -> Iterator[RecordLine]:
        """Yield the lines of a finished match. Cost: a few microseconds for each entry."""
        yield self.head(match_id, loaded)
        chain = GENESIS
        for number, entry in enumerate(loaded.entries[: loaded.version], start=1):
            chain = chain_over(chain, (entry,))
            yield self.entry(number, entry, chain)
        yield from self.rest(match_id, loaded)

    def head(self, match_id: MatchId, loaded: Loaded) -> RecordHead:
        """Return the line before the entries."""
        return _head(match_id, loaded.match, loaded.version, self._kinds(loaded.entries[: loaded.version]))

    def rest(self, match_id: MatchId, loaded: Loaded) -> Iterator[RecordLine]:
        """Yield the lines behind the entries."""
        yield from self._deals(match_id, loaded)
        yield end_of(loaded.match, loaded.chain)

    def _kinds(self, entries: Sequence[bytes]) -> set[type[Event]]:
        """Return the kinds of events that occur; those stored in an older shape have no kind any more."""
        decoded = (self._codec.decode(entry) for entry in entries)
        return {type(event) for envelope, event in decoded if not self._codec.old(envelope.event)}

    def entry(self, number: int, entry: bytes, chain: bytes) -> RecordEntry:
        """Return the line of one entry, all of it from the entry's bytes and the chain after it; raise CorruptHistory."""
        envelope, _ = self._codec.decode(entry)
        try:
            command = plain_of(envelope.command) if envelope.command else None
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise CorruptHistory(f"a command: {error}") from error
        return RecordEntry(
            version=number,
            bytes=base64.b64encode(entry).decode(),
            chain=chain.hex(),
            time_ms=envelope.time_ms,
            actor=envelope.actor,
            command_id=envelope.command_id,
            correlation_id=envelope.correlation_id,
            event=plain_of(envelope.event),
            command=command,
            digest=envelope.digest.hex() or None,
        )

    def _deals(self, match_id: MatchId, loaded: Loaded) -> Iterator[RecordDeal]:
        proofs = DealProofs(match_id, Match(loaded.match.games), loaded.entries)
        proofs.extend(loaded, self._codec)
        for each in proofs.page(CardViewer(None, loaded.version), 0, ALL_DEALS).items:
            cards = tuple((int(card.seat), card.card) for card in each.cards)
            yield RecordDeal(deal=each.deal, root=each.root, cards=cards)


def _head(match_id: MatchId, state: Match, entries: int, kinds: set[type[Event]]) -> RecordHead:
    facts = state.facts
    settings = state.settings
    return RecordHead(
        format=FORMAT,
        match=match_id,
        game=settings.game,
        rules_version=facts.rules_version,
        rules=rules_digest(state.game),
        software=software(),
        seats=settings.seats,
        options=settings.options,
        commitment=facts.commitment,
        entries=entries,
        schemas=dict(sorted((tag_of(kind), schema_of(kind)) for kind in kinds)),
        lesson=lesson_number(state),
    )


def lesson_number(state: Match) -> int | UnsetType:
    """Return the number that the secret of a lesson is made of; UNSET for other matches, and for editions of before."""
    lesson = state.game.lesson
    return UNSET if lesson is None or lesson.edition != state.lesson else lesson.chance


def tag_of(kind: type[Event]) -> str:
    """Return the tag of a kind of events."""
    return str(kind.__struct_config__.tag)


@functools.cache
def schema_of(kind: type[Event]) -> Mapping[str, object]:
    """Return the JSON Schema of a kind of events, with who may know what of it."""
    return {**msgspec.json.schema(kind), "x-known-by": known(kind)._asdict()}


def end_of(state: Match, chain: bytes) -> RecordEnd:
    """Return the last line of a finished match."""
    return RecordEnd(
        status=state.status,
        secret=state.facts.secret or "",
        nonces=tuple(chair.nonce for chair in state.chairs),
        placings=state.ended.placings if state.ended is not None else None,
        chain=chain.hex(),
        state=digest_of(state).hex(),
    )


def encode_lines(lines: Iterator[RecordLine]) -> Iterator[bytes]:
    """Yield lines as JSON, each with its line feed, and the sum over all of them as the last."""
    total = hashlib.sha256()
    for line in lines:
        content = msgspec.json.encode(line) + b"\n"
        total.update(content)
        yield content
    yield msgspec.json.encode(RecordSum(sum=total.hexdigest())) + b"\n"


@functools.cache
def rules_digest(game: AnyGame) -> str:
    """Return the sha256 over the source files of a game's rules, by name: it changes whenever the rules could have.

    Those are the modules at the top of its folder; its bots and its texts are in folders of their own.
    """
    package = type(game).__module__.rpartition(".")[0]
    sources = sorted((each.name, each.read_bytes()) for each in files(package).iterdir() if each.name.endswith(".py"))
    return hashlib.sha256(msgspec.msgpack.encode(sources)).hexdigest()


@functools.cache
def software() -> str:
    """Return the name and version of this software."""
    try:
        return f"tafelrunde {version('tafelrunde')}"
    except PackageNotFoundError:
        return "tafelrunde"
