"""Evidence: what was recorded, what is kept of it and for how long, and how it leaves the house."""
