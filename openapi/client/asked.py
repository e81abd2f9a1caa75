"""All requests of the API: one function for each operation of the contract."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from types import NoneType

from .advice import Coaching, Hint, Review
from .calls import Call
from .daily import Daily, DailyRanking
from .evidence import (
    Checkpoint,
    Consistency,
    Cosignatures,
    LeafHashes,
    LeafProofs,
    LogEntries,
    OpeningProof,
    Proof,
    Proofs,
    SigningKeys,
    Verdict,
)
from .inbox import Inbox
from .lessons import Lesson
from .shapes import (
    Board,
    Command,
    Feed,
    GameList,
    GameSheet,
    IssuedToken,
    Match,
    MatchPage,
    Placing,
    Plain,
    Player,
    Program,
    Receipt,
    SeatToken,
    SignedUp,
    TokenList,
    View,
    ViewPage,
)
from .webhooks import Delivery, DeliveryPage, IssuedWebhook, Webhook, WebhookList

LINES = "application/x-ndjson"


def _key() -> str:
    return secrets.token_urlsafe(16)


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


def get_inbox(after: str | None, limit: int, wait_seconds: int) -> Call[Inbox]:
    """A page of the caller's inbox."""
    return Call(Inbox, "GET", "/me/inbox", {"after": after, "limit": limit, "wait": wait_seconds})


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
    return Call(SeatToken, "POST", f"/matches/{match}/users", body=body, key=_key())


# Matches


def open_match(
    game: str, seats: int, bots: Mapping[int, str], options: Mapping[str, Plain], settings: Mapping[str, Plain]
) -> Call[Receipt]:
    """Open a match."""
    seated = [{"seat": at, "bot": bot} for at, bot in bots.items()]
    body = {"game": game, "seats": seats, "options": options, "bots": seated, **settings}
    return Call(Receipt, "POST", "/matches", body=body, key=_key())


def what_if(match: str, decision: int, seat: int, bot: str | None, nonce: str) -> Call[Receipt]:
    """Open a practice match from a decision of a finished match."""
    body = {"decision": decision, "seat": seat, "bot": bot, "nonce": nonce}
    return Call(Receipt, "POST", f"/matches/{match}/what-if", body=body, key=_key())


def open_lesson(game: str) -> Call[Receipt]:
    """Open a game's lesson."""
    return Call(Receipt, "POST", f"/games/{game}/lesson", key=_key())


def open_daily(game: str) -> Call[Receipt]:
    """Play a game's deal of today."""
    return Call(Receipt, "POST", f"/daily/{game}")


def list_matches(own: bool, filters: Mapping[str, str | int]) -> Call[MatchPage]:
    """Matches, newest first."""
    return Call(MatchPage, "GET", "/me/matches" if own else "/matches", filters)


def get_match(match: str) -> Call[Match]:
    """The facts of a match."""
    return Call(Match, "GET", f"/matches/{match}")


def change(match: str, what: str, body: object = None, method: str = "POST") -> Call[Receipt]:
    """Change a match."""
    return Call(Receipt, method, f"/matches/{match}/{what}", body=body, key=_key())


# Play


def get_view(match: str, at: str | None, perspective: str | None = None) -> Call[View]:
    """A match as the caller may see it, now or at a cursor of its feed; once it is over, also from other perspectives."""
    return Call(View, "GET", f"/matches/{match}/view", {"at": at, "perspective": perspective})


def get_views(match: str, after: str | None, limit: int, perspective: str | None) -> Call[ViewPage]:
    """The views at successive items of the caller's feed."""
    query = {"after": after, "limit": limit, "perspective": perspective}
    return Call(ViewPage, "GET", f"/matches/{match}/views", query)


def give_command(match: str, decision: int, command: Command) -> Call[Receipt]:
    """Answer a decision."""
    return change(match, "commands", {"decision": decision, "command": command})


def try_command(match: str, decision: int, command: Command) -> Call[None]:
    """Check whether an answer to a decision would be refused."""
    body = {"decision": decision, "command": command}
    return Call(NoneType, "POST", f"/matches/{match}/commands", {"dry_run": "true"}, body, _key())


def get_feed(match: str, after: str | None, wait_seconds: int) -> Call[Feed]:
    """The next items of a feed."""
    return Call(Feed, "GET", f"/matches/{match}/feed", {"wait": wait_seconds, "after": after})


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


def get_verification(match: str) -> Call[Verdict]:
    """The service's own verification of a finished match."""
    return Call(Verdict, "GET", f"/matches/{match}/verification")


def get_hint(match: str) -> Call[Hint]:
    """A hint for the caller's open decision."""
    return Call(Hint, "GET", f"/matches/{match}/hint")


def get_review(match: str, after: int, limit: int) -> Call[Review]:
    """A review of the decisions of a finished match."""
    return Call(Review, "GET", f"/matches/{match}/review", {"after": after, "limit": limit})


def ask_for_coaching(match: str, seat: int | None) -> Call[Coaching]:
    """What a seat of a finished match could have done better, asked for."""
    return Call(Coaching, "POST", f"/matches/{match}/coaching", {"seat": seat})


def get_coaching(match: str, seat: int | None) -> Call[Coaching]:
    """What a seat of a finished match could have done better."""
    return Call(Coaching, "GET", f"/matches/{match}/coaching", {"seat": seat})


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
    return Call(Match, "POST", f"/matches/{match}/void", body={"reason": reason}, key=_key())


def adjudicate(match: str, placings: Iterable[Placing], reason: str) -> Call[Match]:
    """Adjudicate a result."""
    body = {"placings": list(placings), "reason": reason}
    return Call(Match, "POST", f"/matches/{match}/adjudicate", body=body, key=_key())
