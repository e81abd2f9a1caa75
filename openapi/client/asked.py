"""Everything that a client can ask the service, one function for each operation of its contract."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from types import NoneType

from .advice import Hint, Review
from .calls import Call
from .evidence import Checkpoint, Consistency, LeafHashes, LeafProofs, Proof, Proofs, Verdict
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
    Receipt,
    SeatToken,
    SignedUp,
    TokenList,
    View,
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
    """All that there is to know of a game."""
    return Call(GameSheet, "GET", f"/games/{game}")


def get_rules(game: str, lang: str) -> Call[bytes]:
    """A rule sheet, as Markdown."""
    return Call(bytes, "GET", f"/games/{game}/rules", {"lang": lang}, accept="text/markdown")


def get_leaderboard(game: str, cursor: str | None, limit: int) -> Call[Board]:
    """A page of a leaderboard, best first."""
    return Call(Board, "GET", f"/leaderboards/{game}", {"cursor": cursor, "limit": limit})


# Players and tokens


def sign_up(name: str | None, bot: bool) -> Call[SignedUp]:
    """A new player; None for a guest."""
    return Call(SignedUp, "POST", "/players", body={"name": name, "bot": bot})


def get_player(player: str | None) -> Call[Player]:
    """A player; None for the asking one."""
    return Call(Player, "GET", "/me" if player is None else f"/players/{player}")


def rename(name: str) -> Call[Player]:
    """Another name for the asking player."""
    return Call(Player, "PATCH", "/me", body={"name": name})


def delete_me() -> Call[None]:
    """The end of the asking player."""
    return Call(NoneType, "DELETE", "/me")


def list_tokens() -> Call[TokenList]:
    """The own tokens."""
    return Call(TokenList, "GET", "/me/tokens")


def create_token(label: str, scopes: Iterable[str], expires_ms: int | None) -> Call[IssuedToken]:
    """A further token."""
    body = {"label": label, "scopes": list(scopes), "expires_ms": expires_ms}
    return Call(IssuedToken, "POST", "/me/tokens", body=body)


def revoke_token(token: str) -> Call[None]:
    """The end of a token."""
    return Call(NoneType, "DELETE", f"/me/tokens/{token}")


def create_seat_token(match: str, seat: int) -> Call[SeatToken]:
    """A token for the own seat of a match."""
    return Call(SeatToken, "POST", f"/matches/{match}/seats/{seat}/tokens")


def seat_user(match: str, user: str, name: str | None, seat: int | None, nonce: str) -> Call[SeatToken]:
    """A seat for a user of the asking application, and a token for it."""
    body = {"user": user, "name": name, "seat": seat, "nonce": nonce}
    return Call(SeatToken, "POST", f"/matches/{match}/users", body=body, key=_key())


# Matches


def open_match(
    game: str, seats: int, bots: Mapping[int, str], options: Mapping[str, Plain], settings: Mapping[str, Plain]
) -> Call[Receipt]:
    """A new match."""
    seated = [{"seat": at, "bot": bot} for at, bot in bots.items()]
    body = {"game": game, "seats": seats, "options": options, "bots": seated, **settings}
    return Call(Receipt, "POST", "/matches", body=body, key=_key())


def what_if(match: str, decision: int, seat: int, bot: str | None, nonce: str) -> Call[Receipt]:
    """A finished match, taken up again before one of its decisions."""
    body = {"decision": decision, "seat": seat, "bot": bot, "nonce": nonce}
    return Call(Receipt, "POST", f"/matches/{match}/what-if", body=body, key=_key())


def list_matches(own: bool, filters: Mapping[str, str | int]) -> Call[MatchPage]:
    """Matches, newest first."""
    return Call(MatchPage, "GET", "/me/matches" if own else "/matches", filters)


def get_match(match: str) -> Call[Match]:
    """The facts of a match."""
    return Call(Match, "GET", f"/matches/{match}")


def change(match: str, what: str, body: object = None, method: str = "POST") -> Call[Receipt]:
    """Something that changes a match."""
    return Call(Receipt, method, f"/matches/{match}/{what}", body=body, key=_key())


# Play


def get_view(match: str, at: str | None, perspective: str | None = None) -> Call[View]:
    """The match as the asker may know it, now or at a cursor of its feed; of one that is over also as others saw it."""
    return Call(View, "GET", f"/matches/{match}/view", {"at": at, "perspective": perspective})


def give_command(match: str, decision: int, command: Command) -> Call[Receipt]:
    """An answer to a decision."""
    return change(match, "commands", {"decision": decision, "command": command})


def try_command(match: str, decision: int, command: Command) -> Call[None]:
    """Whether an answer to a decision would be refused."""
    body = {"decision": decision, "command": command}
    return Call(NoneType, "POST", f"/matches/{match}/commands", {"dry_run": "true"}, body, _key())


def get_feed(match: str, after: str | None, wait_seconds: int) -> Call[Feed]:
    """The next items of a feed."""
    return Call(Feed, "GET", f"/matches/{match}/feed", {"wait": wait_seconds, "after": after})


# Evidence


def list_proofs(match: str, after: int, limit: int) -> Call[Proofs]:
    """What a match has committed to, and which cards the asker can prove."""
    return Call(Proofs, "GET", f"/matches/{match}/proofs", {"after": after, "limit": limit})


def get_proof(match: str, deal: int, index: int) -> Call[Proof]:
    """The proof of one card."""
    return Call(Proof, "GET", f"/matches/{match}/proofs/{deal}/{index}")


def get_record(match: str) -> Call[bytes]:
    """A finished match whole, as lines."""
    return Call(bytes, "GET", f"/matches/{match}/record", accept=LINES)


def get_verification(match: str) -> Call[Verdict]:
    """What the service finds when it does all of a match again."""
    return Call(Verdict, "GET", f"/matches/{match}/verification")


def get_hint(match: str) -> Call[Hint]:
    """What a search makes of the asker's open decision."""
    return Call(Hint, "GET", f"/matches/{match}/hint")


