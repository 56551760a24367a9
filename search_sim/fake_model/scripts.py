"""The scripts by name: what the scripted model writes."""

from __future__ import annotations

from search_sim.fake_model import broken
from search_sim.fake_model.honest import write_honest
from search_sim.fake_model.invention import write_guessed, write_invented
from search_sim.fake_model.job import Script
from search_sim.fake_model.leaking import write_leaks
from search_sim.fake_model.registry import Registry

DEFAULT, LEAK = "honest", "leak"

SCRIPTS: Registry[Script] = Registry("script")
"""The scripts that there are; a program may add its own."""

SCRIPTS.add(DEFAULT, write_honest)
SCRIPTS.add("invent", write_invented)
SCRIPTS.add("guess", write_guessed)
SCRIPTS.add(LEAK, write_leaks)
SCRIPTS.add("copy", broken.write_copy)
SCRIPTS.add("garbage", broken.write_garbage)
SCRIPTS.add("empty", broken.write_nothing)
SCRIPTS.add("think-only", broken.write_thoughts)
SCRIPTS.add("refuse", broken.write_refusal)
SCRIPTS.add("shuffle", broken.write_shuffled)
