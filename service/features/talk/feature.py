"""Talk as a feature."""

from __future__ import annotations

from ...core import Core
from ...feature import Feature, FeatureStore
from ...hooks import Attached
from ...players import quota_table
from ...runtime.consumer import Consumer
from ...runtime.end_watch import EndWatch
from .duty import TalkSweep
from .export import talk_part
from .memory import MemoryLines, MemoryMutes, MemoryReports
from .moderation import Mutes, Reports, Tombstones
from .port import LineStore, MuteStore, ReportStore
from .redis import RedisLines, RedisMutes, RedisReports
from .rooms import Rooms
from .service import Talks
from .settings import TalkSettings
from .speaking import Speakers

LINES = FeatureStore[LineStore]("talk", redis=lambda backing: RedisLines(backing.client), memory=MemoryLines)
MUTES = FeatureStore[MuteStore]("talk muted", redis=lambda backing: RedisMutes(backing.client), memory=MemoryMutes)
REPORTS = FeatureStore[ReportStore]("talk reports", redis=lambda backing: RedisReports(backing.client), memory=MemoryReports)


def _attach(core: Core) -> Attached:
    settings = core.settings.of(TalkSettings)
    lines, mutes, reports = LINES.of(core.stores), MUTES.of(core.stores), REPORTS.of(core.stores)
    watch = EndWatch("talk: store", lines.ends)
    rooms = Rooms(core.queries, core.repository, settings.talk)
    talks = Talks(lines, mutes, rooms, watch, core.accounts, core.hooks.has_muted)
    to_speak = core.budgets.of_row(quota_table.TALK, settings)
    to_report = core.budgets.of_row(quota_table.REPORTS, settings)
    sweep = TalkSweep(lines, reports, core.repository, core.now_ms, settings.talk_days)
    return Attached(
        services={
            Rooms: rooms,
            Talks: talks,
            Speakers: Speakers(lines, rooms, watch, core.accounts, to_speak, core.hooks.bars, core.now_ms),
            Tombstones: Tombstones(lines, watch, core.accounts, core.now_ms),
            Mutes: Mutes(mutes, core.accounts, core.now_ms),
            Reports: Reports(reports, talks, to_report, core.now_ms),
            TalkSweep: sweep,
        },
        duties=[lambda: Consumer("talk", sweep.step)],
        background_tasks=[("talk", watch.run)],
        drain=[watch.drain],
        erase=[lines.forget, mutes.forget, reports.forget],
        export=lambda player: talk_part(lines, mutes, reports, player),
    )


FEATURE = Feature(name="talk", attach=_attach, settings=TalkSettings)
