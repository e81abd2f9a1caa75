"""The table of draws on the page on fair dealing: who follows it deals every deck of a record again, without our rules."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
import pytest
from msgspec import UNSET

from tafelrunde.domain.game import GameId, Seat
from tafelrunde.domain.match.commands import BotPlay, TimeOut
from tafelrunde.domain.registry import GAMES as REGISTERED
from tests.service.features.records.test_record import REAL, Story, opening, story
from tests.support.cases import Case
from tests.support.stranger import THEIRS

Event = dict[str, Any]
Draw = Callable[..., Any]
FIRST_DRAWS = ("first-seat", "first-dealer", "first-leader", "rule-cards")
STRENGTH = [face.card for face in REGISTERED[GameId("mondkrone")].faces()]


class Stranger:
    """Deals a record again: keeps what the page says that has to be kept, and compares every event that follows from a draw."""

    def __init__(self, lines: Sequence[bytes]) -> None:
        rows = [json.loads(line) for line in lines]
        self.head = rows[0]
        self.end = rows[-2]
        self.entries = [row for row in rows if row["line"] == "entry"]
        self.seats = self.head["seats"]
        self.options = self.head["options"]
        self.keyed = any(entry["event"]["type"] == "match.draws-keyed.1" for entry in self.entries)
        self.counts: Counter[str] = Counter()
        self.version = self.draws = 0
        self.noted: list[str] = []
        self.court: list[str] = []
        self.hands: list[list[str]] = []
        self.third: list[str] = []
        self.drafted: dict[int, str] = {}
        self.taken: list[str] = []
        self.laid: set[str] = set()
        self.first: int | None = None

    def draw(self, label: str) -> str:
        """Return the prefix of the next draw with a label."""
        nonces = self.end["nonces"]
        if self.keyed:
            assert self.noted.pop(0) == label
            prefix = THEIRS["prefix"](self.head["match"], nonces, label, self.counts[label])
        else:
            prefix = f"tafelrunde/1|{self.head['match']}|{','.join(nonces)}|{self.version}|{label}|{self.draws}"
        self.counts[label] += 1
        self.draws += 1
        return prefix

    def shuffle(self, label: str, items: Sequence[Any]) -> list[Any]:
        """Return items in the order of the next draw."""
        return THEIRS["shuffle"](self.end["secret"], self.draw(label), items)

    def choose(self, label: str, option: str) -> int:
        """Return who begins."""
        if self.options[option] != "random":
            return self.options[option]
        return THEIRS["below"](THEIRS["words"](self.end["secret"], self.draw(label)), self.seats)

    def follow(self) -> int:
        """Follow all entries; return how many draws were made."""
        for number, entry in enumerate(self.entries):
            if entry["command"] is not None:
                self.version = number
                self.draws = 0
            event = entry["event"]
            if event["type"] == "match.drawn.1":
                assert not self.noted
                self.noted = list(event["labels"])
            else:
                wanted = getattr(self, event["type"].rpartition(".")[0].replace(".", "_").replace("-", "_"), self.other)(event)
                assert {name: event[name] for name in wanted} == wanted
        assert not self.noted
        return self.counts.total()

    def other(self, _: Event) -> Event:
        """Nothing is drawn for it."""
        return {}

    def coup_dealt(self, event: Event) -> Event:
        """The first hands."""
        if self.options["duel_draft"]:
            self.hands = [sorted((self.drafted[seat], self.third[seat])) for seat in range(2)]
            self.court = self.third[2:]
        else:
            self.first = self.choose("first-seat", "first_seat")
            deck = self.shuffle("deal", [role for role in self.roles() for _ in range(3)])
            self.hands = [sorted(deck[2 * seat : 2 * seat + 2]) for seat in range(self.seats)]
            self.court = deck[2 * self.seats :]
        return {"hands": self.hands, "court": self.court}

    def roles(self) -> list[str]:
        """Return the roles by name."""
        return sorted(("assassin", "captain", "contessa", "duke", self.options["fifth_role"]))

    def coup_sets_taken(self, event: Event) -> Event:
        """The third set of a draft."""
        self.first = self.choose("first-seat", "first_seat")
        self.third = self.shuffle("third-set", self.roles())
        return {"first": self.first, "third": self.third}

    def coup_card_drafted(self, event: Event) -> Event:
        """A drafted card."""
        self.drafted[event["seat"]] = event["role"]
        return {}

    def coup_turn_begun(self, event: Event) -> Event:
        """The first turn."""
        first = self.first
        self.first = None
        return {} if first is None else {"seat": first}

    def coup_influence_lost(self, event: Event) -> Event:
        """A card turned up."""
        self.hands[event["seat"]].remove(event["role"])
        return {}

    def coup_claim_proved(self, event: Event) -> Event:
        """A card shown and replaced."""
        return self.replaced(event["seat"], event["role"])

    def coup_card_replaced(self, event: Event) -> Event:
        """An examined card replaced."""
        return self.replaced(event["target"], event["returned"])

    def replaced(self, seat: int, role: str) -> Event:
        """Put a card back, and draw another."""
        drawn, *self.court = self.shuffle("court", [*self.court, role])
        self.hands[seat].remove(role)
        self.hands[seat] = sorted([*self.hands[seat], drawn])
        return {"drawn": drawn, "court": self.court}

    def coup_cards_drawn(self, event: Event) -> Event:
        """Cards drawn for an exchange."""
        self.taken = sorted(self.court[: event["count"]])
        self.court = self.court[event["count"] :]
        return {"roles": self.taken}

    def coup_cards_returned(self, event: Event) -> Event:
        """Cards given back."""
        back = [*self.hands[event["seat"]], *self.taken]
        for role in event["kept"]:
            back.remove(role)
        self.hands[event["seat"]] = sorted(event["kept"])
        self.court = self.shuffle("court", [*self.court, *back])
        return {"court": self.court}

    def matchmaster_dealt(self, event: Event) -> Event:
        """A round of MatchMaster."""
        number, size, dealer = event["round"], event["size"], event["dealer"]
        wanted = {"dealer": self.choose("first-dealer", "first_dealer")} if number == 1 else {}
        deck = self.shuffle(f"deal-{number}", range(52))
        places = [(seat - dealer - 1) % self.seats for seat in range(self.seats)]
        return {**wanted, "hands": [sorted(deck[size * place : size * (place + 1)]) for place in places]}

    def meister_coup_dealt(self, event: Event) -> Event:
        """A round of Meister Coup."""
        wanted = {"leader": self.choose("first-leader", "first_leader")} if event["round"] == 1 else {}
        deck = self.shuffle("cards", range(48))[: 8 * self.seats]
        return {**wanted, "hands": [sorted(deck[seat :: self.seats]) for seat in range(self.seats)]}

    def mondkrone_round_dealt(self, event: Event) -> Event:
        """A round of Mondkrone."""
        size = event["hand_size"]
        seats = self.seats
        cards = [card for card in self.deck() if card not in self.laid]
        deck = self.shuffle("deal", cards)
        hands = [sorted(deck[size * seat : size * (seat + 1)], key=STRENGTH.index) for seat in range(seats)]
        rest = deck[size * seats :]
        return {"hands": hands, "palette_cards": rest[:seats], "deck": rest[seats:]}

    def deck(self) -> Iterator[str]:
        """Yield the cards of the deck, the weakest first."""
        for face in REGISTERED[GameId("mondkrone")].faces():
            standard = face.rank not in ("pawn", "court")
            if face.card != "ace-of-moons" and (standard or self.options["deck"] == "extended"):
                yield str(face.card)

    def mondkrone_cards_laid_aside(self, event: Event) -> Event:
        """Cards scored."""
        self.laid.update(event["cards"])
        return {}

    def stich_meister_dealt(self, event: Event) -> Event:
        """A round of Stich-Meister."""
        wanted: Event = {}
        if event["round"] == 1:
            wanted["dealer"] = self.choose("first-dealer", "first_dealer")
            if self.options["rules"] is None:
                rules = self.shuffle("rule-cards", range(1, 61))
                wanted["new_rules"] = [rules[3 * seat : 3 * seat + 3] for seat in range(self.seats)]
                wanted["rule_deck"] = rules[3 * self.seats :]
        cards = [card for card in range(60) if self.seats > 3 or card % 15 not in (0, 9, 12)]
        deck = self.shuffle("cards", cards)
        size = len(deck) // self.seats
        return {**wanted, "hands": [sorted(deck[size * seat : size * (seat + 1)]) for seat in range(self.seats)]}


@pytest.mark.parametrize("case", [pytest.param(case, id=case.name) for case in REAL])
def test_every_deck_of_a_record_is_dealt_again_by_the_page(case: Case) -> None:
    """All games with all options, and every draw was noted."""
    stranger = Stranger(story(case).lines())
    assert stranger.keyed
    assert stranger.follow() > 0


@pytest.mark.parametrize("case", [pytest.param(case, id=case.name) for case in REAL if case.name.endswith("-default")])
def test_decks_of_version_1_are_dealt_again_by_the_page(case: Case) -> None:
    """The lists are the same; the prefix has the length of the log."""
    told = Story()
    rng = random.Random(case.name)
    told.do(msgspec.structs.replace(opening(case.game, case.seats, {}, people=0), draws=UNSET))
    while (ask := told.match.pending()) is not None and (decision := told.match.open_decision()) is not None:
        seat = rng.choice(ask.open)
        late = rng.random() < 0.05
        command = rng.choice(told.match.game.legal(told.match.table, seat))
        told.do(TimeOut(decision) if late else BotPlay(Seat(seat), decision, command))
    stranger = Stranger(told.lines())
    assert not stranger.keyed
    assert stranger.follow() > 0


def test_wrong_deck_is_noticed() -> None:
    """A stranger who follows the page sees two cards that changed places."""
    rows: list[Mapping[str, Any]] = []
    for line in story(next(case for case in REAL if case.name == "coup-3-default")).lines():
        row = json.loads(line)
        if row["line"] == "entry" and row["event"]["type"] == "coup.dealt.1":
            court = row["event"]["court"]
            court[0], court[-1] = court[-1], court[0]
            assert court[0] != court[-1]
        rows.append(row)
    with pytest.raises(AssertionError, match="court"):
        Stranger([msgspec.json.encode(row) for row in rows]).follow()
