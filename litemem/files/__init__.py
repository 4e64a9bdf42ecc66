"""Crash-safe reads and writes, locks, and checked file names."""
