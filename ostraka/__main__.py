"""`python -m ostraka`."""

from ostraka.command_line import app

app()
