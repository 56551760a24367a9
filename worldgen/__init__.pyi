from .blueprint import Blueprint, Column, Table
from .errors import (
    BlueprintError,
    ConfigurationError,
    EpisodeClosedError,
    GenerationError,
    LanguageModelError,
    RuleBrokenError,
    UnknownNameError,
    WorldFileError,
    WorldgenError,
)
from .facts import Fact
from .library import domain, domains, read_blueprint
from .masking import mask, reveal
from .pages import Claim, Page, Site, Statement, Web
from .roles import Roles
from .runner import run_jobs
from .seeds import child_seed, generator
from .world import World
from .worldfile import WorldFile, read_world, write_world

__all__ = [
    "Blueprint",
    "BlueprintError",
    "Claim",
    "Column",
    "ConfigurationError",
    "EpisodeClosedError",
    "Fact",
    "GenerationError",
    "LanguageModelError",
    "Page",
    "Roles",
    "RuleBrokenError",
    "Site",
    "Statement",
    "Table",
    "UnknownNameError",
    "Web",
    "World",
    "WorldFile",
    "WorldFileError",
    "WorldgenError",
    "child_seed",
    "domain",
    "domains",
    "generator",
    "mask",
    "read_blueprint",
    "read_world",
    "reveal",
    "run_jobs",
    "write_world",
]
