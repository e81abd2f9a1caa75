"""A stored match told again, item by item, to one viewer: a seat, the public, or (once it is over) with all cards open."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from enum import Enum
from typing import TypeAlias

import msgspec

from ..domain.game import Event, Message, Seat
from ..domain.match import MatchId, Status
from ..domain.match.messages import DecisionOpened, MatchOpened
from ..service.errors import Forbidden, NotFound
from ..service.house import House
from ..service.matches import Loaded
from ..service.settings import Settings
from .deployment import connect


class Audience(Enum):
    """A viewer without a seat."""

    PUBLIC = "public"
    OPEN = "open"


Viewer: TypeAlias = "Seat | Audience"


class Language(Enum):
    """The languages of all texts."""

    DE = "de"
    EN = "en"


class Item(msgspec.Struct, frozen=True, kw_only=True):
    """One event as the viewer may know it: its number among those, and its time."""

    n: int
    at_ms: int
    event: Event


class Story(msgspec.Struct, frozen=True, kw_only=True):
    """All items of one viewer, and the game's texts for them."""

    items: tuple[Item, ...]
    messages: Mapping[str, Message]


def read_viewer(text: str) -> Viewer:
    """Return the viewer that *text* names; raise NotFound."""
    if text.isdecimal():
        return Seat(int(text))
    try:
        return Audience(text)
    except ValueError as error:
        raise NotFound(f"viewer {text!r}: say a seat, public or open") from error


async def told(settings: Settings, match: MatchId, viewer: Viewer) -> Story:
    """Return what a viewer may know of a stored match; raise NotFound, Forbidden if it is not over and shall be open."""
    async with await connect(settings) as stores:
        house = House(stores, settings)
        loaded = await house.matches.current(match)
        return Story(items=tuple(_items(house, match, loaded, viewer)), messages=loaded.match.game.messages)


def _items(house: House, match: MatchId, loaded: Loaded, viewer: Viewer) -> Iterator[Item]:
    if viewer is Audience.OPEN:
        return _everything(house, loaded)
    if viewer is not Audience.PUBLIC and viewer >= len(loaded.match.chairs):
        raise NotFound("seat")
    feed = house.feeds.of(match, loaded, None if viewer is Audience.PUBLIC else viewer)
    return (Item(n=item.n, at_ms=item.at_ms, event=item.event) for item in feed.items)


def _everything(house: House, loaded: Loaded) -> Iterator[Item]:
    if loaded.match.status not in (Status.OVER, Status.ABORTED):
        raise Forbidden("the cards are shown when the match is over")
    decoded = (house.matches.codec.decode(entry) for entry in loaded.entries[: loaded.version])
    return (Item(n=n, at_ms=envelope.time_ms, event=event) for n, (envelope, event) in enumerate(decoded, start=1))


def as_json(story: Story) -> Iterator[str]:
    """Yield one JSON object for each item."""
    for item in story.items:
        yield msgspec.json.encode(item).decode()


def as_text(story: Story, language: Language) -> Iterator[str]:
    """Yield one line for each item; a decision begins a paragraph."""
    texts = {**_TEXTS, **story.messages}
    began_ms = story.items[0].at_ms if story.items else 0
    for item in story.items:
        seconds = (item.at_ms - began_ms) / 1000
        if isinstance(item.event, DecisionOpened):
            yield ""
        yield f"{item.n:>5} {seconds:>9.3f} s  {_sentence(item.event, texts, language)}"


def _sentence(event: Event, texts: Mapping[str, Message], language: Language) -> str:
    tag = event.__struct_config__.tag
    fields: dict[str, object] = msgspec.to_builtins(event)
    match event:
        case DecisionOpened():
            prompt = texts.get(event.prompt)
            fields["prompt"] = _filled(prompt, language, event.arguments) if prompt is not None else event.prompt
        case MatchOpened():
            fields["options"] = ", ".join(f"{name}={value}" for name, value in event.options.items())
        case _:
            pass
    text = texts.get(str(tag)) or texts.get(str(tag).rpartition(".")[0])
    return _filled(text, language, fields) if text is not None else _plain(fields)


def _filled(text: Message, language: Language, fields: Mapping[str, object]) -> str:
    template = text.de if language is Language.DE else text.en
    return re.sub(r"\{(\w+)\}", lambda found: _shown(fields.get(found[1])), template)


def _shown(value: object) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(map(_shown, value))  # pyright: ignore[reportUnknownArgumentType] - plain data of any shape
    return "?" if value is None else str(value)


def _plain(fields: Mapping[str, object]) -> str:
    rest = ", ".join(f"{name} {_shown(value)}" for name, value in fields.items() if name != "type" and value is not None)
    return f"{fields['type']}: {rest}" if rest else str(fields["type"])


_TEXTS: Mapping[str, Message] = {
    "match.opened": Message(
        "Partie eröffnet: {game}, {seats} Plätze ({options}). Verpflichtung {commitment}.",
        "Match opened: {game}, {seats} seats ({options}). Commitment {commitment}.",
    ),
    "match.branched": Message(
        "Von der Partie {match}, vor Entscheidung {decision}.", "Taken up from match {match}, before decision {decision}."
    ),
    "match.seat-taken": Message("Platz {seat}: {player} setzt sich.", "Seat {seat}: {player} sits down."),
    "match.bot-seated": Message("Platz {seat}: Bot {bot}.", "Seat {seat}: bot {bot}."),
    "match.seat-left": Message("Platz {seat} wird frei.", "Seat {seat} becomes empty."),
    "match.cards-committed": Message(
        "Verpflichtung {deal} auf {size} verdeckte Karten: {root}.", "Commitment {deal} to {size} cards dealt face down: {root}."
    ),
    "match.started": Message("Die Partie beginnt.", "The match begins."),
    "match.decision-opened": Message(
        "Entscheidung {decision}, Plätze {seats}: {prompt}", "Decision {decision}, seats {seats}: {prompt}"
    ),
    "match.timed-out": Message("Platz {seat}: die Zeit ist um.", "Seat {seat}: time is up."),
    "match.stand-in-seated": Message("Platz {seat}: Bot {bot} springt ein.", "Seat {seat}: bot {bot} stands in."),
    "match.seat-handed-back": Message("Platz {seat}: wieder selbst am Zug.", "Seat {seat}: the player is back."),
    "match.abort-agreed": Message("Platz {seat} möchte abbrechen.", "Seat {seat} agrees to abort."),
    "match.abort-withdrawn": Message("Platz {seat} spielt doch weiter.", "Seat {seat} plays on after all."),
    "match.aborted": Message("Abgebrochen. Geheimnis {secret}.", "Aborted. Secret {secret}."),
    "match.ended": Message("Die Partie ist zu Ende. Geheimnis {secret}.", "The match is over. Secret {secret}."),
    "match.voided": Message("Ergebnis aufgehoben: {reason}", "Result taken back: {reason}"),
    "match.adjudicated": Message("Ergebnis festgesetzt: {reason}", "Result set: {reason}"),
    "match.rematch-agreed": Message("Platz {seat} möchte noch eine Partie.", "Seat {seat} agrees to play again."),
    "match.rematch-opened": Message("Die nächste Partie ist {match}.", "The next match is {match}."),
}
