"""Adapters for agent frameworks; each module needs its own: pip install 'litemem[integrations]'."""
