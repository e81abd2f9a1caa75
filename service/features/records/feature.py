"""Records as a feature."""

from __future__ import annotations

from ...core import Core
from ...feature import Feature
from ...hooks import Attached
from .export import MatchRecords


def _attach(core: Core) -> Attached:
    return Attached(services={MatchRecords: MatchRecords(core.repository, core.games)})


FEATURE = Feature(name="records", attach=_attach)
