"""What a game is: the contract that every rule set under this folder fulfils.

A game is a set of rules around a mutable `Table`. Deciding never changes a table, folding never refuses one, and
chance is always handed in. Names: *seat* = place 0..n-1, *decision* = something that one or more seats are asked,
*view* = what one seat, or a spectator, may know.

Refusals form one family::

    DomainError
    |-- RuleViolation     the rules forbid this command now; carries a Refusal
    `-- InvalidOptions    options that the game does not offer; names the field
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from typing import Generic, NamedTuple, NewType, Protocol, TypeAlias, TypeVar, cast

import msgspec

from .chance import Chance, Rng
from .event import Event
from .lessons import Lesson
from .message import Message
from .options import Options
from .seats import Seat
from .table import Table

GameId = NewType("GameId", str)
DecisionId = NewType("DecisionId", int)


class Command(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="type"):
    """What a seat wants to do. Imperative; tagged `<game>.<verb-object>`, for instance `coup.claim-tax`."""


class GameView(msgspec.Struct, frozen=True, tag_field="type"):
    """What one viewer may know of a table, built field by field. Tagged with the game's id."""


class Pace(Enum):
    """How much time a decision deserves; a match's clock has one length for each."""

    TURN = "turn"
    REACTION = "reaction"


class Ask(msgspec.Struct, frozen=True):
    """The decision that a table waits for.

    `decision` counts the decisions of this table, from 1, and everyone may know it. `seats` are the seats that everyone
    may know to be asked; `open` are those that have not answered yet, which stays secret.
    `prompt` is a message key (with `arguments`) that says who must do what and why.
    """

    decision: DecisionId
    seats: tuple[Seat, ...]
    open: tuple[Seat, ...]
    prompt: str
    arguments: Mapping[str, str | int]
    pace: Pace


class Refusal(msgspec.Struct, frozen=True):
    """Why a command is not allowed now: a code of the game's closed enum and the arguments of its message."""

    code: str
    arguments: Mapping[str, str | int] = {}


class Choice(msgspec.Struct, frozen=True):
    """One command that a seat might think of, and why it is refused (None: it is legal)."""

    command: Command
    refusal: Refusal | None


class Placing(msgspec.Struct, frozen=True):
    """Where one seat ended: `rank` from 1 (shared ranks are equal), `score` where the game counts points."""

    seat: Seat
    rank: int
    score: int | None = None


class Standing(msgspec.Struct, frozen=True):
    """The result of a finished table: one placing per seat, in seat order."""

    placings: tuple[Placing, ...]

    @property
    def winners(self) -> tuple[Seat, ...]:
        """The seats that share the first rank."""
        return tuple(placing.seat for placing in self.placings if placing.rank == 1)


class Hand(msgspec.Struct, frozen=True):
    """All face-down cards of one seat, each as a text that names it in this game; equal cards have equal texts."""

    seat: Seat
    cards: tuple[str, ...]


class Shown(msgspec.Struct, frozen=True):
    """A face-down card that a seat showed: to everyone, or (`to`) to some seats only.

    If it may stay in the hand after everyone has seen it, there must be no equal card in the game: whether it is the same
    card that is shown again would not be clear.
    """

    seat: Seat
    card: str
    to: tuple[Seat, ...] | None = None


class Face(msgspec.Struct, frozen=True):
    """What is printed on a card: `card` is what commands, events and views call it; its name has the key `<game>.card.<card>`."""

    card: int | str
    suits: tuple[str, ...]
    rank: str = ""
    kinds: tuple[str, ...] = ()


class Level(Enum):
    """How well a bot plays, weakest first.

    That is: any move, what looks good at first sight, rules of thumb, a short or long search, one that weighs what others do, and
    one that does not search but has learned from very many matches.
    """

    RANDOM = "random"
    BEGINNER = "beginner"
    RULES = "rules"
    SEARCH_SMALL = "search-small"
    SEARCH_LARGE = "search-large"
    INFERENCE = "inference"
    POLICY = "policy"


class Character(msgspec.Struct, frozen=True):
    """Who a bot is: its level, what people call it, and how it plays, in words.

    One that is not `offered` may sit in a match, but is not shown where people choose a bot.
    """

    level: Level
    name: Message
    style: Message
    offered: bool = True


class DomainError(Exception):
    """The root of everything the domain raises on purpose."""


