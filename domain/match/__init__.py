"""The match: the aggregate around the table of any game.

`terms.py` has its ids and words, `settings.py` what its host chooses, `commands.py` what can be asked of it, `events.py` what
happened to it, `refusals.py` its reasons to refuse, `state.py` what is true of it and the fold, `decide.py` what a command causes
(`opening.py`, `seating.py` and `corrections.py` are parts of that), `view.py` what one viewer may know of it.
"""

from .settings import MatchSettings
from .terms import BotName, Clock, MatchId, PlayerId, Spectators, Status, Visibility

__all__ = ["BotName", "Clock", "MatchId", "MatchSettings", "PlayerId", "Spectators", "Status", "Visibility"]
