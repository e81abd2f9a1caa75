"""Checking a record without trusting its author: everything is done again, and the first thing that differs is named.

What is checked, entry by entry: the numbers, the hash chain, that the readable part says what the bytes say, that every
command decided again by today's rules with the chance that the revealed secret gives causes just the stored events, and the
state digests. Then the commitment to the secret, the commitments to the cards, and the result. Of a match that was played by
another version of the rules, or with draws of another version, all is checked but the deciding, and it is undecided.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from typing import cast

import msgspec
from msgspec import UNSET, UnsetType

from ....domain.game import AnyGame, DomainError, Event, GameId
from ....domain.match import MatchId
from ....domain.match.commands import BotPlay, MatchCommand, OpenMatch
from ....domain.match.decide import Decided, decide
from ....domain.match.events import DrawsKeyed, MatchOpened, SeatTaken, TimedOut, is_match_event
from ....domain.match.state import Match
from ....domain.match.terms import DRAWS
from ...dealing.dealer import commitment_to, dealer_for
from ...dealing.lesson_deals import number_of_edition, secret_of_lesson
from ...errors import CorruptHistory, RecordWrong
from ...matches.codec import COMPLETE, UPCASTERS, Codec, Envelope, digest_of, plain_of
from ...matches.repository import Loaded
from ...ports.events import GENESIS, Version, chain_over
from .bot_check import ANSWER, BotCheck, each
from .mismatch import SHOWN, Mismatch, bytes_of, require_alike, require_same, require_shape, unbroken
from .old_records import is_old_record
from .otherwise import EVENT, differing, otherwise
from .record import FORMAT, RecordDeal, RecordEnd, RecordEntry, Recorder, RecordHead, RecordLine, RecordSum
from .verdict import Bots, Doubt, Finding, TakenUp, Verdict

LATEST_MS = 253_402_300_800_000
"""No entry is from later than the year 9999."""
MOST_SEATS = 99
MATCH_ID = re.compile("m[a-z2-7]{24}")
SECRET = re.compile("[0-9a-f]{64}")
NONCE = re.compile("[A-Za-z0-9_-]{0,64}")
UNUSED_NONCE = "a nonce in a match whose draws take none"
ONE_DEAL = "a match that is a lesson, or the deal of a day"
KEYED = "draws that are keyed have version 2 or a later one"
"""What is wrong with the chance of a match, as every verifier says it."""

_decoder: msgspec.json.Decoder[RecordLine] = msgspec.json.Decoder(cast("type[RecordLine]", RecordLine), strict=True)


def read(content: Iterable[bytes]) -> Iterator[RecordLine]:
    """Yield the lines of a record; raise Mismatch for one that cannot be read, or whose sum is wrong."""
    total = hashlib.sha256()
    for number, line in enumerate(content, start=1):
        try:
            found = _decoder.decode(line)
            if isinstance(found, RecordSum):
                require_same("sum", "sum over all lines", total.hexdigest(), found.sum)
            require_same(f"line {number}", "the usual way to write a line", msgspec.json.encode(found) + b"\n", line)
            total.update(line)
            yield found
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            raise Mismatch(f"line {number}", "a line of a record", str(error), line[:SHOWN].decode(errors="replace")) from error


def verify(
    content: Iterable[bytes], games: Mapping[GameId, AnyGame], codec: Codec | None = None, *, every_bot: int = 0
) -> Verdict:
    """Check the lines of a record; never raises for what is in them. Cost: as much as playing the match again.

    To check many records, pass one codec: building it takes a while. With *every_bot* k, every k-th answer of a bot is computed
    again, which costs as much as its thought did.
    """
    return examine(content, games, codec, BotCheck(each(every_bot)))[0]


def examine(
    content: Iterable[bytes], games: Mapping[GameId, AnyGame], codec: Codec | None = None, bots: BotCheck | None = None
) -> tuple[Verdict, list[bytes]]:
    """Like `verify`, and return the entries of the record as well, as far as they were checked."""
    check = Check(games, codec or Codec(games), bots)
    finding = None
    try:
        with unbroken("record", "a record that can be checked"):
            check.follow(check.begin(read(content)))
    except Mismatch as mismatch:
        finding = mismatch.finding
    return check.verdict(finding), check.entries


def match_of(content: Iterable[bytes], games: Mapping[GameId, AnyGame]) -> tuple[MatchId, Loaded]:
    """Return the match of a record that is right; raise RecordWrong.

    One that was played by other rules than today's is folded, but its commands are not decided again: see `of_other_rules`.
    """
    check = Check(games, Codec(games))
    try:
        with unbroken("record", "a record that can be checked"):
            return check.follow(check.begin(read(content)))
    except Mismatch as mismatch:
        raise RecordWrong(*msgspec.structs.astuple(mismatch.finding)) from mismatch


def of_other_rules(match: Match) -> bool:
    """Return whether a match was played by another version of its game's rules than the one that is here."""
    return match.facts.rules_version != match.game.rules_version


