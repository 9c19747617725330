"""The parts of the running service, one process each: api, relay, worker, beat. Each is run alone for deployment."""
