"""Chance for two worlds: the second one's decks have two cards exchanged, and all that is public about them stays the same."""

from __future__ import annotations

import random
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from types import SimpleNamespace
from typing import TypeVar
from unittest.mock import patch

from tafelrunde.domain.game import GameId, Hand, Seat
from tafelrunde.domain.match import MatchId
from tafelrunde.domain.match.commands import MatchCommand, OpenMatch
from tafelrunde.domain.match.decide import Dealer
from tafelrunde.domain.match.state import Match
from tafelrunde.service.dealing import commitments, merkle
from tafelrunde.service.dealing.commitments import Card
from tafelrunde.service.features.daily import deals
from tafelrunde.service.features.inbox import memory as inbox_memory
from tafelrunde.service.matches import command_handler
from tests.support.facts import facts_of

Element = TypeVar("Element")

_swaps: ContextVar[int | None] = ContextVar("swaps", default=None)


def back_of(game: GameId, card: object) -> object:
    """Return what everyone sees of a card that lies face down."""
    back = facts_of(game).back_of
    return back(card) if back is not None and isinstance(card, int) else None


class Swapping:
    """Chance that exchanges two cards of every deck whose backs look alike; `seed` says which."""

    def __init__(self, chance: Dealer, game: GameId, seed: int) -> None:
        self._chance = chance
        self._game = game
        self._seed = seed

    def shuffle(self, label: str, items: Sequence[Element]) -> list[Element]:
        """Return the items in the order of the other chance, but for two of them."""
        deck = self._chance.shuffle(label, items)
        rng = random.Random(f"{self._seed}/{label}/{len(deck)}")
        one = rng.randrange(len(deck))
        back = back_of(self._game, deck[one])
        other = rng.choice([place for place, card in enumerate(deck) if back_of(self._game, card) == back])
        deck[one], deck[other] = deck[other], deck[one]
        return deck

    def below(self, label: str, bound: int) -> int:
        """Return what the other chance gives."""
        return self._chance.below(label, bound)

    def commit(self, deal: int, hands: Sequence[Hand]) -> str:
        """Return what the other chance gives."""
        return self._chance.commit(deal, hands)


class Coupled:
    """The order of leaves: in the second world, cards that the same deal of the first world has too stand where they stand there.

    An order at random stays one when it is chosen so. What differs between the worlds is then the cards, not their places.
    """

    def __init__(self) -> None:
        self._order = commitments.order
        self._first: dict[int, list[Card]] = {}

    def __call__(self, match: MatchId, secret: str, deal: int, cards: Sequence[Card]) -> list[Card]:
        """Return the cards in the order of their leaves."""
        usual = self._order(match, secret, deal, cards)
        if _swaps.get() is None:
            self._first[deal] = usual
            return usual
        model = self._first.get(deal, [])
        alike = sorted(card.seat for card in model) == sorted(card.seat for card in usual)
        return _placed(model, usual) if alike else usual


def _placed(model: Sequence[Card], cards: Sequence[Card]) -> list[Card]:
    """Return the cards so that those which the model has stand as there, and the others at places of the same seats."""
    rest = [card for card in cards if card not in model]
    return [place if place in cards else rest.pop(_of_seat(rest, place.seat)) for place in model]


def _of_seat(cards: Sequence[Card], seat: Seat) -> int:
    return next(index for index, card in enumerate(cards) if card.seat == seat)


def _blank_leaf(salt: bytes, content: str) -> bytes:
    """Return a leaf that does not depend on its card, as without the salt no one could see that it does."""
    return merkle.leaf_hash(salt + content.rsplit("|", 1)[0].encode())


def _swapped(dealer: Callable[..., Dealer]) -> Callable[..., Dealer]:
    """Return a way to make dealers that swap in the world that says so."""

    def dealer_for(id_: MatchId, match: Match, command: MatchCommand, version: int) -> Dealer:
        seed = _swaps.get()
        chance = dealer(id_, match, command, version)
        game = (command if isinstance(command, OpenMatch) else match).settings.game
        return chance if seed is None else Swapping(chance, game, seed)

    return dealer_for


@contextmanager
def swapping(seed: int | None) -> Generator[None]:
    """Let what is done in the block be done in the world of that seed; None is the first world."""
    token = _swaps.set(seed)
    try:
        yield
    finally:
        _swaps.reset(token)


def _secret_of_a_day() -> str:
    """Return the same secret in both worlds: it is drawn apart from the cards of all other matches."""
    return "da" * 32


def _seed_of_an_inbox(size: int) -> str:
    """Return the same seed in both worlds: it is drawn apart from all cards, and a part of every cursor."""
    return "5e" * size


@contextmanager
def coupled() -> Generator[None]:
    """Let services deal as two worlds."""
    with (
        patch.object(command_handler, "dealer_for", _swapped(command_handler.dealer_for)),
        patch.object(commitments, "order", Coupled()),
        patch.object(commitments, "leaf_of", _blank_leaf),
        patch.object(deals, "new_secret", _secret_of_a_day),
        patch.object(inbox_memory, "secrets", SimpleNamespace(token_hex=_seed_of_an_inbox)),
    ):
        yield
