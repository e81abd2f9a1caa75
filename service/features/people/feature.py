"""People as a feature."""

from __future__ import annotations

from ....domain.match import PlayerId
from ...core import Core
from ...feature import Feature, FeatureStore
from ...hooks import Attached
from ...players.quota_table import INVITATIONS, INVITATIONS_TO
from ...runtime.consumer import Consumer
from ..inbox.service import Inboxes
from .avatars import avatar_of
from .blocks import Blocks
from .devices import Devices
from .duty import PeoplePruning
from .export import Exports, people_part
from .invitations import InvitationBudgets, Invitations
from .memory import MemoryPeople
from .places import SealedPlaces
from .port import PeopleStore, Relation
from .redis import RedisPeople
from .service import People
from .settings import PeopleSettings

STORE = FeatureStore[PeopleStore]("people", redis=lambda backing: RedisPeople(backing.client), memory=MemoryPeople)


def _attach(core: Core) -> Attached:
    store = STORE.of(core.stores)
    blocks = Blocks(lambda pairs: store.any_related(Relation.BLOCKED, pairs))
    invitations = Invitations(store, core.queries, core.accounts, blocks, core.get(Inboxes), core.now_ms, _budgets(core))
    pruning = PeoplePruning(store, core.now_ms)
    return Attached(
        services={
            Blocks: blocks,
            Devices: Devices(store, core.accounts, core.now_ms),
            Exports: Exports(core.accounts, core.stores.rows, core.hooks.export),
            Invitations: invitations,
            People: People(store, core.accounts, core.queries, core.now_ms),
            SealedPlaces: SealedPlaces(core.stores.id_key),
        },
        duties=[lambda: Consumer("people", pruning.step)],
        erase=[store.forget],
        export=lambda player: people_part(store, player),
        may_not_meet=[blocks.blocked],
        has_muted=[blocks.has_blocked],
        avatar=avatar_of,
    )


def _budgets(core: Core) -> InvitationBudgets:
    settings = core.settings.of(PeopleSettings)
    sent = core.budgets.of_row(INVITATIONS, settings)
    received = core.budgets.of_row(INVITATIONS_TO, settings)

    async def send(player: PlayerId, address: str) -> int:
        refused = await sent.spend(player, address)
        return refused.wait_s if refused is not None else 0

    async def receive(sender: PlayerId, player: PlayerId) -> bool:
        return await received.spend_for(sender, player) is None

    return InvitationBudgets(send, receive)


FEATURE = Feature(name="people", attach=_attach, needs=("inbox",), settings=PeopleSettings)
