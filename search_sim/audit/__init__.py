"""The auditor: whether what a model wrote of a result traces to what it was given of it.

`search_sim.audit.auditor` decides without knowing the world's secrets: it reads the snippet, what
its writer was given, and the world's open words. `search_sim.audit.alarm` knows the secrets and
only counts. Neither uses the other's way of reading, so that each is a check on the other.
"""
