"""Players: accounts with their tokens, and request quotas."""
