"""Talk as a feature."""

from __future__ import annotations

from typing import Annotated

import msgspec

from ...core import Core
from ...feature import Feature, FeatureStore
from ...players import quota_table
from ...runtime.consumer import Consumer
from ...runtime.end_watch import EndWatch
from .export import talk_part
from .memory import MemoryLines, MemoryMutes, MemoryReports
from .moderation import Mutes, Reports, Tombstones
from .port import LineStore, MuteStore, ReportStore
from .redis import RedisLines, RedisMutes, RedisReports
from .rooms import Rooms, TalkMode
from .speaking import Speakers
from .sweep import TalkSweep
from .talks import Talks

LINES = FeatureStore[LineStore]("talk", redis=lambda backing: RedisLines(backing.client), memory=MemoryLines)
MUTES = FeatureStore[MuteStore]("talk muted", redis=lambda backing: RedisMutes(backing.client), memory=MemoryMutes)
REPORTS = FeatureStore[ReportStore]("talk reports", redis=lambda backing: RedisReports(backing.client), memory=MemoryReports)


class TalkSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of talk, among players and among spectators.

    - talk: what may be said: `off` for nothing, `phrases` for ready phrases and reactions, `all` for texts, too.
    - talk_days: how long talk is kept after the end of its match, and reports of it after they were made.
    - talk_per_minute, reports_per_hour: how many lines a player says, and how many it reports, and as many at once; all players
      of an address, 25 times as many.
    """

    talk: TalkMode = TalkMode.ALL
    talk_days: Annotated[int, msgspec.Meta(ge=1, le=3650)] = 30
    talk_per_minute: Annotated[int, msgspec.Meta(ge=1, le=10_000)] = 30
    reports_per_hour: Annotated[int, msgspec.Meta(ge=1, le=10_000)] = 30


def _attach(core: Core) -> None:
    settings = core.settings.of(TalkSettings)
    lines, mutes, reports = LINES.of(core.stores), MUTES.of(core.stores), REPORTS.of(core.stores)
    watch = EndWatch("talk: store", lines.ends)
    rooms = core.provide(Rooms(core.queries, core.repository, settings.talk))
    talks = core.provide(Talks(lines, mutes, rooms, watch, core.accounts, core.hooks.unheard))
    budget = core.budgets.of_row(quota_table.TALK, settings)
    core.provide(Speakers(lines, rooms, watch, core.accounts, budget, core.hooks.bars, core.now_ms))
    budget = core.budgets.of_row(quota_table.REPORTS, settings)
    core.provide(Tombstones(lines, watch, core.accounts, core.now_ms))
    core.provide(Mutes(mutes, core.accounts, core.now_ms))
    core.provide(Reports(reports, talks, budget, core.now_ms))
    sweep = core.provide(TalkSweep(lines, reports, core.repository, core.now_ms, settings.talk_days))
    core.hooks.duties.append(lambda: Consumer("talk", sweep.step))
    core.hooks.beside.append(("talk", watch.run))
    core.hooks.drain.append(watch.drain)
    core.hooks.forget += [lines.forget, mutes.forget, reports.forget]
    core.hooks.export.append(("talk", lambda player: talk_part(lines, mutes, reports, player)))


FEATURE = Feature(name="talk", attach=_attach, settings=TalkSettings)
