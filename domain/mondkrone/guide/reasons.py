"""Why a search recommends a move of Mondkrone: whom it leaves without an answer, and where it leads."""

from __future__ import annotations

from collections.abc import Mapping

from ...game import Message, Seat
from ...reasons import ANY, Reason, more, tenths
from ...search import Considered, seat_of
from ..cards import INDEX
from ..messages import DiscardToPile, LayAside, MondkroneCommand, PlayAndDiscard, PlayToPalette
from ..moves import legal
from ..table import MondkroneTable, worth
from ..view import MondkroneView

PRESSING = 3
"""From how many deals in ten on it is said that the next seat has no answer."""
WHY: Mapping[str, Message] = {
    "forces": Message(
        "In {share} von 10 passenden Verteilungen kann Platz {seat} danach nur noch aussteigen.",
        "In {share} of 10 deals that fit, seat {seat} can only drop out after it.",
    ),
    "forces.share.10": Message(
        "Platz {seat} kann danach in allen simulierten Verteilungen nur noch aussteigen.",
        "In all simulated deals, seat {seat} can only drop out after it.",
    ),
    "points": Message("Das bringt {points} Punkte.", "It scores {points} points."),
    "points.points.1": Message("Das bringt einen Punkt.", "It scores one point."),
    "keeps": Message("Danach hast du noch {cards} Handkarten.", "After it you have {cards} cards left in your hand."),
    "keeps.cards.1": Message("Danach hast du noch eine Handkarte.", "After it you have one card left in your hand."),
    **ANY,
}


def reason(view: MondkroneView, considered: Considered[MondkroneTable, MondkroneCommand]) -> Reason | None:
    """Return why the best of the moves that were considered is recommended; None if nothing tells it apart."""
    best = considered.moves[0].command
    seat = seat_of(view, view.seat)
    if isinstance(best, LayAside):
        return Reason("points", {"points": worth(sum(1 << INDEX[card] for card in best.cards))})
    after = _next(considered.worlds[0], seat)
    share = tenths(considered.worlds, lambda world: _forces(world, seat, best))
    if share >= PRESSING:
        return Reason("forces", {"seat": after, "share": share})
    cost = 2 if isinstance(best, PlayAndDiscard) else 1
    cheaper = isinstance(best, PlayToPalette) and isinstance(considered.moves[1].command, PlayAndDiscard)
    return Reason("keeps", {"cards": len(view.hand) - cost}) if cheaper else more(considered.results)


def _next(table: MondkroneTable, seat: int) -> Seat:
    """Return the next seat that is in the round."""
    return next(Seat(each % table.seats) for each in range(seat + 1, seat + table.seats + 1) if not table.out[each % table.seats])


def _forces(world: MondkroneTable, seat: int, command: MondkroneCommand) -> bool:
    """Return whether the next seat can do nothing but drop out after a command."""
    table = world.copy()
    match command:
        case PlayToPalette(card):
            table.f_card_played(seat, INDEX[card])
        case DiscardToPile(card):
            table.f_card_discarded(seat, INDEX[card])
        case PlayAndDiscard(played, put):
            table.f_card_played(seat, INDEX[played])
            table.f_card_discarded(seat, INDEX[put])
        case _:
            return False
    after = _next(table, seat)
    table.f_turn_begun(after)
    return len(legal(table, after)) == 1
