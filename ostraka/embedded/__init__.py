"""Real Postgres and Valkey servers that the program starts by itself, in a folder of their own."""
