"""OAuth 2: players allow applications of others to act for them, within scopes and until they say otherwise."""
