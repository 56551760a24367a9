"""Rewrite `fixtures/<family>.txt`: each plan stays, what it compiles to is made anew.

Run it after a change that is meant to change questions or SQL, and read the difference: whether
the English is right, and whether the SQL means what the question says, no test can tell.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

if __name__ == "__main__":
    os.environ["REMAKE_FIXTURES"] = "yes"
    sys.exit(pytest.main([str(Path(__file__).with_name("test_fixtures.py")), "-q"]))
