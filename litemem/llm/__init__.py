"""Language models that a caller brings: the protocol, and a client for OpenAI-like endpoints."""
