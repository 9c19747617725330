"""The program: settings, wiring, command line and embedded servers."""
