"""Data, training and export of the card model; offline only, never imported by the runtime."""
