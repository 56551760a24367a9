"""Answers: answer tables, reading replies, comparing cells, scoring, reports."""
