"""Proofs of cards: who may have which, out of a match's log.

A seat may prove the cards of its own hands at once, every viewer a card that its seat has shown, and every viewer all cards
once the match is over or aborted. Equal cards of one hand are shown in the order of their copies, whichever of them it was;
their places are random, so this reveals nothing either.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from ...domain.game import AnyGame, Event, GameId, Hand, Seat, Shown
from ...domain.match import MatchId
from ...domain.match.events import CardsCommitted, MatchAborted, MatchEnded, is_match_event
from ...domain.match.state import Match
from ..dealing.commitments import CardProof, Deal
from ..errors import CorruptHistory, NotFound
from ..matches.codec import Codec
from ..matches.recent import WEIGHT_EACH, Recent
from ..matches.repository import Loaded

NEVER = 1 << 62


class KnownCard(msgspec.Struct, frozen=True, kw_only=True):
    """A card that the caller can prove."""

    index: int
    seat: Seat
    card: str


class Commitment(msgspec.Struct, frozen=True, kw_only=True):
    """One deal: its root in hex, its number of cards, and those of them that the caller can prove."""

    deal: int
    size: int
    root: str
    cards: tuple[KnownCard, ...]


class ProofPage(msgspec.Struct, frozen=True, kw_only=True):
    """Deals in order; `secret` is None until it is revealed; the next page, if there is one, begins after deal `next`."""

    match: MatchId
    commitment: str
    secret: str | None
    items: tuple[Commitment, ...]
    next: int | None


class CardViewer(msgspec.Struct, frozen=True):
    """A caller: a seat, or (None) a spectator, up to which version it knows the match, and whether its end reveals nothing."""

    seat: Seat | None
    version: int
    sealed: bool = False


class Dealt:
    """A deal with its history: since which version it exists, and to whom its cards were shown since when."""

    def __init__(self, deal: Deal, version: int) -> None:
        self.deal = deal
        self.version = version
        self._public: dict[int, int] = {}
        self._private: dict[tuple[int, Seat], int] = {}

    def show(self, shown: Shown, version: int) -> None:
        """Note that a card was shown: the first copy of it that is not public yet. A card is shown only once."""
        index = self._first_hidden(shown)
        if index is None:
            return
        if shown.to is None:
            self._public[index] = version
        for seat in shown.to or ():
            self._private.setdefault((index, seat), version)

    def _first_hidden(self, shown: Shown) -> int | None:
        cards = enumerate(self.deal.cards)
        alike = ((card.copy, index) for index, card in cards if (card.seat, card.card) == (shown.seat, shown.card))
        hidden = [(copy, index) for copy, index in alike if index not in self._public]
        return min(hidden)[1] if hidden else None

    def may_know(self, index: int, look: CardViewer) -> bool:
        """Return whether the caller may know a card."""
        if self.deal.cards[index].seat == look.seat or self._public.get(index, NEVER) <= look.version:
            return True
        return look.seat is not None and self._private.get((index, look.seat), NEVER) <= look.version


class DealProofs:
    """All deals of one match, up to a version; extended as the match continues."""

    def __init__(self, match_id: MatchId, blank: Match, history: list[bytes]) -> None:
        self.history = history
        self._name = match_id
        self._match = blank
        self._version = 0
        self._revealed = NEVER
        self._deals: list[Dealt] = []
        self._newest: dict[Seat, Dealt] = {}
        self._hands: tuple[Hand, ...] = ()

    def extend(self, loaded: Loaded, codec: Codec) -> None:
        """Add what has happened up to the loaded version. Cost grows with the number of new entries."""
        while self._version < loaded.version:
            event = codec.decode(loaded.entries[self._version])[1]
            self._version += 1
            self._match.fold(event)
            self._note(event)

    def _note(self, event: Event) -> None:
        match event:
            case CardsCommitted():
                self._commit(event)
            case MatchEnded() | MatchAborted():
                self._revealed = self._version
            case _ if not is_match_event(event):
                self._note_cards(event)
            case _:
                pass  # the other facts around the table move no cards

    def _note_cards(self, event: Event) -> None:
        if self._match.commits:
            for shown in self._match.game.shown(event):
                self._newest[shown.seat].show(shown, self._version)
            self._hands = self._match.game.dealt(self._match.table, event)

    def _commit(self, event: CardsCommitted) -> None:
        deal = Deal(self._name, self._match.facts.secret or "", event.deal, self._hands)
        if deal.root.hex() != event.root:
            raise CorruptHistory("a commitment does not fit the cards")
        dealt = Dealt(deal, self._version)
        self._deals.append(dealt)
        self._newest.update((hand.seat, dealt) for hand in self._hands)

    def page(self, look: CardViewer, after: int, limit: int) -> ProofPage:
        """Return the deals after number *after*, up to a maximum, as the caller may know them."""
        seen = [dealt for dealt in self._deals[after:] if dealt.version <= look.version]
        facts = self._match.facts
        return ProofPage(
            match=self._name,
            commitment=facts.commitment,
            secret=facts.secret if self.may_know_secret(look) else None,
            items=tuple(self._commitment(dealt, look) for dealt in seen[:limit]),
            next=after + limit if len(seen) > limit else None,
        )

    def _commitment(self, dealt: Dealt, look: CardViewer) -> Commitment:
        deal = dealt.deal
        return Commitment(
            deal=deal.number, size=len(deal.cards), root=deal.root.hex(), cards=tuple(self._known_cards(dealt, look))
        )

    def _known_cards(self, dealt: Dealt, look: CardViewer) -> Iterator[KnownCard]:
        for index, card in enumerate(dealt.deal.cards):
            if self.may_know_secret(look) or dealt.may_know(index, look):
                yield KnownCard(index=index, seat=card.seat, card=card.card)

    def may_know_secret(self, look: CardViewer) -> bool:
        """Return whether the caller may know the secret."""
        return self._revealed <= look.version and not look.sealed

    def proof(self, look: CardViewer, deal: int, index: int) -> CardProof:
        """Return the proof of a card; raise NotFound for everything that the caller may not know, whether it exists or not."""
        dealt = self._deals[deal - 1] if 1 <= deal <= len(self._deals) else None
        if dealt is None or dealt.version > look.version or not 0 <= index < len(dealt.deal.cards):
            raise NotFound("proof")
        if not (self.may_know_secret(look) or dealt.may_know(index, look)):
            raise NotFound("proof")
        return dealt.deal.proof(index)


class CardProofs:
    """The proofs that a process has built, the least recently used dropped first."""

    def __init__(self, games: Mapping[GameId, AnyGame], codec: Codec, limit: int) -> None:
        self._games = games
        self._codec = codec
        self._card_proofs: Recent[MatchId, DealProofs] = Recent(limit, WEIGHT_EACH * limit)

    def of(self, match_id: MatchId, loaded: Loaded) -> DealProofs:
        """Return the proofs of a match, at least up to the loaded version."""
        proofs = self._card_proofs.get(match_id)
        if proofs is None or proofs.history is not loaded.entries:
            proofs = DealProofs(match_id, Match(self._games), loaded.entries)
        proofs.extend(loaded, self._codec)
        self._card_proofs.put(match_id, proofs, loaded.version)
        return proofs
