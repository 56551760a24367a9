"""The commands of `worldgen`, by what they are about."""
