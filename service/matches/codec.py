"""Envelopes: how an event becomes bytes in a log, and how the bytes of a log are chained.

One entry is a msgpack array: time (ms), actor, command id, correlation id, event (a map with its tag under `type`), command
(first entry of a command only), and in the last entry of a command the state digest, or `COMPLETE` where the state was not
digested: see `is_digested`. The chain is sha256(chain before + entry), from 32 zero bytes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from typing import Union, cast

import msgspec
from msgspec import UNSET

from ...domain.game import AnyGame, Command, DecisionId, Event, GameId, Seat
from ...domain.match import PlayerId, Status
from ...domain.match.commands import BotPlay, MatchCommand, OpenMatch, PlainCommand, Play
from ...domain.match.events import MATCH_EVENTS
from ...domain.match.settings import MatchSettings, as_stored
from ...domain.match.state import Match
from ..errors import CorruptHistory

COMPLETE = b"\x00"
"""Stands in the place of a state digest: here a command is complete, and the state was not digested."""
DIGEST_EVERY = 16
"""In a running match, the state is digested once in this number of entries."""


class Envelope(msgspec.Struct, frozen=True, array_like=True):
    """One entry of a log. The last one of a command is `complete`; older logs have a state digest in each of these."""

    time_ms: int
    actor: str
    command_id: str
    correlation_id: str
    event: msgspec.Raw
    command: bytes = b""
    digest: bytes = b""

    @property
    def complete(self) -> bool:
        """Whether all that its command caused is in the log with this entry."""
        return bool(self.digest)


Upcaster = Callable[[Mapping[str, object]], Mapping[str, object]]
UPCASTERS: Mapping[str, Upcaster] = {}
"""By old tag: a pure function from a stored event's map to the map of its next version."""


def digest_of(match: Match) -> bytes:
    """Return the sha256 of a match's whole state."""
    return hashlib.sha256(_plain.encode(match.digest_form())).digest()


def is_digested(before: Match, after: Match, version: int, last: int) -> bool:
    """Return whether the state is digested after a command that led from *version* to *last*.

    It is unless the match was running before and still is: so at the start and at the end. In between, it is once in
    `DIGEST_EVERY` entries.
    """
    playing = before.status is after.status is Status.RUNNING
    return not playing or version // DIGEST_EVERY != last // DIGEST_EVERY


def plain_of(raw: bytes | msgspec.Raw) -> Mapping[str, object]:
    """Return an event or a command just as it is stored."""
    return msgspec.msgpack.decode(raw, type=dict[str, object])


OPENING = (
    *("game", "seats", "options", "host", "clock", "spectators", "visibility", "secret", "commitment"),
    *("seating", "start", "parent", "dealing", "rated", "hints", "branch", "edition", "lesson", "draws", "bot_chance", "daily"),
    "bot_code",
)
"""The fields of a stored opening command in their order, which never changes. Settings that are not named here come last."""
_StoredOpening = msgspec.defstruct(
    "_StoredOpening",
    [(name, object, UNSET) for name in dict.fromkeys((*OPENING, *MatchSettings.__struct_fields__))],
    tag_field="type",
    tag=OpenMatch.__struct_config__.tag,
)


def _flat(command: OpenMatch) -> msgspec.Struct:
    """Return an opening command as it is stored, with its settings among its other fields."""
    fields = msgspec.structs.asdict(command)
    del fields["settings"]
    return _StoredOpening(**fields, **as_stored(command.settings))


_plain = msgspec.msgpack.Encoder(order="deterministic")

LONG_MAP, LONG_HEADER, SHORT_MAP, SHORT_MOST = 0xDE, 3, 0x80, 15


