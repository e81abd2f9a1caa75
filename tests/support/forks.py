"""Forks api processes from one that has imported everything, which saves seconds: `python -m tests.support.forks`.

The first line of its input has their environments; it answers with their process ids, and ends them at the end of its input.
"""

from __future__ import annotations

import json
import signal
import sys
from importlib import import_module

from tafelrunde.workers.cli import main
from tafelrunde.workers.processes import Order, start

for name in ("tafelrunde.api.app", "tafelrunde.api.server.process"):
    import_module(name)
started = [start(Order("api", ["api"], each), main) for each in json.loads(sys.stdin.readline())]
sys.stdout.write(json.dumps([each.pid for each in started]) + "\n")
sys.stdout.flush()
sys.stdin.read()
for each in started:
    each.send_signal(signal.SIGTERM)
for each in started:
    each.wait()
