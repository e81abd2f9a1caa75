"""The service as tools for a language model, over the Model Context Protocol (extra `mcp`; `tafelrunde mcp` runs it).

Everything is said in words and with the name of each card; ids and commands come on demand. What other people have written
comes as `{"untrusted_text": ...}`, so that a model can tell it from what the service says.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Mapping
from typing import Any, TypeVar, cast

import msgspec

from . import tool_shapes as shapes
from .concurrent.client import AsyncClient
from .problems import ApiError, Unreachable
from .shapes import Chair, Command, Feed, GameSheet, Match, Placing, Plain, Question, View
from .tool_protocol import ToolError
from .wording import Words

Shape = TypeVar("Shape")

FREE_TEXT = {"name", "host_name", "nonce", "reason"}
"""Fields with free text from people: names of players, nonces, an operator's reason for a correction."""
START = "start"
LONGEST_WAIT, MOST_SECONDS = 30, 120
NEWEST = 100
"""How many sentences one answer has at most."""
NEXT_STEPS: Mapping[str, str] = {
    "decision-closed": "Call `wait`: it says what is asked now.",
    "refused": "Nothing has changed. Call `legal` for what is possible now, or `view` for the match.",
    "not-found": "Call `list_matches` for the matches that you may see, or `list_games` for the games.",
    "cursor-unknown": "Leave `after` out.",
    "invalid-options": "Call `game` for the options.",
    "invalid-request": "Call `game` for the options, bots and numbers of seats.",
    "unauthenticated": "The token does not work any more. Tell the person who started you.",
    "scope-missing": "The token does not allow this. Tell the person who started you.",
    "too-many-requests": "Wait a minute, then go on.",
    "too-many-seats": "Play on one of your matches: call `list_matches` with `own`.",
    "not-over": "Call `wait` until the match is over.",
}


