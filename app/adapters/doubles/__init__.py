"""Storage in memory, with the promises of the ports: for tests, and to try the services without a database."""
