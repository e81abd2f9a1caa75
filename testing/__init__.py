"""The suites that every game passes, for games in packages of their own: a plugin for pytest, and the suites."""
