"""Players and their tokens."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec import UNSET

from ...domain.game import GameId
from ...domain.match import PlayerId
from ...service.application import Application
from ...service.players.accounts import Accounts, shown_name
from ...service.players.kept_answers import was_there
from ...service.players.look_alikes import is_reserved
from ...service.players.names import fit_name
from ...service.players.programs import text_of
from ...service.ports.players import PlayerRecord, ProgramRecord, Statement, TokenRecord
from ...service.strength.scores import LeaderboardEntry
from ..http import response
from ..http.operation import Access, Answer, Call, Key, operation
from ..http.rate_limits import Cost
from ..http.response import PRIVATE, SECRET, Reply
from ..problems import Refused
from ..schema import fields
from ..schema.common import Nothing, Scope
from ..schema.players import (
    PlayerFacts,
    PlayerIssued,
    PlayerRequest,
    ProgramFacts,
    ProgramRequest,
    RenameRequest,
    StatementFacts,
    TokenFacts,
    TokenIssued,
    TokenList,
    TokenRequest,
)
from ..schema.ratings import rating_facts

SHORTEST_MS = 60_000
"""No token ends sooner."""
TAG = "players"
ME = "me"
"""The tag of what callers ask about themselves, whichever feature answers."""


def player_facts(record: PlayerRecord, standings: Mapping[GameId, LeaderboardEntry]) -> PlayerFacts:
    """Return the public profile of a player, as `Accounts.shown` returns it."""
    return PlayerFacts(
        id=record.id,
        name=shown_name(record),
        guest=record.guest,
        bot=record.bot,
        created_ms=record.created_ms,
        avatar=record.avatar or UNSET,
        languages=record.languages if record.avatar is not None else UNSET,
        ratings=tuple(rating_facts(game, standing) for game, standing in standings.items()),
    )


async def _player_reply(application: Application, record: PlayerRecord) -> Reply:
    shown = application.accounts.shown(record)
    return response.json(player_facts(shown, await application.accounts.standings(record.id)), *PRIVATE)


def token_facts(record: TokenRecord, asked_with: str | None = None) -> TokenFacts:
    """Return a token without its text; *asked_with* is the id of the one that the request came with, if it may be this one."""
    return TokenFacts(
        id=record.id,
        label=record.label,
        scopes=tuple(map(Scope, record.scopes)),
        created_ms=record.created_ms,
        expires_ms=record.expires_ms,
        match=record.match,
        seat=record.seat,
        current=record.id == asked_with,
        grant=record.grant or UNSET,
    )


async def signed_in(accounts: Accounts, player: PlayerId, token: TokenRecord, text: str) -> Reply:
    """Return the answer to who has signed in: the player with a new token and its text. Raises NotFound."""
    facts = player_facts(accounts.shown(await accounts.player(player)), await accounts.standings(player))
    return response.json(PlayerIssued(player=facts, token=token_facts(token), text=text), *SECRET)


def checked_name(name: str) -> str:
    """Return a display name in its normal form; raise Refused for one that is not fit to be shown, or looks like the staff's."""
    normal = fit_name(name)
    if normal is None:
        raise Refused("invalid-name", field="/name")
    if is_reserved(normal):
        raise Refused("invalid-name", field="/name", detail="the names of the service and of its staff are reserved")
    return normal


@operation(
    "POST",
    "/players",
    "createPlayer",
    tag=TAG,
    key=Key.KEPT,
    access=Access.PUBLIC,
    cost=Cost.SIGN_UP,
    body=PlayerRequest,
    body_needed=False,
    problems=("invalid-name",),
    answers=(Answer(201, PlayerIssued, "The player and its token. The token's text is shown only once.", ("Location",)),),
)
async def create_player(call: Call[PlayerRequest, Nothing]) -> Reply:
    """Create a player: a guest, or with a display name. Every call creates another player."""
    name = call.body.name
    player, token, text = await call.application.accounts.register(
        checked_name(name) if name is not None else None, bot=call.body.bot
    )
    shown = call.application.accounts.shown(player)
    issued = PlayerIssued(player=player_facts(shown, {}), token=token_facts(token), text=text)
    location = f"{call.running.base(call.root)}/api/v1/players/{player.id}".encode()
    return response.json(issued, (b"location", location), *SECRET, status=201)


@operation(
    "GET",
    "/players/{player}",
    "getPlayer",
    tag=TAG,
    access=Access.ANYBODY,
    answers=(Answer(200, PlayerFacts, "The player."),),
)
async def get_player(call: Call[Nothing, Nothing]) -> Reply:
    """Get a player's display name and ratings."""
    record = await call.application.accounts.player(PlayerId(call.path("player", fields.PLAYER_ID)))
    return await _player_reply(call.application, record)


@operation("GET", "/me", "getMe", tag=ME, answers=(Answer(200, PlayerFacts, "Your own player."),))
async def get_me(call: Call[Nothing, Nothing]) -> Reply:
    """Get your own player."""
    return await _player_reply(call.application, await call.application.accounts.player(call.player))


@operation(
    "PATCH",
    "/me",
    "renameMe",
    tag=ME,
    scope=Scope.CREATE,
    body=RenameRequest,
    problems=("invalid-name", "refused"),
    answers=(Answer(200, PlayerFacts, "The player with its new name."),),
)
async def rename_me(call: Call[RenameRequest, Nothing]) -> Reply:
    """Change your display name. A guest becomes a named player.

    A name that looks like that of someone else at a table of yours is refused.
    """
    record = await call.application.table_names.rename(call.player, checked_name(call.body.name))
    return await _player_reply(call.application, record)


