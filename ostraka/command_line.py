"""The `ostraka` command. Each command imports what it runs on when it is called, so that every process stays small."""

import typer

from ostraka.commands import auditing, operating, playing, serving

app = typer.Typer(
    help="Board games of the ancient world on an event store.",
    no_args_is_help=True,
    pretty_exceptions_show_locals=False,
)
for group in (playing, auditing, serving, operating):
    for name, command in group.COMMANDS.items():
        app.command(name=name)(command)
