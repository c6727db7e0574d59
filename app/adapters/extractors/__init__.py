"""Extractors: what reads a turn and answers raw drafts."""
