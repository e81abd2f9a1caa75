"""The requests of the API about a service: one function for each operation of the contract that plays in no match."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import NoneType

from .calls import Call, fresh_key
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
from .shapes import (
    Board,
    Command,
    GameList,
    GameSheet,
    IssuedToken,
    Match,
    Placing,
    Plain,
    Player,
    Program,
    SeatToken,
    SignedUp,
    TokenList,
)
from .webhooks import Delivery, DeliveryPage, IssuedWebhook, Webhook, WebhookList

LINES = "application/x-ndjson"


# Games


def list_games() -> Call[GameList]:
    """All games."""
    return Call(GameList, "GET", "/games")


def get_game(game: str) -> Call[GameSheet]:
    """A game: options, cards, texts, schemas."""
    return Call(GameSheet, "GET", f"/games/{game}")


def get_rules(game: str, lang: str) -> Call[bytes]:
    """A rule sheet, as Markdown."""
    return Call(bytes, "GET", f"/games/{game}/rules", {"lang": lang}, accept="text/markdown")


def get_lesson(game: str) -> Call[Lesson]:
    """What a game's lesson says, and when."""
    return Call(Lesson, "GET", f"/games/{game}/lesson")


def get_daily(game: str) -> Call[Daily]:
    """A game's deal of today."""
    return Call(Daily, "GET", f"/daily/{game}")


def get_daily_ranking(game: str, day: str | None, start: int, limit: int) -> Call[DailyRanking]:
    """Who did best in a game's deal of a day."""
    return Call(DailyRanking, "GET", f"/daily/{game}/ranking", {"day": day, "start": start, "limit": limit})


def get_puzzle(game: str | None) -> Call[Puzzle]:
    """A game's puzzle of today."""
    return Call(Puzzle, "GET", "/puzzles/today", {"game": game})


def answer_puzzle(game: str, day: str, command: Command) -> Call[Puzzle]:
    """Answer a puzzle."""
    return Call(Puzzle, "POST", "/puzzles/today", body={"game": game, "day": day, "command": command})


def get_leaderboard(game: str, cursor: str | None, limit: int, kind: str | None) -> Call[Board]:
    """A page of a leaderboard, best first."""
    return Call(Board, "GET", f"/leaderboards/{game}", {"cursor": cursor, "limit": limit, "kind": kind})


# Players and tokens


def sign_up(name: str | None, bot: bool) -> Call[SignedUp]:
    """A new player; None for a guest."""
    return Call(SignedUp, "POST", "/players", body={"name": name, "bot": bot})


def get_player(player: str | None) -> Call[Player]:
    """A player; None for the caller."""
    return Call(Player, "GET", "/me" if player is None else f"/players/{player}")


def rename(name: str) -> Call[Player]:
    """Rename the caller."""
    return Call(Player, "PATCH", "/me", body={"name": name})


def get_program(player: str) -> Call[Program]:
    """What the operator of a program has stated."""
    return Call(Program, "GET", f"/players/{player}/program")


def declare_program(statement: Mapping[str, Plain]) -> Call[Program]:
    """State which program plays as the caller."""
    return Call(Program, "PUT", "/me/program", body=statement)


def revoke_program() -> Call[None]:
    """Revoke the keys of the caller's program."""
    return Call(NoneType, "DELETE", "/me/program")


def delete_me() -> Call[None]:
    """Delete the caller."""
    return Call(NoneType, "DELETE", "/me")


def list_tokens() -> Call[TokenList]:
    """The caller's tokens."""
    return Call(TokenList, "GET", "/me/tokens")


def create_token(label: str, scopes: Iterable[str], expires_ms: int | None) -> Call[IssuedToken]:
    """Create a token."""
    body = {"label": label, "scopes": list(scopes), "expires_ms": expires_ms}
    return Call(IssuedToken, "POST", "/me/tokens", body=body)


def revoke_token(token: str) -> Call[None]:
    """Revoke a token."""
    return Call(NoneType, "DELETE", f"/me/tokens/{token}")


def create_seat_token(match: str, seat: int) -> Call[SeatToken]:
    """Create a token for the caller's seat in a match."""
    return Call(SeatToken, "POST", f"/matches/{match}/seats/{seat}/tokens")


def seat_user(match: str, user: str, name: str | None, seat: int | None, nonce: str) -> Call[SeatToken]:
    """Seat a user of the calling application, and create a token for the seat."""
    body = {"user": user, "name": name, "seat": seat, "nonce": nonce}
    return Call(SeatToken, "POST", f"/matches/{match}/users", body=body, key=fresh_key())


# Evidence


def list_proofs(match: str, after: int, limit: int) -> Call[Proofs]:
    """The commitments of a match, and the cards that the caller can prove."""
    return Call(Proofs, "GET", f"/matches/{match}/proofs", {"after": after, "limit": limit})


def get_proof(match: str, deal: int, index: int) -> Call[Proof]:
    """The proof of one card."""
    return Call(Proof, "GET", f"/matches/{match}/proofs/{deal}/{index}")


def list_records(cursor: str | None, own: bool, limit: int) -> Call[bytes]:
    """The records of a page of finished matches, as JSON lines."""
    path = "/me/records" if own else "/records"
    return Call(bytes, "GET", path, {"cursor": cursor, "limit": limit}, accept=LINES)


