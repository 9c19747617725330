"""Settings of all tests: property tests try the same examples in every run, on every machine."""

from hypothesis import settings

settings.register_profile("fixed", derandomize=True, database=None, deadline=None, max_examples=40)
settings.load_profile("fixed")
