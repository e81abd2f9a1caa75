"""Proofs: what a match has committed to, and the cards that the caller can prove."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from ...service.dealing.commitments import CardProof
from ...service.views.card_proofs import Commitment, ProofPage
from ..http import response
from ..http.operation import Access, Answer, Call, operation
from ..http.response import PRIVATE, Reply
from ..schema import fields
from ..schema.common import Nothing, Request
from ..schema.fields import DealNumber
from ..schema.proofs import DealBody, ProofBody, ProofList, ProvableCard

TAG = "play"
BLIND = ("spectators-off", "seat-left")


class ProofsQuery(Request, frozen=True):
    """Which deals."""

    after: Annotated[DealNumber, Meta(description="Number of the last deal the client has.")] = 0
    limit: Annotated[int, Meta(ge=1, le=500, description="Maximum number of deals to return.")] = 100


@operation(
    "GET",
    "/matches/{match}/proofs",
    "listProofs",
    tag=TAG,
    access=Access.ANYBODY,
    query=ProofsQuery,
    problems=BLIND,
    answers=(Answer(200, ProofList, "A page of deals."),),
)
async def list_proofs(call: Call[Nothing, ProofsQuery]) -> Reply:
    """List the commitments to dealt cards, with the cards you can prove under each."""
    viewer = await call.application.queries.viewer(call.asker, call.match_id)
    page = await call.application.queries.proofs(viewer, call.match_id, call.query.after, call.query.limit)
    return response.json(_page(page), *PRIVATE)


@operation(
    "GET",
    "/matches/{match}/proofs/{deal}/{index}",
    "getProof",
    tag=TAG,
    access=Access.ANYBODY,
    problems=BLIND,
    answers=(Answer(200, ProofBody, "The proof."),),
)
async def get_proof(call: Call[Nothing, Nothing]) -> Reply:
    """Get the proof of a card: your own, one that was shown, or any card once the match is over. Any other card is 404."""
    viewer = await call.application.queries.viewer(call.asker, call.match_id)
    deal, index = (int(call.path(name, fields.NUMBER)) for name in ("deal", "index"))
    return response.json(_proof(await call.application.queries.proof(viewer, call.match_id, deal, index)), *PRIVATE)


def _page(page: ProofPage) -> ProofList:
    return ProofList(
        match=page.match,
        commitment=page.commitment,
        secret=page.secret,
        items=tuple(map(_deal, page.items)),
        cursor=page.next,
    )


def _deal(found: Commitment) -> DealBody:
    cards = tuple(ProvableCard(index=each.index, seat=each.seat, card=each.card) for each in found.cards)
    return DealBody(deal=found.deal, size=found.size, root=found.root, cards=cards)


def _proof(found: CardProof) -> ProofBody:
    return ProofBody(
        match=found.match,
        deal=found.deal,
        index=found.index,
        seat=found.seat,
        card=found.card,
        salt=found.salt,
        path=found.path,
        size=found.size,
        root=found.root,
    )


OPERATIONS = (list_proofs, get_proof)
