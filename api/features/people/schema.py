"""Shapes of people: profiles, relations, invitations, codes for other devices, and exports."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Mapping
from typing import Annotated, TypeAlias

import msgspec
from msgspec import UNSET, Meta, UnsetType

from ....service.features.people.invitations import Invited
from ....service.features.people.service import Person
from ....service.players.accounts import shown_name
from ....service.ports.players import Avatar, Colour, Figure, PlayerRecord
from ...problems import Refused
from ...schema.common import Request
from ...schema.fields import END, GameName, MatchRef, Moment, PageCursor, PlayerRef
from ...schema.players import PlayerFacts, TokenFacts

CODE = r"^[A-Za-z0-9_-]{60}" + END
LABEL = r"^[ -~]*$(?!\n)"
_POSITION = re.compile(r"^(0|[1-9][0-9]{0,12})\.([a-z0-9]{1,32})$")

Language: TypeAlias = Annotated[str, Meta(pattern=r"^[a-z]{2,3}" + END, description="A language, as in ISO 639.")]
Code: TypeAlias = Annotated[str, Meta(pattern=CODE, description="A code for another device.")]


class AvatarRequest(Request, frozen=True):
    """An avatar to choose."""

    figure: Figure
    colour: Colour


class ProfileRequest(Request, frozen=True):
    """What you show of yourself; omitted fields stay as they are. `avatar` null: the one that follows from your id."""

    avatar: AvatarRequest | UnsetType | None = UNSET
    languages: Annotated[tuple[Language, ...], Meta(max_length=8)] | UnsetType = UNSET


class PersonFacts(msgspec.Struct, frozen=True, kw_only=True):
    """Another player. `at_ms`: since when you follow or block it, or when your newest match with it was opened."""

    player: PlayerRef
    name: str
    guest: bool
    program: bool
    avatar: Avatar | UnsetType = UNSET
    at_ms: Moment


class PersonList(msgspec.Struct, frozen=True, kw_only=True):
    """Other players, newest first."""

    items: tuple[PersonFacts, ...]


class PersonPage(msgspec.Struct, frozen=True, kw_only=True):
    """Other players, newest first. `cursor`: the `after` of the next page, null at the end."""

    items: tuple[PersonFacts, ...]
    cursor: PageCursor | None


class InvitationRequest(Request, frozen=True):
    """Whom you invite."""

    player: PlayerRef


class InvitationFacts(msgspec.Struct, frozen=True, kw_only=True):
    """An invitation to a match. `other` is the player who invites you, or whom you invite; `at_ms` is when.

    `free`: how many seats are empty. `declined`: the player has declined; it cannot be invited to this match again.
    """

    match: MatchRef
    game: GameName
    other: PersonFacts
    free: Annotated[int, Meta(ge=0, le=100)]
    at_ms: Moment
    declined: bool


class InvitationList(msgspec.Struct, frozen=True, kw_only=True):
    """Invitations."""

    items: tuple[InvitationFacts, ...]


class MatchInvitations(msgspec.Struct, frozen=True, kw_only=True):
    """Who is invited to a match, and the link for everyone else: `qr` is the same link as a QR code (SVG)."""

    items: tuple[InvitationFacts, ...]
    link: str
    qr: str


class DeviceCodeIssued(msgspec.Struct, frozen=True, kw_only=True):
    """A code for another device, which counts once, until `until_ms`. `qr` is the link to the web client as a QR code (SVG)."""

    code: Code
    link: str
    qr: str
    until_ms: Moment


class DeviceRequest(Request, frozen=True):
    """A code from another device of yours, and how the token of this one is to be called."""

    code: Code
    label: Annotated[str, Meta(min_length=1, max_length=40, pattern=LABEL)] = "device"


class ExportFacts(msgspec.Struct, frozen=True, kw_only=True):
    """All that the service holds of you, as it is now.

    `matches`: those you host or play in, newest first; their records have what happened there. `features`: what the parts of the
    service keep, each in a shape of its own.
    """

    at_ms: Moment
    player: PlayerFacts
    tokens: tuple[TokenFacts, ...]
    matches: tuple[MatchRef, ...]
    features: Mapping[str, msgspec.Raw]


def person_facts(record: PlayerRecord, at_ms: int) -> PersonFacts:
    """Return another player, as `Accounts.shown` returns it."""
    return PersonFacts(
        player=record.id,
        name=shown_name(record),
        guest=record.guest,
        program=record.bot,
        avatar=record.avatar or UNSET,
        at_ms=at_ms,
    )


def invitation_facts(invited: Invited) -> InvitationFacts:
    """Return an invitation."""
    return InvitationFacts(
        match=invited.summary.match,
        game=invited.summary.game,
        other=person_facts(invited.other, invited.invitation.at_ms),
        free=sum(chair.whose is None and chair.bot is None for chair in invited.summary.chairs),
        at_ms=invited.invitation.at_ms,
        declined=invited.invitation.declined,
    )


def person_cursor(last: Person) -> str:
    """Return the cursor behind a player in a list."""
    return base64.urlsafe_b64encode(f"{last.at_ms}.{last.record.id}".encode()).decode().rstrip("=")


def read_position(cursor: str) -> tuple[int, str]:
    """Return the place that a cursor stands for; raise Refused."""
    try:
        text = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        text = ""
    found = _POSITION.fullmatch(text)
    if found is None:
        raise Refused("cursor-unknown", field="after")
    return int(found[1]), found[2]
