"""Text to vectors; the only place that runs a model."""
