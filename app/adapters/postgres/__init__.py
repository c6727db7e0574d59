"""Postgres behind the storage ports, with the tenant locks that need it."""
