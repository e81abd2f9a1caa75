"""Answers that a player has kept because the service did not take them, beside what the record has in their place."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from ..domain.match.commands import BotPlay, Play
from ..domain.match.events import SeatTaken, TimedOut
from ..service.matches.codec import Codec
from ..service.matches.repository import Loaded

if TYPE_CHECKING:
    from tafelrunde.client.keeping import Kept, KeptAnswer


class Lost(NamedTuple):
    """A sentence about an answer that was not taken; `is_doubt`: the record has something else in its place."""

    sentence: str
    is_doubt: bool


class _Instead(NamedTuple):
    """What a record has for a decision of a seat; `answer`: that of its player, None if it is not one."""

    text: str
    answer: dict[str, object] | None


def find_lost(kept: Kept, loaded: Loaded, codec: Codec, seat: int | None) -> Iterator[Lost]:
    """Yield each kept answer of a seat (None: a spectator) that the record does not have.

    Whose fault that is, neither the file nor the record can show.
    """
    instead = _collect(loaded, codec, seat) if seat is not None else {}
    for answer in kept.unacknowledged:
        found = instead.get(answer.decision)
        if found is None:
            yield Lost(f"{_sent(answer)}; by the record the decision was closed without an answer of your seat.", is_doubt=False)
        elif found.answer is None or not answer.command.items() <= found.answer.items():
            yield Lost(f"{_sent(answer)}; the record says {found.text}.", is_doubt=True)


def _sent(answer: KeptAnswer) -> str:
    command = msgspec.json.encode(answer.command).decode()
    refusal = f"refused it ({answer.problem})" if answer.problem else "did not answer"
    return f"You sent {command} for decision {answer.decision} at {_time(answer.at_ms)}, and the service {refusal}"


def _time(ms: int) -> str:
    return datetime.fromtimestamp(ms / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _collect(loaded: Loaded, codec: Codec, seat: int) -> dict[int, _Instead]:
    """Return the recorded answer to each decision of a seat, its own or one given for it."""
    found: dict[int, _Instead] = {}
    players: set[str] = set()
    for entry in loaded.entries[: loaded.version]:
        envelope, event = codec.decode(entry)
        at = _time(envelope.time_ms)
        if isinstance(event, SeatTaken) and event.seat == seat:
            players.add(event.player)
        if isinstance(event, TimedOut) and event.seat == seat:
            found[event.decision] = _Instead(f"that your time was up at {at}", None)
        command = codec.command_of(envelope.command) if envelope.command else None
        match command:
            case Play(player=player, decision=decision) if player in players:
                answer = msgspec.to_builtins(command.command)
                found[decision] = _Instead(f"{msgspec.json.encode(answer).decode()} at {at}", answer)
            case BotPlay(seat=place, decision=decision) if place == seat:
                found[decision] = _Instead(f"that a bot answered in your place at {at}", None)
            case _:
                pass
    return found
