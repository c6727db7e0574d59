"""Real Postgres and Valkey servers from wheels, for a machine that has none of its own. POSIX only."""
