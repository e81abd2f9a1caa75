"""Coaching: what a seat of a finished match could have done better."""
