"""Everyone has an avatar."""

from __future__ import annotations

from tafelrunde.domain.match import PlayerId
from tafelrunde.service.features.people.avatars import avatar_of
from tafelrunde.service.ports.players import Avatar, Colour, Figure, PlayerRecord


def drawn(number: int, avatar: Avatar | None = None) -> Avatar:
    """Return the avatar of a player."""
    return avatar_of(PlayerRecord(PlayerId(f"p{number:026x}"), "Ann", False, 0, avatar=avatar))


def test_avatar_follows_from_the_id_until_one_is_chosen() -> None:
    """The same at every look; all figures and colours come up."""
    found = [drawn(number) for number in range(500)]
    assert found == [drawn(number) for number in range(500)]
    assert {each.figure for each in found} == {*Figure}
    assert {each.colour for each in found} == {*Colour}
    chosen = Avatar(figure=Figure.OWL, colour=Colour.TEAL)
    assert drawn(1, chosen) == chosen