class Tools:
    """The tools of one player. Without a token, a guest is created on first use; it says that it is a program."""

    def __init__(self, client: AsyncClient) -> None:
        self._client = client
        self._signing = asyncio.Lock()
        self._sheets: dict[str, GameSheet] = {}
        self._games: dict[str, str] = {}
        self._cursors: dict[str, str] = {}
        self._choices: dict[str, tuple[int, list[Command]]] = {}

    # Games

    async def games(self) -> shapes.Games:
        """Return all games."""
        found = await _answer(self._client.games())
        lines = [
            shapes.GameLine(game=each.id, name=each.name.en, min_seats=each.min_seats, max_seats=each.max_seats) for each in found
        ]
        return shapes.Games(games=lines)

    async def rules(self, game: str, lang: str) -> shapes.Rules:
        """Return the rule sheet of a game."""
        return shapes.Rules(game=game, rules=await _answer(self._client.rules(game, lang)))

    async def cards(self, game: str) -> shapes.Cards:
        """Return every card of a game by name."""
        lines = [
            shapes.CardLine(
                card=each.card, name=each.name.en, suits=list(each.suits) or None, rank=each.rank, kinds=list(each.kinds) or None
            )
            for each in (await self._sheet(game)).cards
        ]
        return shapes.Cards(game=game, cards=lines)

    async def game(self, game: str) -> shapes.GameFacts:
        """Return options, bots and commands of a game."""
        sheet = await self._sheet(game)
        words = Words(sheet)
        bots = [
            shapes.BotLine(bot=each.bot, level=each.level, style=each.style.en, rating=each.rating) for each in sheet.characters
        ]
        return shapes.GameFacts(
            game=game,
            name=sheet.name.en,
            min_seats=sheet.min_seats,
            max_seats=sheet.max_seats,
            options=_options(sheet),
            bots=bots,
            commands={name: words.command(name) for name in words.commands()},
        )

    # Matches

    async def matches(self, own: bool) -> shapes.Matches:
        """Return a page of matches, newest first."""
        client = await self.player()
        me = (await _answer(client.player())).id
        page = await _answer(client.matches(own=own))
        return shapes.Matches(matches=[_line(each, me) for each in page.items])

    async def fewest(self, game: str) -> int:
        """Return the fewest seats that a game may have."""
        return (await self._sheet(game)).min_seats

    async def open(self, game: str, seats: int, bots: list[str], options: Mapping[str, Plain], **settings: Plain) -> str:
        """Open a match with the player on seat 0; return its id. It starts if no seat is left."""
        client = await self.player()
        placed = dict(enumerate(bots, start=1))
        opening = client.open_match(game, seats, bots=placed, options=options, start=len(bots) == seats - 1, **settings)
        return (await _answer(opening)).match

    async def join(self, match: str, seat: int | None) -> None:
        """Sit down."""
        await _answer((await self.player()).take_seat(match, seat))

    async def again(self, match: str, seconds: int) -> str:
        """Agree to play a finished match again, and take the reserved seat once all have agreed; return the new match's id."""
        client = await self.player()
        known = (await _answer(client.match(match))).rematch
        if known is not None and (await self._view(known)).seat is not None:
            return known
        await _answer(client.rematch(match))
        taken = await _answer(client.join_rematch(match, wait_seconds=max(0, min(seconds, MOST_SECONDS))))
        if taken is None:
            raise ToolError("You have agreed, and others have not yet. Call `play_again` once more to wait for them.")
        return taken.match

    async def start(self, match: str) -> None:
        """Start a match that the player hosts."""
        await _answer((await self.player()).start(match))

    async def leave(self, match: str) -> None:
        """Leave a match."""
        await _answer((await self.player()).leave(match))

    # Play

    async def view(self, match: str, ids: bool) -> shapes.Sight:
        """Return a match as the player's seat may see it."""
        client = await self.player()
        view = await _answer(client.view(match))
        facts = await _answer(client.match(match))
        words = await self._words(view)
        return shapes.Sight(
            match=match,
            game=view.game,
            status=view.status,
            seat=view.seat,
            seats=[_seat(each, view.seat) for each in facts.chairs],
            waiting=None if view.waiting is None else view.waiting.prompt.text.en,
            table=view.table if ids or view.table is None else words.table(view.table),
            placings=_placed(view),
            correction=None if view.correction is None else shapes.Untrusted(untrusted_text=view.correction.reason),
            rematch=view.rematch,
        )

    async def legal(self, match: str, ids: bool) -> shapes.Legal:
        """Return the question to the player's seat, with why other commands are refused."""
        view = await self._view(match)
        words = await self._words(view)
        question = self._asked(view, words, ids=ids)
        if question is not None and view.question is not None:
            refused = view.question.refused
            question.refused = [shapes.Refusal(what=words.sentence(each.command), because=each.message.en) for each in refused]
        return shapes.Legal(match=match, status=view.status, question=question, next=_next(view))

    async def choices(self, match: str, decision: int) -> list[Command]:
        """Return the commands that answer a decision, in the order of their numbers from 1; raise ToolError if it is not open."""
        view = await self._view(match)
        question = view.question
        if question is None or question.decision != decision:
            now = "Your seat is not asked now." if question is None else f"Decision {question.decision} is open now."
            raise ToolError(f"Decision {decision} is not open. {now} {NEXT_STEPS['decision-closed']}")
        return self._numbered(match, question)

    async def play(self, match: str, decision: int, command: Command) -> None:
        """Answer a decision."""
        await _answer((await self.player()).play(match, decision, command))

    async def wait(self, match: str, after: str | None, seconds: int, ids: bool) -> shapes.Update:
        """Return what happened after a cursor (None: since the last call for this match), as soon as the player is asked.

        After *seconds*, or at the end of the match, it returns as well.
        """
        client = await self.player()
        until = time.monotonic() + max(0, min(seconds, MOST_SECONDS))
        cursor = self._cursors.get(match) if after is None else None if after == START else after
        events: list[Command] = []
        patience = 0
        while True:
            feed = await _answer(client.feed(match, cursor, wait_seconds=patience))
            cursor = self._cursors[match] = feed.cursor
            events += _shown(feed)
            if feed.more:
                continue
            view = await self._view(match)
            left = until - time.monotonic()
            if feed.ended or left <= 0 or view.status not in {"open", "running"} or _to_answer(view):
                return await self._update(view, cursor, events, ids=ids)
            patience = max(1, min(int(left), LONGEST_WAIT))

    async def lesson(self, game: str) -> shapes.Lesson:
        """Open a practice match against random bots, and explain the first question to the player."""
        sheet = await self._sheet(game)
        others = ["random"] * (sheet.min_seats - 1)
        match = await self.open(game, sheet.min_seats, others, {}, visibility="unlisted", hints=True)
        update = await self.wait(match, None, MOST_SECONDS, ids=False)
        view = await self._view(match)
        advice = await self.hint(match)
        words = await self._words(view)
        best = next(iter(advice.worth), "")
        chosen = update.question.choices.get(best, "") if update.question is not None else ""
        lesson = (
            f"This is a practice match of {sheet.name.en}: it is not rated, the others play at random, and `hint` may be asked "
            f"at every question. You sit on seat {view.seat}. `table` is all that you may see, `question` what you are asked. "
            f"A search likes choice {best} best here: {chosen}. Answer with `play`, or leave the match with `leave`."
        )
        return shapes.Lesson(**dict(update), lesson=lesson, table=words.table(view.table or {}), worth=advice.worth)

    async def hint(self, match: str) -> shapes.Advice:
        """Return what a search makes of the open choices."""
        client = await self.player()
        view = await self._view(match)
        hint = await _answer(client.hint(match))
        legal = self._numbered(match, view.question) if view.question is not None else []
        worth = {str(legal.index(each.command) + 1): round(100 * each.worth) for each in hint.moves if each.command in legal}
        return shapes.Advice(match=match, decision=hint.decision, worth=worth)

    async def player(self) -> AsyncClient:
        """Return the client of the player, who is a new guest if there is no token."""
        async with self._signing:
            if self._client.token is None:
                await _answer(self._client.sign_up(bot=True))
        return self._client

    async def _sheet(self, game: str) -> GameSheet:
        if game not in self._sheets:
            self._sheets[game] = await _answer(self._client.game(game))
        return self._sheets[game]

    async def _words(self, view: View) -> Words:
        return Words(await self._sheet(view.game), view.seat)

    async def _view(self, match: str) -> View:
        return await _answer((await self.player()).view(match))

    async def _update(self, view: View, cursor: str, events: list[Command], *, ids: bool) -> shapes.Update:
        words = await self._words(view)
        return shapes.Update(
            match=view.match,
            status=view.status,
            happened=list(words.said(events))[-NEWEST:],
            question=self._asked(view, words, ids=ids),
            next=_next(view),
            placings=_placed(view),
            cursor=cursor,
            items=[cast("dict[str, Any]", marked(each)) for each in events] if ids else None,
        )

    def _asked(self, view: View, words: Words, *, ids: bool) -> shapes.Asked | None:
        question = view.question
        if question is None:
            return None
        numbered = {str(number): each for number, each in enumerate(self._numbered(view.match, question), start=1)}
        return shapes.Asked(
            decision=question.decision,
            prompt="" if view.waiting is None else view.waiting.prompt.text.en,
            choices={number: words.sentence(each) for number, each in numbered.items()},
            answered=None if question.answered is None else words.sentence(question.answered),
            commands=numbered if ids else None,
        )

    def _numbered(self, match: str, question: Question) -> list[Command]:
        """Return the choices of a question. A number means the same as long as the decision is open.

        The service leaves the answer that stands out of what is legal, so the numbers of a later look would be others.
        """
        decision, known = self._choices.get(match, (0, []))
        if decision != question.decision:
            known = []
        standing = [] if question.answered is None else [question.answered]
        found = known + [each for each in (*question.legal, *standing) if each not in known]
        self._choices[match] = (question.decision, found)
        return found


