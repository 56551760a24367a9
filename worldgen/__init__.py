"""worldgen's core: blueprints, worlds, the fictional web, masking, the world file."""
