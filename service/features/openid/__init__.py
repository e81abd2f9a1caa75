"""OpenID: players sign in through a provider of OpenID Connect that the operator has chosen."""
