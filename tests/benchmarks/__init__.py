"""`python -m tests.benchmarks COMMAND`: every figure is measured beside its reference."""