def marked(value: object) -> Any:
    """Return plain data in which every text by other people is marked."""
    return _mark(msgspec.to_builtins(value))


def _mark(value: Any) -> Any:
    if isinstance(value, dict):
        fields = cast("dict[str, Any]", value)
        if _of_a_game(fields):
            return fields
        return {key: _free(each) if key in FREE_TEXT else _mark(each) for key, each in fields.items()}
    if isinstance(value, (list, tuple)):
        return [_mark(each) for each in cast("list[Any]", value)]
    return value


def _of_a_game(value: dict[str, Any]) -> bool:
    """Return whether this is a table, a command or an event of a game: they hold numbers and words of the rules only."""
    tag = value.get("type")
    return isinstance(tag, str) and not tag.startswith("match.")


def _free(value: Any) -> Any:
    return {"untrusted_text": value} if isinstance(value, str) and value else _mark(value)


def _shown(feed: Feed) -> list[Command]:
    return [item.event for item in feed.items]


def _options(sheet: GameSheet) -> dict[str, Plain]:
    """Return the options of a game by name, with their titles."""
    schema = sheet.options
    while (reference := schema.get("$ref")) is not None:
        schema = sheet.options["$defs"][reference.rpartition("/")[2]]
    titles = {name: sheet.messages.get(f"{sheet.id}.option.{name}") for name in schema.get("properties", {})}
    return {
        name: ({"title": title.en} if (title := titles[name]) is not None else {}) | each
        for name, each in schema.get("properties", {}).items()
    }


