"""Backends that come with opshift, how their callables are watched, and reproducers of their failures."""
