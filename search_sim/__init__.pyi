from .build import BuiltWorld, build_world
from .certify import Certificate
from .engine import Document, Engine
from .engines import make_engine
from .episode import Episode
from .generate import Batch
from .guard import Guard, Policy
from .materials import Material
from .observation import Extract, Result, SearchResponse
from .open_world import OpenWorld
from .reach import Lexicon, Reach
from .render import Renderer, TemplateRenderer
from .trajectory import Trajectory

__all__ = [
    "Batch",
    "BuiltWorld",
    "Certificate",
    "Document",
    "Engine",
    "Episode",
    "Extract",
    "Guard",
    "Lexicon",
    "Material",
    "OpenWorld",
    "Policy",
    "Reach",
    "Renderer",
    "Result",
    "SearchResponse",
    "TemplateRenderer",
    "Trajectory",
    "build_world",
    "make_engine",
]
