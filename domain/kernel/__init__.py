"""What every game is made of: messages, chance, visibility, the `Game` contract. Knows no game."""
