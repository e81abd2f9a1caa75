"""What other sites show of a link to the service: a title, a sentence and a picture (https://ogp.me).

It says what anyone with the link may know anyway, and no one's name; of a match that is not open to others it says nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Literal, NamedTuple, TypeAlias

from ...domain.game import AnyGame, GameId
from ...domain.match import Status
from ...service.views.projections import Summary
from ..http import static_files

Language: TypeAlias = Literal["de", "en"]
Say: TypeAlias = Mapping[Language, str]

NAME = "Tafelrunde"
SERVICE: Say = {
    "de": "Kartenspiele mit verdeckten Karten: im Browser, ohne Anmeldung.",
    "en": "Card games with hidden cards: in your browser, without an account.",
}
FREE: Say = {"de": "{free} von {seats} Plätzen sind frei: Setz dich dazu.", "en": "{free} of {seats} seats are free: join in."}
FREE_ONE: Say = {"de": "Einer von {seats} Plätzen ist frei: Setz dich dazu.", "en": "One of {seats} seats is free: join in."}
OF_STATUS: Mapping[Status, Say] = {
    Status.OPEN: {"de": "Alle {seats} Plätze sind besetzt.", "en": "All {seats} seats are taken."},
    Status.RUNNING: {"de": "Die Partie läuft, mit {seats} Plätzen.", "en": "The match is on, with {seats} seats."},
    Status.OVER: {"de": "Die Partie mit {seats} Plätzen ist vorbei.", "en": "The match with {seats} seats is over."},
    Status.ABORTED: {"de": "Die Partie wurde abgebrochen.", "en": "The match was aborted."},
}
PICTURE = "previews/{name}.png"
WIDTH, HEIGHT = 1200, 630


class Preview(NamedTuple):
    """What is shown of a link, and in which language; `picture` is a file of the web client."""

    title: str
    text: str
    picture: str
    language: Language


def language_of(accepted: str) -> Language:
    """Return the first language of an Accept-Language header that the service speaks; English without one."""
    for each in accepted.lower().split(","):
        if each.strip().startswith("de"):
            return "de"
        if each.strip().startswith("en"):
            return "en"
    return "en"


def of_service(language: Language) -> Preview:
    """Return what is shown of the service itself."""
    return Preview(NAME, SERVICE[language], PICTURE.format(name="service"), language)


def of_match(found: Summary, games: Mapping[GameId, AnyGame], language: Language) -> Preview:
    """Return what is shown of a match: its game, its seats, and how far it is."""
    name = games[found.game].messages[found.game]
    picture = PICTURE.format(name=found.game)
    return Preview(
        f"{name.de if language == 'de' else name.en} – {NAME}",
        _state(found)[language].format(seats=found.seats, free=_free(found)),
        picture if static_files.is_there(picture) else PICTURE.format(name="service"),
        language,
    )


def _free(found: Summary) -> int:
    return sum(chair.whose is None and chair.bot is None for chair in found.chairs)


def _state(found: Summary) -> Say:
    if found.status is Status.OPEN and (free := _free(found)):
        return FREE_ONE if free == 1 else FREE
    return OF_STATUS[found.status]


def tags(preview: Preview, address: str, place: str) -> str:
    """Return the lines for the head of a page. *address*: where the service is, *place*: the page below it."""
    named = {
        "og:site_name": NAME,
        "og:type": "website",
        "og:locale": "de_DE" if preview.language == "de" else "en_GB",
        "og:title": preview.title,
        "og:description": preview.text,
        "og:url": f"{address}/{place}",
        "og:image": f"{address}/web/{static_files.version()}/{preview.picture}",
        "og:image:width": str(WIDTH),
        "og:image:height": str(HEIGHT),
    }
    lines = [f'<meta property="{name}" content="{escape(said)}">' for name, said in named.items()]
    lines += [f'<meta name="{name}" content="{escape(said)}">' for name, said in _plain(preview).items()]
    return "\n".join(lines)


def _plain(preview: Preview) -> Mapping[str, str]:
    return {"description": preview.text, "twitter:card": "summary_large_image"}
