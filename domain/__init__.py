"""What the games are and how a table of people and bots plays them; pure, without input or output."""
