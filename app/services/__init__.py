"""Use cases over ports: each opens its own transaction under a tenant scope."""
