"""A run of an agent: its events, its snapshots, and the condensation of its context."""
