"""The puzzles of the day on a server: a sorted set of candidates for each game, a hash for each day, and one for each player.

Who was right and who was not stands in two sets for each puzzle. They follow a player's first answer, which is written once, so
a step that is repeated, or was cut off, ends with the same numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from ....domain.game import GameId, Seat
from ....domain.match import MatchId, PlayerId
from ...days import DAY_SECONDS, Day
from ...redis_store.client import items, number, text
from ...redis_store.script import Script
from ...redis_store.store_client import StoreClient
from ..daily.port import KEPT_DAYS
from .port import POOLED, Candidate, Chosen, Solution, Tally, first_kept

KEPT_SECONDS = KEPT_DAYS * DAY_SECONDS
SHARE = 10_000
"""Margins are scores in such parts, and negative, so that the widest come first."""
_TAKE = Script("take_member", beside=__name__)
_ENCODER = msgspec.msgpack.Encoder()
_CHOSEN = msgspec.msgpack.Decoder(Chosen)
_SOLUTION = msgspec.msgpack.Decoder(Solution)


class RedisPuzzles:
    """Candidates, choices and answers; every write is of one key."""

    def __init__(self, client: StoreClient) -> None:
        self._client = client

    async def offer(self, game: GameId, candidate: Candidate, margin: float) -> None:
        pool = _pool(game)
        await self._client.write("ZADD", pool, round(-margin * SHARE), _name(candidate))
        await self._client.write("ZREMRANGEBYRANK", pool, POOLED, -1)

    async def candidates(self, game: GameId) -> Sequence[Candidate]:
        found = items(await self._client.call("ZRANGE", _pool(game), 0, -1))
        return [_candidate(text(each)) for each in found]

    async def take(self, game: GameId, candidate: Candidate) -> float | None:
        score = await self._client.run(_TAKE, (_pool(game),), (_name(candidate),))
        return -int(text(score)) / SHARE if score is not None else None

    async def choose(self, game: GameId, day: Day, candidate: Candidate) -> Chosen:
        key = _chosen_for(day)
        await self._client.write("HSETNX", key, game, _ENCODER.encode(Chosen(candidate)))
        await self._client.write("EXPIRE", key, KEPT_SECONDS)
        return (await self.choices(day))[game]

    async def note_visit(self, day: Day) -> None:
        await self._client.write("SET", _visited_on(day), "1", "EX", 2 * DAY_SECONDS)

    async def is_visited(self, day: Day) -> bool:
        return number(await self._client.call("EXISTS", _visited_on(day))) == 1

    async def withdraw(self, game: GameId, day: Day) -> None:
        if (found := (await self.choices(day)).get(game)) is not None:
            await self._client.write("HSET", _chosen_for(day), game, _ENCODER.encode(Chosen(found.candidate, withdrawn=True)))

    async def choices(self, day: Day) -> Mapping[GameId, Chosen]:
        found = items(await self._client.call("HGETALL", _chosen_for(day)))
        pairs = zip(found[::2], found[1::2], strict=True)
        return {GameId(text(game)): _CHOSEN.decode(blob) for game, blob in pairs if isinstance(blob, bytes)}

    async def answer(self, game: GameId, day: Day, player: PlayerId, solution: Solution) -> Solution:
        key = _answers_of(player)
        await self._client.write("HSETNX", key, _field(day, game), _ENCODER.encode(solution))
        await self._client.write("EXPIRE", key, KEPT_SECONDS)
        answers = await self.answers(player)
        if old := [_field(*each) for each in answers if each[0] < first_kept(day)]:
            await self._client.write("HDEL", key, *old)
        kept = answers[day, game]
        counted = _answered_key(game, day, right=kept.right)
        await self._client.write("SADD", counted, player)
        await self._client.write("EXPIRE", counted, KEPT_SECONDS)
        return kept

    async def answers(self, player: PlayerId) -> Mapping[tuple[Day, GameId], Solution]:
        found = items(await self._client.call("HGETALL", _answers_of(player)))
        pairs = zip(found[::2], found[1::2], strict=True)
        return {_puzzle(text(name)): _SOLUTION.decode(blob) for name, blob in pairs if isinstance(blob, bytes)}

    async def tally(self, game: GameId, day: Day) -> Tally:
        both = (_answered_key(game, day, right=right) for right in (True, False))
        right, wrong = await self._client.together(("SCARD", each) for each in both)
        return Tally(number(right) + number(wrong), number(right))

    async def forget(self, player: PlayerId) -> None:
        """Delete the answers of a player, last of all what says where they were counted."""
        for (day, game), solution in (await self.answers(player)).items():
            await self._client.write("SREM", _answered_key(game, day, right=solution.right), player)
        await self._client.write("DEL", _answers_of(player))


def _name(candidate: Candidate) -> str:
    return f"{candidate.match} {candidate.seat} {candidate.version}"


def _candidate(name: str) -> Candidate:
    match, seat, version = name.split()
    return Candidate(MatchId(match), Seat(int(seat)), int(version))


def _field(day: Day, game: GameId) -> str:
    return f"{day}:{game}"


def _puzzle(name: str) -> tuple[Day, GameId]:
    day, _, game = name.partition(":")
    return Day(day), GameId(game)


def _pool(game: GameId) -> str:
    """Sorted set: match, seat and version of a decision that could become a puzzle -> how clear it is, negated."""
    return f"puzzles:{game}"


def _chosen_for(day: Day) -> str:
    """Hash, expiring: game -> the puzzle of a day."""
    return f"puzzle:{day}"


def _visited_on(day: Day) -> str:
    """String, expiring: someone was here on a day."""
    return f"puzzle:{day}:visited"


def _answered_key(game: GameId, day: Day, *, right: bool) -> str:
    """Set, expiring: the players whose answer to a puzzle was right, or was not."""
    return f"puzzle:{day}:{game}:{'right' if right else 'wrong'}"


def _answers_of(player: PlayerId) -> str:
    """Hash, expiring: day and game -> a player's answer to that puzzle."""
    return f"puzzles-of:{player}"
