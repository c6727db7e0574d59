"""Retenir: long-term memory for a shop's agents."""

__version__ = "0.1.0"
