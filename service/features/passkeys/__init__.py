"""Passkeys: a player signs in on any device with a key that its own device or password manager keeps."""
