"""The public WideSearch scorer's numbers, digit for digit (WideSearch, arXiv 2508.07999).

This mode is for comparing with published figures. It keeps the public scorer's faults, among them
scores above 1; `answers.score` mends them and is the one to train with.

Names are imported when they are first used; `__init__.pyi` lists them.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
