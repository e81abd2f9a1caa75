"""What the asynchronous client can ask about a service: its games and players, evidence, webhooks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable

from . import asked_service as asked
from .calls import Call, Shape
from .daily import Daily, DailyRanking
from .evidence import (
    Checkpoint,
    Consistency,
    Cosignatures,
    DayProof,
    LeafHashes,
    LeafProofs,
    LogEntries,
    OpeningProof,
    Proof,
    Proofs,
    SigningKeys,
    Verdict,
)
from .lessons import Lesson
from .puzzles import Puzzle
from .shapes import Board, Command, Game, GameSheet, IssuedToken, Match, Placing, Plain, Player, Program, SeatToken, Token
from .webhooks import Delivery, DeliveryPage, IssuedWebhook, Webhook


class AsyncServiceRequests(ABC):
    """The requests about a service that are sent like any other, and belong to no match that is being played."""

    token: str | None

    async def games(self) -> tuple[Game, ...]:
        """Return the games of the service."""
        return (await self._ask(asked.list_games())).items

    async def game(self, game: str) -> GameSheet:
        """Return a game: options, cards, texts, schemas."""
        return await self._ask(asked.get_game(game))

    async def rules(self, game: str, lang: str = "en") -> str:
        """Return a game's rule sheet (de, en) as Markdown."""
        return (await self._ask(asked.get_rules(game, lang))).decode()

    async def lesson(self, game: str) -> Lesson:
        """Return what a game's lesson says, and when."""
        return await self._ask(asked.get_lesson(game))

    async def daily(self, game: str) -> Daily:
        """Return a game's deal of today, and your try at it."""
        return await self._ask(asked.get_daily(game))

    async def daily_ranking(self, game: str, day: str | None = None, *, start: int = 0, limit: int = 50) -> DailyRanking:
        """Return who did best in a game's deal of a day (None: today), best first."""
        return await self._ask(asked.get_daily_ranking(game, day, start, limit))

    async def puzzle(self, game: str | None = None) -> Puzzle:
        """Return a game's puzzle of today (None: that of another game each day), and your answer to it."""
        return await self._ask(asked.get_puzzle(game))

    async def answer_puzzle(self, game: str, day: str, command: Command) -> Puzzle:
        """Answer the puzzle of a game and day; your first answer counts."""
        return await self._ask(asked.answer_puzzle(game, day, command))

    async def leaderboard(self, game: str, cursor: str | None = None, *, limit: int = 50, kind: str | None = None) -> Board:
        """Return a page of a game's leaderboard, best first; *kind*: only `people`, `programs` or `bots`."""
        return await self._ask(asked.get_leaderboard(game, cursor, limit, kind))

    # Players and tokens

    async def sign_up(self, name: str | None = None, *, bot: bool = False) -> Player:
        """Sign up a new player (name None: a guest; *bot*: a program) and act as it from now on; its token is in `token`."""
        made = await self._ask(asked.sign_up(name, bot))
        self.token = made.text
        return made.player

    async def player(self, player: str | None = None) -> Player:
        """Return a player (None: yourself) with its ratings."""
        return await self._ask(asked.get_player(player))

    async def rename(self, name: str) -> Player:
        """Change your display name; a guest becomes a named player."""
        return await self._ask(asked.rename(name))

    async def program(self, player: str) -> Program:
        """Return what the operator of a program has stated."""
        return await self._ask(asked.get_program(player))

    async def declare_program(self, **statement: Plain) -> Program:
        """State which program plays as you: `key`, `version`, `signed_ms`, `signature`, and more (docs/bots.md)."""
        return await self._ask(asked.declare_program(statement))

    async def revoke_program(self) -> None:
        """Revoke the keys of your program permanently."""
        await self._ask(asked.revoke_program())

    async def delete_me(self) -> None:
        """Delete your player: name, tokens, seats in unfinished matches, lines in rankings of days, answers to puzzles."""
        await self._ask(asked.delete_me())

    async def tokens(self) -> tuple[Token, ...]:
        """Return your tokens, without their texts."""
        return (await self._ask(asked.list_tokens())).items

    async def create_token(
        self, label: str, scopes: Iterable[str] = ("read", "play"), *, expires_ms: int | None = None
    ) -> IssuedToken:
        """Create a token with some of the scopes of your own."""
        return await self._ask(asked.create_token(label, scopes, expires_ms))

    async def revoke_token(self, token: str) -> None:
        """Revoke a token by its id."""
        await self._ask(asked.revoke_token(token))

    async def seat_token(self, match: str, seat: int) -> SeatToken:
        """Create a token for your seat in a match; a seat token is exchanged for the new one."""
        return await self._ask(asked.create_seat_token(match, seat))

    async def seat_user(
        self, match: str, user: str, *, name: str | None = None, seat: int | None = None, nonce: str = ""
    ) -> SeatToken:
        """Seat a user of your application (scope `embed`), and create a token for the seat."""
        return await self._ask(asked.seat_user(match, user, name, seat, nonce))

    # Evidence

    async def proofs(self, match: str, after: int = 0, *, limit: int = 100) -> Proofs:
        """Return the commitments to the deals after a number, each with the cards that you can prove."""
        return await self._ask(asked.list_proofs(match, after, limit))

    async def proof(self, match: str, deal: int, index: int) -> Proof:
        """Return the proof of one card."""
        return await self._ask(asked.get_proof(match, deal, index))

    async def record(self, match: str) -> bytes:
        """Return the record of a finished match as JSON lines, as `tafelrunde verify` reads it."""
        return await self._ask(asked.get_record(match))

    async def records(self, cursor: str | None = None, *, own: bool = False, limit: int = 20) -> bytes:
        """Return the records of a page of finished matches as JSON lines (own: yours); the last line has the next cursor."""
        return await self._ask(asked.list_records(cursor, own, limit))

    async def verification(self, match: str, *, bots: int = 0) -> Verdict:
        """Return the service's own verification of a finished match; of *bots* answers of bots, one is computed again."""
        return await self._ask(asked.get_verification(match, bots))

    async def checkpoint(self) -> Checkpoint:
        """Return the current size and root of the transparency log."""
        return await self._ask(asked.get_checkpoint())

    async def signed_checkpoint(self) -> bytes:
        """Return the latest checkpoint as a signed note in the form of C2SP's tlog-checkpoint."""
        return await self._ask(asked.get_signed_checkpoint())

    async def signing_keys(self) -> SigningKeys:
        """Return the public keys that sign checkpoints, receipts and feeds."""
        return await self._ask(asked.get_signing_keys())

    async def log_proofs(self, match: str, size: int | None = None) -> LeafProofs:
        """Return the proofs that a match is in the transparency log of a size (None: the latest)."""
        return await self._ask(asked.get_log_proofs(match, size))

    async def opening_proof(self, match: str, size: int | None = None) -> OpeningProof:
        """Return the proof that the opening of a match is in the transparency log."""
        return await self._ask(asked.get_opening_proof(match, size))

    async def day_proof(self, day: str, size: int | None = None) -> DayProof:
        """Return the proof that the commitment of a day's deals is in the transparency log; the day as `2026-11-23`."""
        return await self._ask(asked.get_day_proof(day, size))

    async def log_entries(self, first: int = 0, *, limit: int = 1_000) -> LogEntries:
        """Return what everyone may know of the log's leaves, starting with number *first*."""
        return await self._ask(asked.list_log_entries(first, limit))

    async def cosignatures(self) -> Cosignatures:
        """Return the latest checkpoint that each witness has signed."""
        return await self._ask(asked.list_cosignatures())

    async def add_cosignature(self, witness: str, note: str) -> None:
        """Hand in a checkpoint that a witness has signed."""
        await self._ask(asked.add_cosignature(witness, note))

    async def log_consistency(self, earlier: int, later: int | None = None) -> Consistency:
        """Return the proof that the log of a later size (None: the latest) extends that of an earlier one."""
        return await self._ask(asked.get_log_consistency(earlier, later))

    async def log_leaves(self, first: int = 0, *, limit: int = 1_000) -> LeafHashes:
        """Return hashes of the log's leaves, from an index on."""
        return await self._ask(asked.list_log_leaves(first, limit))

    # Webhooks

    async def create_webhook(
        self, url: str, events: Iterable[str], *, game: str | None = None, match: str | None = None
    ) -> IssuedWebhook:
        """Create a webhook: messages of some types are sent to a URL. Its secret is returned only once."""
        return await self._ask(asked.create_webhook(url, events, game, match))

    async def webhooks(self) -> tuple[Webhook, ...]:
        """Return your webhooks."""
        return (await self._ask(asked.list_webhooks())).items

    async def webhook(self, webhook: str) -> Webhook:
        """Return one of your webhooks."""
        return await self._ask(asked.get_webhook(webhook))

    async def change_webhook(self, webhook: str, **changes: Plain) -> Webhook:
        """Change a webhook: `url`, `events`, `game`, `match`, `paused`; the rest stays."""
        return await self._ask(asked.change_webhook(webhook, changes))

    async def delete_webhook(self, webhook: str) -> None:
        """Delete a webhook."""
        await self._ask(asked.delete_webhook(webhook))

    async def rotate_webhook_secret(self, webhook: str) -> IssuedWebhook:
        """Rotate the secret of a webhook; for a day messages are signed with both secrets."""
        return await self._ask(asked.rotate_webhook_secret(webhook))

    async def ping_webhook(self, webhook: str) -> Delivery:
        """Send a test message."""
        return await self._ask(asked.ping_webhook(webhook))

    async def deliveries(self, webhook: str, cursor: str | None = None, *, limit: int = 50) -> DeliveryPage:
        """Return a page of a webhook's deliveries, sent and pending, newest first."""
        return await self._ask(asked.list_deliveries(webhook, cursor, limit))

    async def delivery(self, webhook: str, delivery: str) -> Delivery:
        """Return one delivery with its latest attempts."""
        return await self._ask(asked.get_delivery(webhook, delivery))

    async def redeliver(self, webhook: str, delivery: str) -> Delivery:
        """Send a message again."""
        return await self._ask(asked.redeliver(webhook, delivery))

    # Operators (scope `admin`)

    async def void(self, match: str, reason: str) -> Match:
        """Void the result of a finished match."""
        return await self._ask(asked.void(match, reason))

    async def adjudicate(self, match: str, placings: Iterable[Placing], reason: str) -> Match:
        """Change the result of a finished match."""
        return await self._ask(asked.adjudicate(match, placings, reason))

    @abstractmethod
    async def _ask(self, call: Call[Shape]) -> Shape:
        """Send a request, again if it may be, and return what its answer has."""
