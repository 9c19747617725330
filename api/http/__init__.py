"""The JSON API, one module per subject of the HTTP contract."""