def _shortest(encoded: bytes) -> bytes:
    """Return an encoded struct with the shortest header for its number of fields.

    The encoder gives a struct of more than 15 fields the long one, also where most are left out: a field that an event gets
    later would change the bytes of all that have not got it.
    """
    if encoded[0] != LONG_MAP or (fields := int.from_bytes(encoded[1:LONG_HEADER])) > SHORT_MOST:
        return encoded
    return bytes([SHORT_MAP | fields]) + encoded[LONG_HEADER:]


class Codec:
    """Encodes and decodes the entries of all registered games."""

    def __init__(self, games: Mapping[GameId, AnyGame]) -> None:
        events = [*MATCH_EVENTS, *(event for game in games.values() for event in game.event_types)]
        self._events: msgspec.msgpack.Decoder[Event] = msgspec.msgpack.Decoder(Union[tuple(events)])  # noqa: UP007 - the members are only known at run time
        moves = [move for game in games.values() for move in game.command_types]
        self._moves = cast("type[Command]", Union[tuple(moves)])  # noqa: UP007 - the members are only known at run time
        self._envelopes = msgspec.msgpack.Decoder(Envelope)
        self._encoder = msgspec.msgpack.Encoder()

    def encode(self, envelope: Envelope) -> bytes:
        """Return the bytes of one entry."""
        return self._encoder.encode(envelope)

    def raw(self, event: Event) -> msgspec.Raw:
        """Return an event as it stands in its envelope."""
        return msgspec.Raw(_shortest(self._encoder.encode(event)))

    def command(self, command: MatchCommand) -> bytes:
        """Return a command as it stands in the first envelope of what it caused."""
        return self._encoder.encode(_flat(command) if isinstance(command, OpenMatch) else command)

    def command_of(self, raw: bytes) -> MatchCommand:
        """Return the command that `command` has encoded; raise CorruptHistory."""
        try:
            plain = msgspec.msgpack.decode(raw, type=dict[str, object])
            match plain["type"]:
                case "match.play":
                    player = PlayerId(msgspec.convert(plain["player"], str))
                    return Play(player, DecisionId(msgspec.convert(plain["decision"], int)), self._move(plain["command"]))
                case "match.bot-play":
                    seat = Seat(msgspec.convert(plain["seat"], int))
                    decision = DecisionId(msgspec.convert(plain["decision"], int))
                    code = msgspec.convert(plain["bot_code"], str) if "bot_code" in plain else UNSET
                    return BotPlay(seat, decision, self._move(plain["command"]), code)
                case "match.open-match":
                    return msgspec.convert({**plain, "settings": plain}, OpenMatch)
                case _:
                    return msgspec.convert(plain, PlainCommand)
        except (msgspec.MsgspecError, UnicodeDecodeError, KeyError) as error:
            raise CorruptHistory(str(error)) from error

    def _move(self, plain: object) -> Command:
        return msgspec.convert(plain, self._moves)

    def decode(self, entry: bytes) -> tuple[Envelope, Event]:
        """Return an entry's envelope and event, upcast to today's shape; raise CorruptHistory."""
        envelope = self.envelope(entry)
        try:
            return envelope, self._event(envelope.event)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise CorruptHistory(str(error)) from error

    def envelope(self, entry: bytes) -> Envelope:
        """Return the envelope of an entry, with its event as it is stored; raise CorruptHistory."""
        try:
            return self._envelopes.decode(entry)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise CorruptHistory(str(error)) from error

    def old(self, raw: msgspec.Raw) -> bool:
        """Return whether an event is stored in a shape that is not written any more."""
        return bool(UPCASTERS) and str(plain_of(raw)["type"]) in UPCASTERS

    def _event(self, raw: msgspec.Raw) -> Event:
        if UPCASTERS:
            return self._upcast(raw)
        return self._events.decode(raw)

    def _upcast(self, raw: msgspec.Raw) -> Event:
        plain = plain_of(raw)
        while (upcaster := UPCASTERS.get(str(plain["type"]))) is not None:
            plain = upcaster(plain)
        return self._events.decode(self._encoder.encode(plain))
