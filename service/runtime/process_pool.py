"""Processes of a pool, which end with the one that gives them work."""

from __future__ import annotations

import multiprocessing
import os
import threading


def end_with_parent() -> None:
    """End this process as soon as the one that distributes the tasks is gone, even if it was killed."""
    threading.Thread(target=_outlast_parent, name="parent", daemon=True).start()


def _outlast_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None, "a pool starts this process"
    parent.join()
    os._exit(1)
