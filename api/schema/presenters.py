"""From the service's values to the shapes of the API, field by field."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias

import msgspec
from msgspec import UNSET

from ...domain.game import AnyGame, Choice, GameId
from ...domain.match import BotName, MatchId, PlayerId
from ...domain.match.events import DecisionOpened, MatchBranched
from ...domain.match.settings import settings_of
from ...domain.match.view import ChairView, MatchView, Question
from ...domain.wording import wording
from ...service.application import Receipt
from ...service.players.accounts import shown_name
from ...service.ports.players import PlayerRecord
from ...service.views.feeds import FeedItem, FeedPage
from ...service.views.projections import Summary
from ...service.views.queries import Seen, Stretch
from ..problems import Refused
from ..texts import refusal_text, render
from .branches import BranchFacts
from .fields import MATCH_ID
from .matches import ChairFacts, MatchFacts, MatchLinks
from .play import FeedBody, Prompt, QuestionBody, ReceiptBody, RefusedCommand, ViewBody, ViewPage, Waiting

People: TypeAlias = Mapping[PlayerId, PlayerRecord]
_encode = msgspec.json.Encoder().encode


def entries(items: Sequence[FeedItem]) -> msgspec.Raw:
    """Return items of a feed as JSON, each with the fields of a `FeedEntry`."""
    return msgspec.Raw(_encode(items))


def receipt_body(receipt: Receipt) -> ReceiptBody:
    """Return a receipt; a header says that it is a repetition, so that the same request has the same body."""
    return ReceiptBody(match=receipt.match, cursor=receipt.cursor, items=entries(receipt.items), signed=receipt.signed)


def feed_body(page: FeedPage, signed: str) -> FeedBody:
    """Return a page of a feed with its signed note."""
    return FeedBody(items=entries(page.items), cursor=page.cursor, more=page.more, ended=page.ended, signed=signed)


def view_body(seen: Seen, game: AnyGame) -> ViewBody:
    """Return a view, with texts for people."""
    found = seen.view
    return ViewBody(
        match=seen.match,
        game=game.id,
        cursor=seen.cursor,
        status=found.status,
        seat=found.seat,
        chairs=found.chairs,
        waiting=_waiting(found.waiting, game, found) if found.waiting is not None else None,
        question=_question(found.question, game) if found.question is not None else None,
        table=found.table,
        placings=found.placings,
        correction=found.correction,
        rematch=found.rematch,
    )


def view_page(stretch: Stretch, game: AnyGame) -> ViewPage:
    """Return views at successive items."""
    views = tuple(view_body(seen, game) for seen in stretch.views)
    return ViewPage(match=stretch.match, views=views, cursor=stretch.cursor, more=stretch.more)


def _waiting(asked: DecisionOpened, game: AnyGame, found: MatchView) -> Waiting:
    key = prompt_for(asked, game, found)
    text = render(game.messages[key], asked.arguments, game)
    return Waiting(
        decision=asked.decision,
        seats=asked.seats,
        prompt=Prompt(key=key, arguments=asked.arguments, text=text),
        deadline_ms=asked.deadline_ms,
    )


def prompt_for(asked: DecisionOpened, game: AnyGame, found: MatchView) -> str:
    """Return the message key for a viewer: those who still have to answer, or are the target, are addressed directly."""
    more: Mapping[str, str | int] = game.prompt_arguments(found.table) if found.table is not None else {}
    return wording(game.messages, asked.prompt, {**asked.arguments, **more}, found.seat, asked=found.question is not None)


def _question(question: Question, game: AnyGame) -> QuestionBody:
    return QuestionBody(
        decision=question.decision,
        legal=question.legal,
        answered=question.answered,
        refused=tuple(_refused_command(choice, game) for choice in question.refused),
    )


def _refused_command(choice: Choice, game: AnyGame) -> RefusedCommand:
    assert choice.refusal is not None, "a legal command is not among the refused ones"
    shown = refusal_text(choice.refusal, game)
    return RefusedCommand(
        command=choice.command,
        code=f"{game.id}.{choice.refusal.code}",
        arguments=choice.refusal.arguments,
        message=shown.text,
        rule=shown.rule or None,
    )


def people_of(summaries: Iterable[Summary]) -> Sequence[PlayerId]:
    """Return all players named in some matches, each once."""
    found: dict[PlayerId, None] = {}
    for summary in summaries:
        found[summary.host] = None
        found.update((chair.whose, None) for chair in summary.chairs if chair.whose is not None)
    return tuple(found)


def match_facts(summary: Summary, people: People, bots: Callable[[GameId], tuple[BotName, ...]], base: str) -> MatchFacts:
    """Return the facts of a match; *bots* are those offered for a game, `base` stands before its links."""
    return MatchFacts(
        **msgspec.structs.asdict(settings_of(summary)),
        match=summary.match,
        rules_version=summary.rules_version,
        status=summary.status,
        host=summary.host,
        host_name=_name(people.get(summary.host)),
        commitment=summary.commitment,
        opened_ms=summary.opened_ms,
        updated_ms=summary.updated_ms,
        chairs=tuple(_chair(chair, people) for chair in summary.chairs),
        decision=summary.decision,
        asked=summary.asked,
        deadline_ms=summary.deadline_ms,
        waits_until_ms=summary.waits_until_ms,
        placings=summary.placings,
        correction=summary.correction,
        branch=_branch(summary.branched),
        lesson=summary.lesson is not None,
        daily=summary.daily,
        parent=summary.parent,
        rematch=summary.rematch,
        your_turn=summary.your_turn,
        reserved_seat=summary.reserved_seat,
        bots=bots(summary.game),
        links=links_of(summary.match, summary.game, base),
    )


def _branch(branched: MatchBranched | None) -> BranchFacts | None:
    return BranchFacts(match=branched.match, decision=branched.decision) if branched is not None else None


def _name(player: PlayerRecord | None) -> str | None:
    return shown_name(player) if player is not None else None


def _chair(chair: ChairView, people: People) -> ChairFacts:
    player = people.get(chair.whose) if chair.whose is not None else None
    return ChairFacts(
        seat=chair.seat,
        player=chair.player,
        name=_name(player),
        guest=player is not None and player.guest,
        program=player is not None and player.bot,
        bot=chair.bot,
        agrees_to_abort=chair.agrees_to_abort,
        agrees_to_rematch=chair.agrees_to_rematch,
        reserved=chair.reserved,
        avatar=(player.avatar if player is not None else None) or UNSET,
    )


def links_of(match_id: MatchId, game: GameId, base: str) -> MatchLinks:
    """Return the addresses of everything else about a match."""
    here = f"{base}/api/v1/matches/{match_id}"
    return MatchLinks(
        match=here,
        view=f"{here}/view",
        commands=f"{here}/commands",
        feed=f"{here}/feed",
        stream=f"{here}/stream",
        proofs=f"{here}/proofs",
        seats=f"{here}/seats",
        game=f"{base}/api/v1/games/{game}",
    )


# Where a page of a list begins


def page_cursor(last: Summary) -> str:
    """Return the cursor behind a match in a list."""
    return base64.urlsafe_b64encode(f"{last.opened_ms}.{last.match}".encode()).decode().rstrip("=")


def read_page_cursor(cursor: str) -> tuple[int, MatchId]:
    """Return the position that a cursor stands for; raise Refused."""
    try:
        text = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        text = ""
    opened, _, match = text.partition(".")
    if not opened.isascii() or not opened.isdecimal() or len(opened) > 13 or re.search(MATCH_ID, match) is None:
        raise Refused("cursor-unknown", field="after")
    return int(opened), MatchId(match)
