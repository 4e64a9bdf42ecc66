"""Long-term memory and session logs for offline AI agents."""

__version__ = "0.1.0"
