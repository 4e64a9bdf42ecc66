"""The SQLite file; the only place that speaks SQL."""
