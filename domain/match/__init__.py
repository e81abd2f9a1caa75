"""The match: the aggregate around the table of any game.

`messages.py` has its words, `refusals.py` its reasons to refuse, `state.py` what is true of it and the fold,
`decide.py` what a command causes, `view.py` what one viewer may know of it.
"""

from .messages import BotName, Clock, MatchId, PlayerId, Spectators, Status, Visibility

__all__ = ["BotName", "Clock", "MatchId", "PlayerId", "Spectators", "Status", "Visibility"]
