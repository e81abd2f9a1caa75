"""The tie between `serve` and its children: they end with it, even if it is killed."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
import time
from collections.abc import Mapping

PARENT = "TAFELRUNDE_PARENT"
"""The variable that names the parent process."""

_PR_SET_PDEATHSIG = 1
_LOOK_SECONDS = 1.0


def is_supervised(environment: Mapping[str, str]) -> bool:
    """Return whether `serve` has started this process. It has checked the settings and the server already."""
    return PARENT in environment


def end_with_parent(environment: Mapping[str, str]) -> None:
    """Request SIGTERM as soon as the parent process is gone; does nothing for a process on its own."""
    if not is_supervised(environment):
        return
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
    else:
        threading.Thread(target=_watch, args=(int(environment[PARENT]),), name="parent", daemon=True).start()
    if os.getppid() != int(environment[PARENT]):
        raise SystemExit(0)


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_LOOK_SECONDS)
    os.kill(os.getpid(), signal.SIGTERM)