@operation("DELETE", "/me", "deleteMe", tag=ME, scope=Scope.CREATE, answers=(Answer(204, None, "The player was deleted."),))
async def delete_me(call: Call[Nothing, Nothing]) -> Reply:
    """Delete your player: its name, tokens, seats in unfinished matches, lines in rankings of days, and answers to puzzles.

    Finished matches keep only the player's id.
    """
    await call.application.erasure.forget(call.player)
    return response.nothing(204)


@operation(
    "GET",
    "/me/tokens",
    "listTokens",
    tag=ME,
    scope=Scope.CREATE,
    answers=(Answer(200, TokenList, "All tokens, without their text."),),
)
async def list_tokens(call: Call[Nothing, Nothing]) -> Reply:
    """List your tokens."""
    found = await call.application.accounts.tokens(call.player)
    return response.json(TokenList(items=tuple(token_facts(each, call.payer) for each in found)), *SECRET)


@operation(
    "POST",
    "/me/tokens",
    "createToken",
    tag=ME,
    key=Key.KEPT,
    scope=Scope.CREATE,
    body=TokenRequest,
    problems=("too-many-tokens", "ends-too-soon"),
    answers=(Answer(201, TokenIssued, "The token. Its text is shown only once.", ("Location",)),),
)
async def create_token(call: Call[TokenRequest, Nothing]) -> Reply:
    """Create another token, for example a read-only one for a page that embeds a match."""
    wish = call.body
    scopes = [scope.value for scope in dict.fromkeys(wish.scopes)]
    if call.principal is None or not set(scopes) <= call.principal.scopes:
        raise Refused("scope-missing", field="/scopes", detail="a token can only grant scopes that it has itself")
    if wish.expires_ms is not None and wish.expires_ms < call.application.now_ms() + SHORTEST_MS:
        raise Refused("ends-too-soon", field="/expires_ms")
    ends = [moment for moment in (wish.expires_ms, call.principal.expires_ms) if moment is not None]
    token, text = await call.application.accounts.issue(call.player, wish.label, scopes, min(ends, default=None))
    location = f"{call.running.base(call.root)}/api/v1/me/tokens/{token.id}".encode()
    return response.json(TokenIssued(token=token_facts(token), text=text), (b"location", location), *SECRET, status=201)


@operation(
    "DELETE",
    "/me/tokens/{token}",
    "revokeToken",
    tag=ME,
    scope=Scope.CREATE,
    key=Key.KEPT,
    answers=(Answer(204, None, "It was revoked.", (response.REPLAYED,)),),
)
async def revoke_token(call: Call[Nothing, Nothing]) -> Reply:
    """Revoke a token. Repeated with the same key, for instance as the answer was lost, it says the same."""
    accounts = call.application.accounts
    token = call.path("token", fields.TOKEN_ID)
    there = any(each.id == token for each in await accounts.tokens(call.player))
    if not await was_there(there):
        raise Refused("not-found")
    if there:
        await accounts.revoke(call.player, token)
    return response.nothing(204)


def program_facts(player: PlayerId, record: ProgramRecord) -> ProgramFacts:
    """Return what the operator of a program has stated."""
    stated = (StatementFacts(text=text_of(player, each).decode(), **msgspec.structs.asdict(each)) for each in record.statements)
    return ProgramFacts(player=player, statements=tuple(stated), revoked_ms=record.revoked_ms)


@operation(
    "GET",
    "/players/{player}/program",
    "getProgram",
    tag=TAG,
    access=Access.ANYBODY,
    answers=(Answer(200, ProgramFacts, "What its operator has stated."),),
)
async def get_program(call: Call[Nothing, Nothing]) -> Reply:
    """Get which program plays as a player: its keys, versions and signatures, as far as its operator has stated them."""
    player = PlayerId(call.path("player", fields.PLAYER_ID))
    return response.json(program_facts(player, await call.application.accounts.programs.of(player)), *PRIVATE)


@operation(
    "PUT",
    "/me/program",
    "declareProgram",
    tag=ME,
    scope=Scope.CREATE,
    body=ProgramRequest,
    problems=("statement-refused",),
    answers=(Answer(200, ProgramFacts, "The statement holds."),),
)
async def declare_program(call: Call[ProgramRequest, Nothing]) -> Reply:
    """State which program plays as you, with a signature. Only for players that declare to be a program."""
    statement = Statement(**msgspec.structs.asdict(call.body))
    return response.json(
        program_facts(call.player, await call.application.accounts.programs.declare(call.player, statement)), *PRIVATE
    )


@operation(
    "DELETE",
    "/me/program",
    "revokeProgram",
    tag=ME,
    scope=Scope.CREATE,
    problems=("statement-refused",),
    answers=(Answer(204, None, "The keys are revoked."),),
)
async def revoke_program(call: Call[Nothing, Nothing]) -> Reply:
    """Revoke the keys of your program permanently. What they have signed stays visible, and no further statement is accepted."""
    await call.application.accounts.programs.revoke(call.player)
    return response.nothing(204)


OPERATIONS = (
    create_player,
    get_player,
    get_program,
    get_me,
    rename_me,
    delete_me,
    declare_program,
    revoke_program,
    list_tokens,
    create_token,
    revoke_token,
)
