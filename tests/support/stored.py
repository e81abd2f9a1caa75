"""Events as a log stores them, as in the suites over all games."""

from tafelrunde.testing.suites.stored import decoder, stored

__all__ = ["decoder", "stored"]