def get_review(match: str, after: int, limit: int) -> Call[Review]:
    """What a search makes of the decisions of a finished match."""
    return Call(Review, "GET", f"/matches/{match}/review", {"after": after, "limit": limit})


def get_checkpoint() -> Call[Checkpoint]:
    """The newest checkpoint of the log over all matches."""
    return Call(Checkpoint, "GET", "/log/checkpoint")


def get_log_proofs(match: str, size: int | None) -> Call[LeafProofs]:
    """That a match is in the log over all matches."""
    return Call(LeafProofs, "GET", f"/log/proofs/{match}", {"size": size})


def get_log_consistency(earlier: int, later: int | None) -> Call[Consistency]:
    """That the log of a later checkpoint begins with that of an earlier one."""
    return Call(Consistency, "GET", "/log/consistency", {"from": earlier, "to": later})


def list_log_leaves(first: int, limit: int) -> Call[LeafHashes]:
    """The hashes of the log's leaves."""
    return Call(LeafHashes, "GET", "/log/leaves", {"from": first, "limit": limit})


# Webhooks


def create_webhook(url: str, events: Iterable[str], game: str | None, match: str | None) -> Call[IssuedWebhook]:
    """A further webhook."""
    body = {"url": url, "events": list(events), "game": game, "match": match}
    return Call(IssuedWebhook, "POST", "/webhooks", body=body)


def list_webhooks() -> Call[WebhookList]:
    """The own webhooks."""
    return Call(WebhookList, "GET", "/webhooks")


def get_webhook(webhook: str) -> Call[Webhook]:
    """One of the own webhooks."""
    return Call(Webhook, "GET", f"/webhooks/{webhook}")


def change_webhook(webhook: str, changes: Mapping[str, Plain]) -> Call[Webhook]:
    """Another address, other messages, a pause or its end."""
    return Call(Webhook, "PATCH", f"/webhooks/{webhook}", body=changes)


def delete_webhook(webhook: str) -> Call[None]:
    """The end of a webhook."""
    return Call(NoneType, "DELETE", f"/webhooks/{webhook}")


def rotate_webhook_secret(webhook: str) -> Call[IssuedWebhook]:
    """A fresh secret for a webhook."""
    return Call(IssuedWebhook, "POST", f"/webhooks/{webhook}/secret")


def ping_webhook(webhook: str) -> Call[Delivery]:
    """A message that says nothing."""
    return Call(Delivery, "POST", f"/webhooks/{webhook}/ping")


def list_deliveries(webhook: str, cursor: str | None, limit: int) -> Call[DeliveryPage]:
    """What was sent to a webhook, newest first."""
    return Call(DeliveryPage, "GET", f"/webhooks/{webhook}/deliveries", {"cursor": cursor, "limit": limit})


def get_delivery(webhook: str, delivery: str) -> Call[Delivery]:
    """One message to a webhook."""
    return Call(Delivery, "GET", f"/webhooks/{webhook}/deliveries/{delivery}")


def redeliver(webhook: str, delivery: str) -> Call[Delivery]:
    """A message once more."""
    return Call(Delivery, "POST", f"/webhooks/{webhook}/deliveries/{delivery}/redeliveries")


# Operators


def void(match: str, reason: str) -> Call[Match]:
    """A result taken back."""
    return Call(Match, "POST", f"/matches/{match}/void", body={"reason": reason}, key=_key())


def adjudicate(match: str, placings: Iterable[Placing], reason: str) -> Call[Match]:
    """Another result."""
    body = {"placings": list(placings), "reason": reason}
    return Call(Match, "POST", f"/matches/{match}/adjudicate", body=body, key=_key())
