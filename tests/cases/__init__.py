"""The acceptance cases of the memory and its sessions, by number."""