class RuleViolation(DomainError):
    """The rules forbid this command now."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.code)
        self.refusal = refusal


class InvalidOptions(DomainError):
    """Options that the game does not offer, or not with this number of seats; `field` names the first wrong one."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{field}: {reason}")
        self.field = field
        self.reason = reason


O = TypeVar("O", bound=Options)  # noqa: E741 - the contract's own letters: options, table, move, command, event, view
T = TypeVar("T", bound=Table)
M = TypeVar("M")
C = TypeVar("C", bound=Command)
E = TypeVar("E", bound=Event)
V = TypeVar("V", bound=GameView)
V_contra = TypeVar("V_contra", bound=GameView, contravariant=True)


class Rulebook(NamedTuple, Generic[T, M, C, E, V]):
    """What a game is made of: functions on its table. Moves are small plain values that stand for commands one to one.

    Commands run on the same functions as searches do, which need neither commands nor events.
    """

    set_up: Callable[[T, Chance], None]
    """Deal, through facts, on a table just created."""
    waiting: Callable[[T], int]
    """Return the first seat that has not answered; NOBODY before the start and after the end."""
    legal: Callable[[T, int], Sequence[M]]
    """Return the moves of a seat in the order of its legal commands. May be the table's own list: not to be changed."""
    apply: Callable[[T, int, M, Chance], None]
    """Carry out a legal move and all that follows from it."""
    default: Callable[[T, int], M]
    """Return the move that is made for an asked seat whose time is up."""
    command_of: Callable[[M], C]
    move_of: Callable[[C], M]
    why_not: Callable[[T, int, C], Refusal | None]
    menu: Callable[[T, int], list[Choice]]
    fold: Callable[[T, E], None]
    view: Callable[[T, Seat | None], V]
    dealt: Callable[[T, E], tuple[Hand, ...]]
    shown: Callable[[E], tuple[Shown, ...]]
    determinize: Callable[[V, Rng], T]


