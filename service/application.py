"""The application: the core with its features. `deployment.open_application` makes one with its connections.

`accounts`, `matches`, `queries` and the other services are what callers use (the API, workers, the CLI, a host application);
those of a feature are asked for by their class, as in `application.get(Puzzles)`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .commands import Receipt
from .core import Core
from .feature import Feature
from .features.registry import FEATURES
from .games import Games
from .memory_store.clock import unix_ms
from .outgoing.http_sender import Post
from .ports.stores import Stores
from .runtime.long_jobs import PostJob
from .runtime.readiness import Attendance
from .settings import Settings

__all__ = ["Application", "Receipt", "unix_ms"]


class Application(Core):
    """The core with *features* attached, by default all; each after those that it needs. The rest is as for `Core`.

    Raises ValueError if a feature lacks one that it needs.
    """

    def __init__(  # noqa: PLR0913 - each is passed by name, and few callers pass more than one
        self,
        stores: Stores,
        settings: Settings,
        *,
        games: Games | None = None,
        now_ms: Callable[[], int] | None = None,
        post_job: PostJob | None = None,
        attendance: Attendance | None = None,
        post: Post | None = None,
        features: Sequence[Feature] = FEATURES,
    ) -> None:
        super().__init__(stores, settings, games=games, now_ms=now_ms, post_job=post_job, attendance=attendance, post=post)
        self.features = tuple(features)
        attached: set[str] = set()
        for feature in features:
            if missing := {*feature.needs} - attached:
                raise ValueError(f"the feature {feature.name} needs {', '.join(sorted(missing))}")
            self.attach(feature.name, feature.attach(self))
            attached.add(feature.name)
