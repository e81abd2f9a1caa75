"""A replay in words: a line for each step, in the sentences of the match and of the game, with names for cards and roles."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import cast

import msgspec

from .....domain.game import AnyGame, Event, Message, Placing
from .....domain.match.events import CardsCommitted, DecisionOpened, MatchAdjudicated, MatchEnded, MatchOpened
from .....domain.match.texts import MATCH_TEXTS
from .....domain.wording import Language, wording
from .replay import Audience, Step, Story, Viewer

TEXTS: Mapping[str, Message] = {
    "open": Message("Alle Karten liegen offen.", "All cards lie open."),
    "public": Message("Von außen gesehen.", "As seen by everyone."),
    "seat": Message("Gesehen von Platz {seat}.", "As seen by seat {seat}."),
    "round": Message("Runde {round}", "Round {round}"),
    "trick": Message("Stich {trick}", "Trick {trick}"),
    "opened": Message("{game}, {seats} Plätze.", "{game}, {seats} seats."),
    "placing": Message("Rang {rank}: Platz {seat}", "rank {rank}: seat {seat}"),
    "placing-scored": Message("Rang {rank}: Platz {seat} ({score})", "rank {rank}: seat {seat} ({score})"),
    "result": Message("Ergebnis: {placings}.", "Result: {placings}."),
    "at": Message("Platz {seat}", "seat {seat}"),
    "of": Message("Platz {seat}: {value}", "seat {seat}: {value}"),
    "yes": Message("ja", "yes"),
    "no": Message("nein", "no"),
    "none": Message("keine", "none"),
}

DETAILS: Mapping[str, Message] = {
    "hands": Message("Hand", "hand"),
    "new_rules": Message("neue Regelkarten", "new rule cards"),
    "pile_card": Message("Stapel", "pile"),
    "palette_cards": Message("Auslagen", "palettes"),
    "target": Message("Ziel", "target"),
    "role": Message("Rolle", "role"),
    "roles": Message("Karten", "cards"),
    "card": Message("Karte", "card"),
    "cards": Message("Karten", "cards"),
    "kept": Message("behalten", "kept"),
    "returned": Message("zurückgelegt", "returned"),
    "drawn": Message("gezogen", "drawn"),
    "received": Message("bekommen", "received"),
    "opened": Message("lagen offen", "lay open"),
    "plays": Message("Karten", "cards"),
    "out": Message("aus dem Spiel", "out of the round"),
    "chosen": Message("Regelkarten", "rule cards"),
}
"""What is added to a sentence that leaves it out, where the viewer knows it."""

KINDS: Mapping[str, str] = {
    **dict.fromkeys(("hands", "pile_card", "palette_cards", "cards", "received", "opened", "out"), "card"),
    **dict.fromkeys(("roles", "kept", "returned", "drawn"), "role"),
}
"""What the values of a field are, where the field is not called so: their names have the keys `<game>.<kind>.<value>`."""

BY_SEAT = frozenset(("palette_cards", "choices", "bids", "coins", "points", "scores"))
"""Fields with a single value for each seat."""

SEATS = frozenset(("seats", "winners"))
"""Fields with numbers of seats. The sentence of a single one says itself that it is a seat."""

_ARGUMENT = re.compile(r"\{(\w+)\}")
_ANNOUNCEMENT = re.compile(r"\.([a-z]+-begun|window-opened)\.\d+$")
"""Events that say who is asked next, which the following decision says better."""


def as_text(story: Story, language: Language) -> Iterator[str]:
    """Yield a line for each step, behind its number and its time, and a heading for each round and trick."""
    words = Words(story.game, language)
    yield f"{story.match}. {words.looking(story.viewer)}"
    heading = ""
    place = ""
    begun_ms = None
    over = False
    for step in story.steps:
        begun_ms = step.at_ms if begun_ms is None else begun_ms
        if not over and heading != (heading := place):
            yield from ("", heading)
        yield f"{step.version:>6} {_clock(step.at_ms - begun_ms):>8}  {' '.join(words.sentences(step))}"
        place = words.place(step, place)
        over = step.view.status.finished


def _clock(ms: int) -> str:
    minutes, seconds = divmod(ms // 1000, 60)
    return f"{minutes}:{seconds:02}"


def _tag(event: Event) -> str:
    return str(event.__struct_config__.tag)


class Words:
    """The words of a game in one language."""

    def __init__(self, game: AnyGame, language: Language) -> None:
        self._game = game
        self._language = language
        self._round = ""

    def looking(self, viewer: Viewer) -> str:
        """Return whose view it is."""
        if isinstance(viewer, Audience):
            return self._own(viewer.value)
        return self._own("seat", seat=viewer)

    def sentences(self, step: Step) -> Iterator[str]:
        """Yield what happened, event by event, except events that need no words."""
        asks = isinstance(step.events[-1], DecisionOpened)
        for event in step.events:
            match event:
                case CardsCommitted():
                    pass
                case _ if asks and _ANNOUNCEMENT.search(_tag(event)):
                    pass
                case DecisionOpened(prompt=prompt, arguments=arguments):
                    yield f"→ {self._fill(self._special(prompt, arguments), arguments)}"
                case MatchOpened():
                    yield from (self._say(event), self._opening(event))
                case MatchEnded(placings) | MatchAdjudicated(placings):
                    yield from (self._say(event), self._result(placings))
                case _:
                    yield self._say(event)

    def place(self, step: Step, before: str) -> str:
        """Return the round and trick after a step, *before* if they have not changed."""
        place = before
        for event in step.events:
            place = self._place(event, place)
        return place

    def _place(self, event: Event, before: str) -> str:
        values: Mapping[str, object] = event.arguments if isinstance(event, DecisionOpened) else msgspec.structs.asdict(event)
        if "round" in values:
            self._round = self._own("round", round=values["round"])
        if isinstance(event, DecisionOpened) and "trick" in values:
            return ", ".join(part for part in (self._round, self._own("trick", trick=values["trick"])) if part)
        return self._round if "round" in values else before

    def _opening(self, event: MatchOpened) -> str:
        name = self._text(self._game.messages[self._game.id])
        options = ", ".join(self._option(name, value) for name, value in event.options.items())
        return " ".join(filter(None, (self._own("opened", game=name, seats=event.seats), options and f"{options}.")))

    def _option(self, name: str, value: object) -> str:
        if isinstance(value, bool):
            said = self._own("yes" if value else "no")
        else:
            said = self._own("none") if value is None else self._value(f"option.{name}", value)
        return f"{self._text(self._game.messages[f'{self._game.id}.option.{name}'])}: {said}"

    def _result(self, placings: tuple[Placing, ...]) -> str:
        ranked = sorted(placings, key=lambda placing: (placing.rank, placing.seat))
        return self._own("result", placings=", ".join(map(self._placing, ranked)))

    def _placing(self, placing: Placing) -> str:
        key = "placing" if placing.score is None else "placing-scored"
        return self._own(key, rank=placing.rank, seat=placing.seat, score=placing.score)

    def _say(self, event: Event) -> str:
        """Return an event's sentence, and behind it what the sentence leaves out of the cards."""
        fields = cast("dict[str, object]", msgspec.to_builtins(event))
        text = self._special(_tag(event), fields)
        left = [name for name in fields if name in DETAILS and f"{{{name}}}" not in text.de]
        details = [f"{self._text(DETAILS[name])} {said}" for name in left if (said := self._value(name, fields[name]))]
        sentence = self._fill(text, fields)
        return f"{sentence.rstrip('.')} ({'; '.join(details)})." if details else sentence

    def _special(self, key: str, arguments: Mapping[str, object]) -> Message:
        """Return the text of a key that fits these arguments best."""
        messages = MATCH_TEXTS if key in MATCH_TEXTS else self._game.messages
        return messages[wording(messages, key, arguments)]

    def _value(self, name: str, value: object) -> str:
        """Return a value in words; if each seat has its own, after the seat's number. Empty for unknown values."""
        match value:
            case None:
                return ""
            case list() | tuple():
                return self._list(name, cast("list[object]", value))
            case dict():
                play = cast("dict[str, object]", value)
                return self._own("of", seat=play["seat"], value=self._value("card", play["card"]))
            case _:
                found = self._game.messages.get(f"{self._game.id}.{KINDS.get(name, name)}.{value}")
                return self._text(found) if found is not None else str(value)

    def _list(self, name: str, values: list[object]) -> str:
        if name == "chosen":  # by rounds, and in each by seats
            rounds = enumerate((self._value("choices", each) for each in values), start=1)
            return "; ".join(f"{self._own('round', round=number)}: {each}" for number, each in rounds)
        if name in SEATS and len(values) > 1:
            return ", ".join(self._own("at", seat=seat) for seat in values)
        said = [self._value(name, each) for each in values]
        if name in BY_SEAT or any(isinstance(each, list | tuple | None) for each in values):
            return " / ".join(self._own("of", seat=seat, value=each) for seat, each in enumerate(said) if each)
        return ", ".join(said)

    def _own(self, key: str, **arguments: object) -> str:
        return self._fill(TEXTS[key], arguments)

    def _fill(self, text: Message, arguments: Mapping[str, object]) -> str:
        return _ARGUMENT.sub(lambda found: self._value(found[1], arguments[found[1]]), self._text(text))

    def _text(self, text: Message) -> str:
        return text.de if self._language is Language.DE else text.en
