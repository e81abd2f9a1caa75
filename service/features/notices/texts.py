"""What notices say, in both languages: the game, the match's address, and until when there is time; nothing else of a match."""

from __future__ import annotations

from collections.abc import Mapping
from email.headerregistry import Address, BaseHeader, HeaderRegistry, UnstructuredHeader
from email.message import EmailMessage
from email.policy import SMTP, Policy
from typing import NamedTuple

from ....domain.game import AnyGame
from ....domain.wording import Language
from .port import CONFIRMATION, Occasion

HOUR_MS = 3_600_000


class Words(NamedTuple):
    """A title and a sentence; `{game}` is the game's name, `{left}` how much time there is, `{code}` a code."""

    title: str
    body: str


_WORDS: Mapping[str, Mapping[Language, Words]] = {
    Occasion.TURN.value: {
        Language.DE: Words("{game}: Du bist am Zug", "Deine Entscheidung ist gefragt. Zeit: {left}."),
        Language.EN: Words("{game}: your turn", "The table is waiting for your decision. Time left: {left}."),
    },
    Occasion.INVITATION.value: {
        Language.DE: Words("{game}: Ein Platz für dich", "Ein Tisch wartet auf dich."),
        Language.EN: Words("{game}: a seat for you", "A table is waiting for you."),
    },
    Occasion.ROUND.value: {
        Language.DE: Words("{game}: Die nächste Runde", "Im Turnier beginnt die nächste Runde."),
        Language.EN: Words("{game}: the next round", "The next round of your tournament begins."),
    },
    Occasion.END.value: {
        Language.DE: Words("{game}: Die Partie ist zu Ende", "Sieh dir an, wie sie ausgegangen ist."),
        Language.EN: Words("{game}: the match is over", "See how it ended."),
    },
    CONFIRMATION: {
        Language.DE: Words(
            "Dein Code: {code}",
            "Gib diesen Code auf deiner Profilseite ein, dann bekommst du hier Bescheid. Er gilt eine Stunde.\n\n"
            "Du hast nichts angefordert? Dann musst du nichts tun: Ohne den Code kommt keine weitere Mail.",
        ),
        Language.EN: Words(
            "Your code: {code}",
            "Enter this code on your profile page to get notices here. It is valid for one hour.\n\n"
            "You have not asked for this? Then there is nothing to do: without the code no further mail is sent.",
        ),
    },
}
_MAIL_END: Mapping[Language, str] = {
    Language.DE: "Keine Mails mehr: {stop}",
    Language.EN: "No more mail: {stop}",
}
_LEFT: Mapping[Language, tuple[tuple[str, str], ...]] = {
    Language.DE: (("1 Tag", "{n} Tage"), ("1 Stunde", "{n} Stunden"), ("1 Minute", "{n} Minuten")),
    Language.EN: (("1 day", "{n} days"), ("1 hour", "{n} hours"), ("1 minute", "{n} minutes")),
}
_UNITS_MS = (24 * HOUR_MS, HOUR_MS, 60_000)


def time_left(left_ms: int, language: Language) -> str:
    """Return a time in its largest unit, rounded down; less than a minute is one."""
    for unit_ms, (one, many) in zip(_UNITS_MS, _LEFT[language], strict=True):
        if (count := left_ms // unit_ms) > 0:
            return one if count == 1 else many.replace("{n}", str(count))
    return _LEFT[language][-1][0]


def words(about: str, language: Language, *, game: AnyGame | None = None, left_ms: int = 0, code: str = "") -> Words:
    """Return what a notice says."""
    name = game.messages[game.id] if game is not None else None
    title = "Tafelrunde" if name is None else name.de if language is Language.DE else name.en
    found = _WORDS[about][language]
    values = {"{game}": title, "{left}": time_left(left_ms, language), "{code}": code}
    return Words(*(_fill(text, values) for text in found))


def _fill(text: str, values: Mapping[str, str]) -> str:
    for name, value in values.items():
        text = text.replace(name, value)
    return text


class Envelope(NamedTuple):
    """Where a mail comes from and goes to, its id, and the address that stops further ones (None: there is nothing to stop)."""

    sender: str
    to: str
    id: str
    stop: str | None


class _Stop(UnstructuredHeader, BaseHeader):
    """The address that stops further mail, whole: one longer than a line would be encoded, which programs do not decode there."""

    def fold(self, *, policy: Policy) -> str:
        """Return the header as it is sent."""
        return f"List-Unsubscribe: {self}{policy.linesep}"


_HEADERS = HeaderRegistry()
_HEADERS.map_to_type("list-unsubscribe", _Stop)
_POLICY = SMTP.clone(header_factory=_HEADERS)


def mail(envelope: Envelope, said: Words, language: Language, link: str) -> EmailMessage:
    """Return a mail. Programs can stop further ones by one click (RFC 8058)."""
    message = EmailMessage(policy=_POLICY)
    message["From"] = f"Tafelrunde <{envelope.sender}>"
    name, _, domain = envelope.to.rpartition("@")
    message["To"] = Address(username=name, domain=domain)
    message["Subject"] = said.title
    message["Message-ID"] = f"<{envelope.id}@{envelope.sender.partition('@')[2]}>"
    message["Auto-Submitted"] = "auto-generated"
    message["Content-Language"] = language.value
    lines = [said.body, "", link]
    if envelope.stop is not None:
        message["List-Unsubscribe"] = f"<{envelope.stop}>"
        message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
        lines += ["", "-- ", _MAIL_END[language].replace("{stop}", envelope.stop)]
    message.set_content("\n".join(lines) + "\n")
    return message
