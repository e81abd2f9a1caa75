"""Decisions as rows of a data set: what a seat saw, what it might do, what it did, and how its match ended.

Only finished matches are taken: no row has a secret that still counts. What it shows of a match is what its seat saw then.
No row names a player or a match of the service: seats are persons or bots, and matches are numbered as they are written. What an
erased player decided is left out.
"""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Collection, Iterator, Mapping, Sequence

import msgspec

from ..domain.game import AnyGame, Command, DecisionId, GameId, GameView, Options, Placing, Seat
from ..domain.match import MatchId, PlayerId, Spectators, Status
from ..domain.match.commands import BotPlay, Play
from ..domain.match.events import LessonBegun, MatchBranched
from ..domain.match.state import Match
from ..domain.match.terms import BotName, Visibility
from .errors import NotFound
from .matches.codec import Codec
from .matches.repository import Loaded, MatchRepository
from .players.accounts import Accounts
from .ports.events import SHARDS, Shard
from .ports.stores import Stores
from .simulate import MOST_DECISIONS, SeededChance, Unlimited, players_of, start_table

HEADS_AT_ONCE = 500


class Decision(msgspec.Struct, frozen=True, kw_only=True):
    """A row. `bot` names the bot that decided, None for a person; `legal` is None unless it was asked for.

    `rank` and `score` are the seat's at the end of its match. `match` counts from 1, in the order of the rows.
    """

    match: int
    game: GameId
    rules_version: int
    seats: int
    options: Mapping[str, object]
    decision: DecisionId
    seat: Seat
    bot: BotName | None
    view: GameView
    legal: tuple[Command, ...] | None
    command: Command
    rank: int
    score: int | None


class _Answer(msgspec.Struct, frozen=True):
    """What is known of a decision before the end of its match."""

    decision: DecisionId
    seat: Seat
    bot: BotName | None
    view: GameView
    legal: tuple[Command, ...] | None
    command: Command


class Source:
    """The finished matches of a deployment, as a data set. It is for operators: it checks no rights."""

    def __init__(self, stores: Stores, repository: MatchRepository, accounts: Accounts) -> None:
        self._stores = stores
        self._repository = repository
        self._accounts = accounts

    async def decisions(
        self, games: Collection[GameId] = (), *, private: bool = False, legal: bool = False
    ) -> AsyncIterator[Decision]:
        """Yield all decisions of finished matches, match after match; of some games, if any are named.

        Matches that are unlisted or not open to spectators are left out unless *private*; also those that were aborted or voided,
        and those that take up another one. One match is in memory at a time.
        """
        number = 0
        async for match_id in self._finished_matches():
            loaded = await self._repository.load_latest(match_id)
            if not _counts(loaded.match, games, private=private):
                continue
            erased = await self._erased_players(loaded.match)
            rows = list(rows_of(number + 1, loaded, self._repository.codec, erased=erased, legal=legal))
            number += bool(rows)
            for row in rows:
                yield row

    async def _finished_matches(self) -> AsyncIterator[MatchId]:
        for shard in range(SHARDS):
            matches = sorted(await self._stores.events.matches(Shard(shard)))
            for start in range(0, len(matches), HEADS_AT_ONCE):
                some = matches[start : start + HEADS_AT_ONCE]
                for match_id, head in zip(some, await self._stores.archives.heads(some), strict=True):
                    if head is not None and head.status is Status.OVER:
                        yield match_id

    async def _erased_players(self, match: Match) -> set[PlayerId]:
        """Return the players of a match who are not there any more."""
        found: set[PlayerId] = set()
        for chair in match.chairs:
            if chair.player is not None:
                try:
                    await self._accounts.player(chair.player)
                except NotFound:
                    found.add(chair.player)
        return found


def _counts(match: Match, games: Collection[GameId], *, private: bool) -> bool:
    settings = match.settings
    public = settings.visibility is Visibility.LISTED and settings.spectators is not Spectators.OFF
    return (not games or settings.game in games) and (public or private) and match.placings is not None


def rows_of(
    number: int, loaded: Loaded, codec: Codec, *, erased: Collection[PlayerId] = (), legal: bool = False
) -> Iterator[Decision]:
    """Yield the decisions of a finished match, in order; none of one that takes up another, or is a lesson."""
    past = Match(loaded.match.games)
    answers = list[_Answer]()
    for entry in loaded.entries[: loaded.version]:
        envelope, event = codec.decode(entry)
        if isinstance(event, MatchBranched | LessonBegun):
            return
        if envelope.command and past.started:
            answer = _answer(past, codec.command_of(envelope.command), erased, legal=legal)
            answers += [answer] if answer is not None else []
        past.fold(event)
    assert past.placings is not None, "the match is over"
    yield from _rows(number, past.game, past.options, answers, past.placings)


def _answer(match: Match, command: object, erased: Collection[PlayerId], *, legal: bool) -> _Answer | None:
    """Return what a command decides; None if it decides nothing, or was given by a player who is erased."""
    match command:
        case Play(player) if player not in erased:
            seat = match.seat_of(player)
            bot = None
        case BotPlay(seat):
            bot = match.chairs[seat].bot
        case _:
            return None
    assert seat is not None, "a player who plays has a seat"
    menu = tuple(match.game.legal(match.table, seat)) if legal else None
    return _Answer(command.decision, seat, bot, match.game.view(match.table, seat), menu, command.command)


def _rows(
    number: int, game: AnyGame, options: Options, answers: Sequence[_Answer], placings: Sequence[Placing]
) -> Iterator[Decision]:
    plain = msgspec.to_builtins(options)
    for answer in answers:
        placing = placings[answer.seat]
        yield Decision(
            match=number,
            game=game.id,
            rules_version=game.rules_version,
            seats=len(placings),
            options=plain,
            rank=placing.rank,
            score=placing.score,
            **msgspec.structs.asdict(answer),
        )


def self_play(
    game: AnyGame,
    options: Options,
    seats: int,
    matches: int,
    seed: int,
    *,
    bots: Sequence[BotName] = (),
    legal: bool = False,
) -> Iterator[Decision]:
    """Yield the decisions of matches that bots play in memory; the same arguments give the same rows. Raises InvalidOptions.

    The bots sit on the seats in turn, one seat further with each match. A match that does not end is left out.
    """
    names = list(bots) or [BotName(next(iter(game.bots())))]
    players_of(game, seats, names)
    for number in range(1, matches + 1):
        rng = random.Random(f"{seed}/{number}")  # noqa: S311 - repeatable on purpose
        seated = [names[(seat + number - 1) % len(names)] for seat in range(seats)]
        yield from _play(number, game, options, seated, rng, legal=legal)


def _play(
    number: int, game: AnyGame, options: Options, names: Sequence[BotName], rng: random.Random, *, legal: bool
) -> Iterator[Decision]:
    chance = SeededChance(rng)
    answers = list[_Answer]()
    table = start_table(game, options, len(names), chance)
    players = players_of(game, len(names), names)
    while (ask := game.pending(table)) is not None and len(answers) < MOST_DECISIONS:
        seat = ask.open[0]
        view = game.view(table, seat)
        menu = game.legal(table, seat)
        command = players[seat].choose(view, menu, rng, Unlimited())
        answers.append(_Answer(ask.decision, seat, names[seat], view, tuple(menu) if legal else None, command))
        game.play(table, seat, command, chance)
    standing = game.standing(table)
    if standing is not None:
        yield from _rows(number, game, options, answers, standing.placings)
