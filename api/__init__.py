"""The HTTP face of Ostraka: JSON and live streams under `http`, pages under `web`."""
