"""Recorded conversations: what they are, how each kind of file is read, how their times are moved."""
