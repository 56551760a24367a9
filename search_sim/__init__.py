"""The search simulation: indexes, the guard, episodes, agents, certificates, the command line."""
