"""The language world model as a renderer: asked, read, checked, and stood in for."""
