"""The puzzle of the day: a decision of a reviewed match in which one answer is clearly better than all others."""
