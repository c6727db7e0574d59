"""Retenir: long-term memory for a shop's agents."""