class Check:
    """One record on its way through the checks: `begin`, then `follow`; `match` is the match after the entries that are checked.

    Unless it `decides`, as the rules are others now, the record has nothing but its own digests to be compared with.
    """

    def __init__(self, games: Mapping[GameId, AnyGame], codec: Codec, bots: BotCheck | None = None) -> None:
        self.games = games
        self.bots = bots or BotCheck()
        self.codec = codec
        self.decides = True
        self.recorder = Recorder(self.codec)
        self.head: RecordHead | None = None
        self.match = Match(games)
        self.chain = GENESIS
        self.entries: list[bytes] = []
        self.expected: list[Event] = []
        self.decided: Match | None = None
        self.complete = True
        self.digested = False
        self.commands = self.deals = self.early = self.repeated = 0

    def verdict(self, finding: Finding | None) -> Verdict:
        """Return the verdict, with the first error, if any."""
        head = self.head
        return Verdict(
            match=head.match if head is not None else "",
            game=head.game if head is not None else "",
            rules_version=head.rules_version if head is not None else 0,
            commitment=head.commitment if head is not None else "",
            chain=self.chain.hex(),
            entries=len(self.entries),
            commands=self.commands,
            deals=self.deals,
            early=self.early,
            decided=self.decides,
            taken_up=self._taken_up(),
            bots=Bots(given=self.bots.given, computed=self.bots.computed, unable=self.bots.unable, late=self.bots.late),
            finding=finding,
            undecided=() if finding is not None else tuple(self._doubts()),
        )

    def _doubts(self) -> Iterator[Doubt]:
        """Yield why a record in which nothing is wrong is not right by itself."""
        match = self.match
        if of_other_rules(match):
            yield Doubt.RULES
        if match.keyed is not None and match.keyed.version > DRAWS:
            yield Doubt.DRAWS
        if match.keyed is None and not is_old_record(self.chain):
            yield Doubt.OLD_DRAWS
        if not match.commits:
            yield Doubt.UNCOMMITTED
        if match.lesson is not None and number_of_edition(match.game, match.lesson) is None:
            yield Doubt.LESSON
        if match.daily is not None:
            yield Doubt.DAY_COMMITMENT if match.daily.commitment is UNSET else Doubt.DAY_LEAF
        if match.branched is not None:
            yield Doubt.TAKEN_UP
        if self.bots.unable:
            yield Doubt.BOTS

    def copy(self) -> Check:
        """Return a check at the same place, which continues independently."""
        twin = copy(self)
        twin.bots = self.bots.copy()
        twin.match = self.match.copy()
        twin.entries = [*self.entries]
        twin.expected = [*self.expected]
        return twin

    def begin(self, lines: Iterator[RecordLine]) -> Iterator[RecordLine]:
        """Check that the first line is a head that can be followed, and return the others; raise Mismatch."""
        head = next(lines, None)
        if not isinstance(head, RecordHead):
            raise Mismatch("head", "the first line", "head", type(head).__name__)
        self._open(head)
        return lines

    def follow(self, lines: Iterator[RecordLine]) -> tuple[MatchId, Loaded]:
        """Check all lines from here on, and return the match; raise Mismatch."""
        assert self.head is not None, "a check begins with the head"
        rest: list[RecordLine] = []
        for line in lines:
            if rest or not isinstance(line, RecordEntry):
                rest.append(line)
            else:
                with unbroken(str(line.version), "an entry that can be checked"):
                    self._entry(self.head, line)
        return self.head.match, self._close(self.head, rest)

    def _open(self, head: RecordHead) -> None:
        self.head = head
        require_same("head", "format", FORMAT, head.format)
        game = self.games.get(GameId(head.game))
        if game is None:
            raise Mismatch("head", "a game that is known here", ", ".join(self.games), head.game)
        require_shape("head", "the id of a match", MATCH_ID, head.match)
        require_same("head", "a number of seats", min(max(head.seats, 1), MOST_SEATS), head.seats)
        played = game.of_version(head.rules_version)
        self.decides = played.rules_version == head.rules_version
        self.games = {**self.games, played.id: played}
        self.match = Match(self.games)

    def _entry(self, head: RecordHead, line: RecordEntry) -> None:
        where = str(line.version)
        require_same(where, "version", len(self.entries) + 1, line.version)
        entry = bytes_of(where, line.bytes)
        self.chain = chain_over(self.chain, (entry,))
        require_same(where, "chain", self.chain.hex(), line.chain)
        try:
            require_alike(where, "what the bytes say", self.recorder.entry(line.version, entry, self.chain), line)
            envelope, event = self.codec.decode(entry)
            self._command(head.match, where, envelope)
        except CorruptHistory as error:
            raise Mismatch(where, "an entry that can be read", str(error), line.bytes) from error
        require_same(where, "the bytes of the entry, encoded again", self.codec.encode(envelope).hex(), entry.hex())
        if self.decides:
            self._event(where, envelope.event, event)
        self.entries.append(entry)
        self._note(envelope.time_ms, event)
        self._share(where, event)
        self._fold(where, event, head.seats)
        self._digest(where, envelope)

    def _fold(self, where: str, event: Event, seats: int) -> None:
        if isinstance(event, MatchOpened):
            require_same(where, "the seats of the head", seats, event.seats)
        try:
            self.match.fold(event)
        except Exception as error:  # folding checks nothing: an event that was forged can break it in any way
            raise Mismatch(where, "an event that can be folded", f"{type(error).__name__}: {error}", event) from error

    def _event(self, where: str, raw: msgspec.Raw, event: Event) -> None:
        """Compare an event with what the rules give, byte for byte; one in an older shape as it is read today."""
        given = self.expected.pop(0)
        found = bytes(self.codec.raw(event) if self.codec.old(raw) else raw)
        expected = bytes(self.codec.raw(given))
        if plain_of(expected) != plain_of(found):
            if (cards := otherwise(self.match, given, event)) is not None:
                raise Mismatch(where, *cards)
            raise Mismatch(where, EVENT, *differing(plain_of(expected), plain_of(found)))
        require_same(where, "the bytes of the event", expected.hex(), found.hex())

    def _command(self, match_id: MatchId, where: str, envelope: Envelope) -> None:
        """Check the command of an entry; only the first entry of what it caused has it."""
        if bool(envelope.command) != self.complete:
            raise Mismatch(
                where, "a command where the one before is complete, and only there", self.complete, bool(envelope.command)
            )
        if not 0 <= envelope.time_ms < LATEST_MS:
            raise Mismatch(where, "a time", f"0 to {LATEST_MS - 1}", envelope.time_ms)
        if not envelope.command:
            return
        self.commands += 1
        if self.decides:
            self._decide(match_id, where, envelope)

    def _decide(self, match_id: MatchId, where: str, envelope: Envelope) -> None:
        """Decide the command of an entry again."""
        command = self.codec.command_of(envelope.command)
        require_same(where, "the command as it is written", self.codec.command(command).hex(), envelope.command.hex())
        if isinstance(command, OpenMatch):
            require_same(where, "no nonce of a bot", "", "".join(each.nonce for each in command.seating if each.bot is not None))
            require_same(where, ONE_DEAL, expected=False, found=command.lesson is not UNSET and command.daily is not UNSET)
            if command.draws is not UNSET and command.draws > DRAWS:
                self.decides = False
                return
        try:
            decided = self._again(match_id, command, envelope.time_ms)
        except (DomainError, LookupError, ValueError) as error:
            raise Mismatch(where, "a command that the rules allow", f"{type(error).__name__}: {error}", command) from error
        if not decided.events:
            raise Mismatch(where, "a command that causes something", "an event", command)
        if (other := self.bots.differs(self.match, command)) is not None:
            raise Mismatch(where, ANSWER.format(other[0]), other[1], command.command if isinstance(command, BotPlay) else command)
        self.expected = [*decided.events]
        self.decided = decided.match

    def _note(self, now_ms: int, event: Event) -> None:
        """Record what the verdict reports about an event that is no fault of the record."""
        asked = self.match.asked
        if isinstance(event, TimedOut):
            self.early += asked is not None and now_ms < asked.deadline_ms
        elif not is_match_event(event):
            self.repeated += self.match.branched is not None and asked is None

    def _share(self, where: str, event: Event) -> None:
        """Check an event that says what share players have in the cards: by their nonces, or none in deals that matches share."""
        if isinstance(event, SeatTaken):
            shared = self.match.lesson is not None or self.match.daily is not None
            require_same(where, UNUSED_NONCE, "", event.nonce if shared else "")
        elif isinstance(event, DrawsKeyed) and event.version < DRAWS:
            raise Mismatch(where, KEYED, DRAWS, event.version)

    def _taken_up(self) -> TakenUp | None:
        if (origin := self.match.branched) is None:
            return None
        return TakenUp(match=origin.match, version=origin.version, chain=origin.chain, events=self.repeated)

    def _again(self, match_id: MatchId, command: MatchCommand, now_ms: int) -> Decided:
        chance = dealer_for(match_id, self.match, command, len(self.entries))
        return decide(self.match, command, chance, now_ms)

    def _digest(self, where: str, envelope: Envelope) -> None:
        """Compare the state with the digest, if the last entry of a command has one."""
        self.complete = envelope.complete
        self.digested = self.complete and envelope.digest != COMPLETE
        if self.decides:
            require_same(where, "the end of a command where it is complete, and only there", not self.expected, self.complete)
        if not self.digested:
            return
        require_same(where, "state digest", digest_of(self.match).hex(), envelope.digest.hex())
        if self.decides:
            assert self.decided is not None, "a complete command was decided"
            require_same(where, "state that deciding leaves", digest_of(self.decided).hex(), envelope.digest.hex())

    def _close(self, head: RecordHead, rest: list[RecordLine]) -> Loaded:
        if self.expected:
            raise Mismatch("end", "all events of the last command", self.expected[0], "the end of the entries")
        if not self.match.status.finished or not self.entries:
            raise Mismatch("end", "a match that is over", "over or aborted", self.match.status.value)
        require_same("end", "a state digest after the last command", expected=True, found=self.digested)
        self._secret(head)
        loaded = Loaded(self.match, Version(len(self.entries)), self.chain, self.entries)
        self._head(head, self.recorder.head(head.match, loaded))
        with unbroken("deals", "cards that fit their commitments"):
            wanted = list(self.recorder.rest(head.match, loaded))
        for expected, found in zip(wanted, rest, strict=False):
            require_alike(_name(expected), _name(expected), expected, found)
            self.deals += isinstance(found, RecordDeal)
        before = 1 + len(self.entries)
        require_same("end", "number of lines", before + len(wanted) + 1, before + len(rest))
        require_same("sum", "the last line", RecordSum.__name__, type(rest[-1]).__name__)
        return loaded

    def _secret(self, head: RecordHead) -> None:
        """Check the commitment, and the shapes of what the dealing comes from: there is one way to write each."""
        secret = self.match.facts.secret or ""
        require_shape("end", "a secret of 64 hex digits", SECRET, secret)
        for chair in self.match.chairs:
            require_shape("end", "a nonce", NONCE, chair.nonce)
        revealed = secret if self.match.daily is None else ""
        require_same("end", "the secret of the opening, or none in the deal of a day", revealed, self.match.secret)
        require_same("head", "commitment", commitment_to(head.match, secret), head.commitment)
        if (number := self._lesson(head)) is not UNSET:
            own = secret_of_lesson(self.match.game.id, number)
            require_same("end", "the secret that every lesson of this edition has", own, secret)

    def _lesson(self, head: RecordHead) -> int | UnsetType:
        """Return the number of the lesson that the match is; only of an edition that is not listed it is as the head says."""
        if self.match.lesson is None:
            require_same("head", "no number of a lesson", expected=True, found=head.lesson is UNSET)
            return UNSET
        listed = number_of_edition(self.match.game, self.match.lesson)
        return head.lesson if listed is None else listed

    def _head(self, head: RecordHead, given: RecordHead) -> None:
        """Compare the head; digests of sources, software and the wording of schemas are those of the writer of the record."""
        given = msgspec.structs.replace(given, lesson=UNSET if head.lesson is UNSET else self._lesson(head))
        same = msgspec.structs.replace(head, software=given.software, rules=given.rules, schemas=given.schemas)
        require_alike("head", "head", given, same)
        kinds, found = (set(each.schemas) - set(UPCASTERS) for each in (given, head))
        require_same("head", "a schema for each kind of events", kinds, found)


def _name(line: RecordLine) -> str:
    match line:
        case RecordDeal(deal=deal):
            return f"deal {deal}"
        case RecordEnd():
            return "end"
        case _:
            return "line"