def get_record(match: str) -> Call[bytes]:
    """The record of a finished match, as JSON lines."""
    return Call(bytes, "GET", f"/matches/{match}/record", accept=LINES)


def get_verification(match: str, bots: int) -> Call[Verdict]:
    """The service's own verification of a finished match."""
    return Call(Verdict, "GET", f"/matches/{match}/verification", {"bots": bots or None})


def get_checkpoint() -> Call[Checkpoint]:
    """The latest checkpoint of the transparency log."""
    return Call(Checkpoint, "GET", "/log/checkpoint")


def get_signed_checkpoint() -> Call[bytes]:
    """The latest checkpoint as a signed note."""
    return Call(bytes, "GET", "/log/signed-checkpoint", accept="text/plain")


def get_signing_keys() -> Call[SigningKeys]:
    """The public keys that sign checkpoints, receipts and feeds."""
    return Call(SigningKeys, "GET", "/log/keys")


def get_log_proofs(match: str, size: int | None) -> Call[LeafProofs]:
    """Proofs that a match is in the transparency log."""
    return Call(LeafProofs, "GET", f"/log/proofs/{match}", {"size": size})


def get_opening_proof(match: str, size: int | None) -> Call[OpeningProof]:
    """Proof that the opening of a match is in the transparency log."""
    return Call(OpeningProof, "GET", f"/log/openings/{match}", {"size": size})


def get_day_proof(day: str, size: int | None) -> Call[DayProof]:
    """Proof that the commitment of a day's deals is in the transparency log."""
    return Call(DayProof, "GET", f"/log/days/{day}", {"size": size})


def list_log_entries(first: int, limit: int) -> Call[LogEntries]:
    """What everyone may know of the log's leaves."""
    return Call(LogEntries, "GET", "/log/entries", {"from": first, "limit": limit})


def list_cosignatures() -> Call[Cosignatures]:
    """The latest checkpoint that each witness has signed."""
    return Call(Cosignatures, "GET", "/log/cosignatures")


def add_cosignature(witness: str, note: str) -> Call[None]:
    """Hand in a checkpoint that a witness has signed."""
    return Call(NoneType, "POST", "/log/cosignatures", body={"witness": witness, "note": note})


def get_log_consistency(earlier: int, later: int | None) -> Call[Consistency]:
    """Proof that the log of a later checkpoint extends that of an earlier one."""
    return Call(Consistency, "GET", "/log/consistency", {"from": earlier, "to": later})


def list_log_leaves(first: int, limit: int) -> Call[LeafHashes]:
    """The hashes of the log's leaves."""
    return Call(LeafHashes, "GET", "/log/leaves", {"from": first, "limit": limit})


# Webhooks


def create_webhook(url: str, events: Iterable[str], game: str | None, match: str | None) -> Call[IssuedWebhook]:
    """Create a webhook."""
    body = {"url": url, "events": list(events), "game": game, "match": match}
    return Call(IssuedWebhook, "POST", "/webhooks", body=body)


def list_webhooks() -> Call[WebhookList]:
    """The caller's webhooks."""
    return Call(WebhookList, "GET", "/webhooks")


def get_webhook(webhook: str) -> Call[Webhook]:
    """One of the caller's webhooks."""
    return Call(Webhook, "GET", f"/webhooks/{webhook}")


def change_webhook(webhook: str, changes: Mapping[str, Plain]) -> Call[Webhook]:
    """Change a webhook: address, messages, filter or pause."""
    return Call(Webhook, "PATCH", f"/webhooks/{webhook}", body=changes)


def delete_webhook(webhook: str) -> Call[None]:
    """Delete a webhook."""
    return Call(NoneType, "DELETE", f"/webhooks/{webhook}")


def rotate_webhook_secret(webhook: str) -> Call[IssuedWebhook]:
    """Rotate the secret of a webhook."""
    return Call(IssuedWebhook, "POST", f"/webhooks/{webhook}/secret")


def ping_webhook(webhook: str) -> Call[Delivery]:
    """Send a test message to a webhook."""
    return Call(Delivery, "POST", f"/webhooks/{webhook}/ping")


def list_deliveries(webhook: str, cursor: str | None, limit: int) -> Call[DeliveryPage]:
    """Deliveries of a webhook, newest first."""
    return Call(DeliveryPage, "GET", f"/webhooks/{webhook}/deliveries", {"cursor": cursor, "limit": limit})


def get_delivery(webhook: str, delivery: str) -> Call[Delivery]:
    """One delivery of a webhook."""
    return Call(Delivery, "GET", f"/webhooks/{webhook}/deliveries/{delivery}")


def redeliver(webhook: str, delivery: str) -> Call[Delivery]:
    """Send a message again."""
    return Call(Delivery, "POST", f"/webhooks/{webhook}/deliveries/{delivery}/redeliveries")


# Operators


def void(match: str, reason: str) -> Call[Match]:
    """Void a result."""
    return Call(Match, "POST", f"/matches/{match}/void", body={"reason": reason}, key=fresh_key())


def adjudicate(match: str, placings: Iterable[Placing], reason: str) -> Call[Match]:
    """Adjudicate a result."""
    body = {"placings": list(placings), "reason": reason}
    return Call(Match, "POST", f"/matches/{match}/adjudicate", body=body, key=fresh_key())
