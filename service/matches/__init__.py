"""Matches: from their log and back, and every command that changes one."""
