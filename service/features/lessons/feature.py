"""Lessons as a feature."""

from __future__ import annotations

from ...core import Core
from ...feature import Feature
from ...hooks import Attached
from .service import Lessons


def _attach(core: Core) -> Attached:
    return Attached(services={Lessons: Lessons(core.matches, core.games, core.ids)})


FEATURE = Feature(name="lessons", attach=_attach, needs=("bots",))
