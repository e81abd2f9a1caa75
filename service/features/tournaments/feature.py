"""Tournaments as a feature."""

from __future__ import annotations

from ....domain.match import PlayerId
from ...core import Core
from ...feature import Feature, FeatureStore
from ...hooks import Attached
from ...players.quota_table import OPEN_TOURNAMENTS, TOURNAMENTS
from ...runtime.consumer import Consumer, Ownership
from ..inbox.messages import moment
from ..inbox.service import Inboxes
from .duty import Director
from .ledger import Ledger
from .memory import MemoryTournaments
from .messages import RoundData, RoundStarted
from .port import TournamentStore
from .redis import RedisTournaments
from .service import Tournaments
from .settings import TournamentSettings

STORE = FeatureStore[TournamentStore](
    "tournaments", redis=lambda backing: RedisTournaments(backing.client), memory=MemoryTournaments
)
DIRECTOR = "tournaments"
"""Name of the lease on the server: processes of several releases may run side by side, so never rename it."""


def _attach(core: Core) -> Attached:
    settings = core.settings.of(TournamentSettings)
    limited = core.settings.limits.rate_limits
    store = STORE.of(core.stores)
    ledger = Ledger(store)
    inboxes = core.get(Inboxes)
    tournaments = Tournaments(
        store=store,
        ledger=ledger,
        games=core.games,
        manager=core.process_manager,
        daily=core.budgets.of_row(TOURNAMENTS, settings),
        ids=core.ids,
        now_ms=core.now_ms,
        at_once=OPEN_TOURNAMENTS.share(settings) if limited else None,
        caps=core.caps,
        table_names=core.table_names,
        bars=core.hooks.bars,
    )

    async def announce(player: PlayerId, data: RoundData) -> None:
        await inboxes.post(player, RoundStarted(timestamp=moment(core.now_ms()), data=data))

    director = Director(
        store=store,
        ledger=ledger,
        repository=core.repository,
        queries=core.queries,
        handler=core.handler,
        matches=core.matches,
        accounts=core.accounts,
        bars=core.hooks.bars,
        ids=core.ids,
        now_ms=core.now_ms,
        kept_days=settings.tournament_days,
        failures=core.failures,
        announce=announce,
    )
    return Attached(
        services={Tournaments: tournaments, Director: director},
        duties=[lambda: Consumer("tournaments", director.step, Ownership(core.stores.leases, [DIRECTOR]))],
        erase=[tournaments.forget],
        withdraw=[tournaments.withdraw],
        export=tournaments.export,
        companions=[tournaments.company],
        match_over=[director.note_over],
    )


FEATURE = Feature(name="tournaments", attach=_attach, needs=("inbox",), settings=TournamentSettings)
