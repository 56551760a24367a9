"""AgentWorldBench: how well a language model foretells what an environment shows next.

Three steps on one folder: `infer` asks the model under test, `judge` has another model grade what
it said against what really came, `score` makes numbers and a report of the grades.
"""
