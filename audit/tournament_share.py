"""A nonce that came with the opening of a tournament's match: the tournament had committed to its deals before."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..domain.match import MatchId
from ..service.features.tournaments.commitments import deal_commitment, place_of_match, secret_of_table
from ..service.matches.repository import Loaded
from .known_log import Differs
from .unproved import DEALS, NONCE

if TYPE_CHECKING:
    from tafelrunde.client.entries import Terms
    from tafelrunde.client.keeping import Kept


def prove_entry(kept: Kept, match_id: MatchId, loaded: Loaded, shares: Iterator[tuple[str, bool]]) -> Iterator[tuple[str, bool]]:
    """Yield *shares*, the share of a nonce in the cards, as the terms of the tournament prove it, if a match is of one.

    Raises Differs if the id or the secret of the match is not that of any table of the tournament.
    """
    if kept.tournament is None:
        yield from shares
        return
    is_bound = _is_bound(kept.tournament, match_id, loaded)
    if is_bound:
        yield "tournament", True
    for what, agrees in shares:
        if what == NONCE and not agrees:
            yield (NONCE, True) if is_bound else (DEALS, False)
        else:
            yield what, agrees


def _is_bound(terms: Terms, match_id: MatchId, loaded: Loaded) -> bool:
    """Return whether the id and the secret of a match follow from what a tournament had committed to."""
    if not terms.public_ids:
        return False
    place = place_of_match(terms.tournament, match_id)
    if place is None:
        raise Differs("the id of the match", f"that of a table of {terms.tournament}", match_id)
    if (secret := terms.deal_secret) is None:
        return False
    found = deal_commitment(terms.tournament, secret)
    if found != terms.deal_commitment:
        raise Differs("the commitment to the deals of the tournament", terms.deal_commitment, found)
    bound = secret_of_table(terms.tournament, secret, *place)
    if bound != loaded.match.facts.secret:
        raise Differs("the secret of the table", bound, loaded.match.facts.secret)
    return True