class Game(ABC, Generic[O, T, M, C, E, V]):
    """One rule set. Instances hold no state of a match.

    `rules_version` grows whenever a stored table could fold or decide differently. A game that still knows an older version
    gives it by `of_version`, so that matches go on by the rules that they began with.
    """

    id: GameId
    rules_version: int
    min_seats: int
    max_seats: int
    rulebook: Rulebook[T, M, C, E, V]
    options_type: type[O]
    command_types: tuple[type[C], ...]
    event_types: tuple[type[E], ...]
    view_type: type[V]
    refusals: type[Enum]
    messages: Mapping[str, Message]
    """Texts for the game's name (`<game>`), prompts, refusals (`<game>.refusal.<code>`), commands and events."""
    characters: Mapping[str, Character] = {}
    """Who plays under names of this game's own, and who in its own way; `domain/bots.py` has the common ones."""
    lesson: Lesson | None = None
    """A guided first match, if the game has one."""
    pictured: tuple[int | str | None, ...] = ()
    """The cards in a small picture of the game, three of `faces`; None is one that lies face down."""

    @abstractmethod
    def check(self, options: O, seats: int) -> None:
        """Raise `InvalidOptions` if the game does not offer *options* for *seats*."""

    @abstractmethod
    def create(self, options: O, seats: int) -> T:
        """Return the table before anything has happened."""

    def of_version(self, rules_version: int) -> Game[O, T, M, C, E, V]:
        """Return the game by the rules of that version if it still has them, else itself."""
        return self

    def start(self, table: T, chance: Chance) -> list[E]:
        """Return the facts of setting up and dealing. The table itself stays as it is."""
        return self.record(table, lambda work: self.rulebook.set_up(work, chance))

    def play(self, table: T, seat: Seat, command: C, chance: Chance) -> None:
        """Carry out a legal *command* on *table*, through facts only. Does not check legality."""
        self.rulebook.apply(table, seat, self.rulebook.move_of(command), chance)

    def fold(self, table: T, event: E) -> None:
        """Apply a fact in place. Never refuses, never checks, accepts every event ever written."""
        self.rulebook.fold(table, event)

    @abstractmethod
    def pending(self, table: T) -> Ask | None:
        """Return what is asked now; None before the start and after the end."""

    def legal(self, table: T, seat: Seat) -> list[C]:
        """Return every command that *seat* may give now, without doubles, in a stable order; empty if it is not asked.

        A seat that has answered is still offered other answers where the rules let it change its mind until all are in.
        """
        return [self.rulebook.command_of(move) for move in self.rulebook.legal(table, seat)]

    def asks(self, table: T, seat: Seat) -> bool:
        """Return whether *seat* may give any command now."""
        return bool(self.rulebook.legal(table, seat))

    def why_not(self, table: T, seat: Seat, command: C) -> Refusal | None:
        """Return why *command* is refused now, or None if and only if it is legal.

        Depends on nothing but what *seat* may know.
        """
        return self.rulebook.why_not(table, seat, command)

    def answered(self, table: T, seat: Seat) -> C | None:
        """Return the answer of *seat* to the open decision that stands and may still be changed, None if there is none."""
        return None

    def menu(self, table: T, seat: Seat) -> list[Choice]:
        """Return the commands that *seat* could think of at the open decision, each with its refusal if it is illegal."""
        return self.rulebook.menu(table, seat)

    def default(self, table: T, seat: Seat) -> C:
        """Return the move that is made for an asked *seat* whose time is up. Always legal."""
        return self.rulebook.command_of(self.rulebook.default(table, seat))

    def view(self, table: T, seat: Seat | None) -> V:
        """Return what *seat* (None: a spectator) may know, built by allow-list. Works before, during and after play."""
        return self.rulebook.view(table, seat)

    def prompt_arguments(self, view: V) -> Mapping[str, str | int]:
        """Return more arguments for the wording of the open prompt, from a view: what is not stored with the decision."""
        return {}

    def plays_on(self, table: T, seat: Seat) -> bool:
        """Return whether *seat* may be asked again in this match; everyone may know it. A game whose seats can be out says so."""
        return True

    @abstractmethod
    def standing(self, table: T) -> Standing | None:
        """Return the result once the game is over, None before."""

    @abstractmethod
    def rematch(self, options: O, standing: Standing) -> O:
        """Return the options of a rematch after *standing* (for instance the winner begins)."""

    def determinize(self, view: V, rng: Rng) -> T:
        """Return a table, drawn at random, that agrees with everything the viewer may know."""
        return self.rulebook.determinize(view, rng)

    @abstractmethod
    def bots(self) -> Mapping[str, Bot[V, C]]:
        """Return the bots of this game by name; `random` is always one of them."""

    def exploiters(self) -> Mapping[str, Bot[V, C]]:
        """Return opponents that look for weaknesses of the strongest bot: the arena plays them, no match offers them."""
        return {}

    def dealt(self, table: T, event: E) -> tuple[Hand, ...]:
        """Return the whole hands of the seats to which *event* gave face-down cards, or whose hands it changed unseen.

        *table* is the table just after the event. Everyone may know which seats these are, and how many cards each holds.
        The match commits to what is returned, so a card that is shown later can be proved without telling where it came from.
        """
        return self.rulebook.dealt(table, event)

    def shown(self, event: E) -> tuple[Shown, ...]:
        """Return the cards that *event* shows out of hands as they were before it, in order."""
        return self.rulebook.shown(event)

    def faces(self) -> tuple[Face, ...]:
        """Return all different cards of the game, so that clients can draw them."""
        return ()

    def decide(self, table: T, seat: Seat, command: C, chance: Chance) -> list[E]:
        """Return the facts that *command* of *seat* causes, without changing *table*; raise RuleViolation if it is illegal."""
        if (refusal := self.why_not(table, seat, command)) is not None:
            raise RuleViolation(refusal)
        return self.record(table, lambda work: self.play(work, seat, command, chance))

    def record(self, table: T, action: Callable[[T], None]) -> list[E]:
        """Return the facts that *action* causes on a copy of *table*."""
        facts: list[E] = []
        work = table.copy()
        work.emit = cast("Callable[[Event], None]", facts.append)  # a table of this game emits this game's events only
        action(work)
        return facts


class Budget(Protocol):
    """How long a bot may think: by steps where choices are to be repeatable, by time at a table with people."""

    def allows(self, steps: int) -> bool:
        """Return whether one more step of thinking may follow after *steps*."""
        ...


class Bot(Protocol[V_contra, C]):
    """A player that decides from its seat's view alone."""

    def choose(self, view: V_contra, legal: Sequence[C], rng: Rng, budget: Budget) -> C:
        """Return one of *legal*. Same view, legal commands, rng state and number of steps: same choice.

        *budget* bounds the thinking where the bot searches; simple bots ignore it.
        """
        ...


AnyGame: TypeAlias = Game[Options, Table, object, Command, Event, GameView]
"""A game as the layers above see it: every value went through the game's own types before."""
