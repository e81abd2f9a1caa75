"""What happened, durably: stores, the command handler, feeds, projections."""