def _line(match: Match, me: str) -> shapes.MatchLine:
    own = next((each.seat for each in match.chairs if each.player == me), None)
    seats = [_seat(each, own) for each in match.chairs]
    return shapes.MatchLine(match=match.match, game=match.game, status=match.status, seats=seats, your_turn=match.your_turn)


def _seat(chair: Chair, own: int | None) -> shapes.Seat:
    name = None if chair.name is None else shapes.Untrusted(untrusted_text=chair.name)
    return shapes.Seat(seat=chair.seat, you=chair.seat == own or None, bot=chair.bot, name=name, program=chair.program or None)


def _placed(view: View) -> list[shapes.Placed] | None:
    def one(each: Placing) -> shapes.Placed:
        return shapes.Placed(seat=each.seat, rank=each.rank, score=each.score, you=each.seat == view.seat or None)

    return None if view.placings is None else [one(each) for each in view.placings]


def _to_answer(view: View) -> bool:
    """Return whether the player's seat is asked and has not answered."""
    return view.question is not None and view.question.answered is None


def _next(view: View) -> str:
    if view.status not in {"open", "running"}:
        return "The match is over."
    if _to_answer(view):
        return "Call `play` with the decision and the number of a choice."
    if view.status == "open" and any(each.reserved for each in view.chairs):
        return "Call `wait`: the match begins when all who are expected have come."
    return "Call `wait`." if view.status == "running" else "Wait until all seats are taken; the host then calls `start`."


async def _answer(answer: Awaitable[Shape]) -> Shape:
    """Return an answer of the service; raise ToolError, with the reason and what to do next."""
    try:
        return await answer
    except ApiError as error:
        problem = error.problem
        said = problem.message.en if problem.message is not None else f"{problem.title}."
        where = ": ".join(filter(None, (problem.field, problem.detail)))
        step = NEXT_STEPS.get(problem.type.removeprefix("urn:tafelrunde:problem:"), "")
        raise ToolError(" ".join(filter(None, (said, f"({problem.type})", where and f"{where}.", step)))) from error
    except Unreachable as error:
        raise ToolError(f"The service cannot be reached: {error}. Try again in a moment.") from error
