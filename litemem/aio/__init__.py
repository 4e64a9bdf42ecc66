"""The async API: one-line faces over the synchronous core."""
