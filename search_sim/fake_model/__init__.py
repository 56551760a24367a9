"""A scripted model server: OpenAI-compatible, deterministic, with faults on demand.

It stands in for a language world model wherever a real one would be slow, costly or too kind: it
writes what its script says, and fails as it is told.
"""
