"""What bots add to the API."""

from __future__ import annotations

from collections.abc import Mapping

from ....domain.bots import character
from ....domain.game import AnyGame
from ....service.features.bots.levels import Offer, OfferedTable, tables_of
from ....service.features.bots.shipped_ratings import RATINGS
from ...http.feature import BODY, ApiFeature, link
from ...schema.games import BotCharacter, BotMeasured, BotOffer, BotTable
from ...texts import Text
from .routes import OPERATIONS


def _describe(game: AnyGame) -> Mapping[str, object]:
    return {
        "bots": tuple(game.bots()),
        "characters": tuple(_character(game, name) for name in game.bots()),
        "tables": tuple(_table(table) for table in tables_of(game)),
    }


def _table(table: OfferedTable) -> BotTable:
    return BotTable(seats=table.seats, teams=table.teams, offers=tuple(map(_offer, table.offers)))


def _offer(offer: Offer) -> BotOffer:
    row = offer.measured
    return BotOffer(
        bot=offer.bot,
        measured=None if row is None else BotMeasured(against=row.other, share=row.share, deals=row.deals, current=row.current),
    )


def _character(game: AnyGame, name: str) -> BotCharacter:
    found = character(game, name)
    return BotCharacter(
        bot=name,
        level=found.level,
        name=Text(de=found.name.de, en=found.name.en),
        style=Text(de=found.style.de, en=found.style.en),
        rating=RATINGS.get(game.id, {}).get(name),
    )


API = ApiFeature(
    operations=OPERATIONS,
    describe=_describe,
    links={
        ("getHint", 200): {
            "take": {
                **link("giveCommand", match="match"),
                BODY: {"decision": "$response.body#/decision", "command": "$response.body#/moves/0/command"},
            }
        },
    },
)
