"""Prompts for a language world model: variants as files, their parts as a record, as messages."""
