"""The tests, in folders by what they are about."""
