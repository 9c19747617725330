"""The commands by what they are for: playing, auditing, serving, operating."""
