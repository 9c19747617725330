"""Perft: how many lines of play there are to a depth, from positions that any implementation can set up.

The counts lie in `<key>.perft` among the tests of a game; the head of that file says exactly what is counted.
`python -m tests.conformance.perft FILE...` counts anew and rewrites the numbers and lists of moves in place.
"""

import json
import sys
from collections.abc import Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from domain.kernel.canonical import canonical
from domain.kernel.chance import CountedChance
from domain.kernel.codec import to_json
from domain.kernel.game import AnyGame
from domain.kernel.messages import Command, Event, Seat
from domain.kernel.options import resolve
from domain.registry import all_games


class Tree(NamedTuple):
    """All games that can be played on one table with one secret."""

    key: str
    seats: int
    options: Any  # the game's own type
    secret: bytes
    game_id: str

    @property
    def game(self) -> AnyGame:
        """The game that is played."""
        return all_games()[self.key]

    def root(self) -> "Node":
        """The position after the opening."""
        game, chance = self.game, self._chance(0)
        state = game.initial(self.seats, self.options, game.rules_version)
        return self._after(Node(state, 0), game.setup(state, chance), chance)

    def children(self, node: "Node") -> Iterator[tuple[str, "Node"]]:
        """Every command that can follow, as canonical JSON, and where it leads."""
        game, state = self.game, node.state
        wanted = game.upkeep(state)
        commands: list[tuple[Seat | None, Command]] = [] if wanted is None else [(None, wanted)]
        commands += [(seat, command) for seat in game.to_act(state) for command in game.legal(state, seat)]
        for seat, command in commands:
            chance = self._chance(node.draws)
            events = game.decide(state, seat, command, chance)
            yield canonical(to_json(command)).decode(), self._after(node, events, chance)

    def perft(self, node: "Node", depth: int) -> int:
        """The lines of play of so many commands."""
        if depth == 0:
            return 1
        return sum(self.perft(child, depth - 1) for _, child in self.children(node))

    def divide(self, node: "Node", depth: int) -> dict[str, int]:
        """The same count under each first command: where two programs differ, it says in which branch."""
        return {command: self.perft(child, depth - 1) for command, child in self.children(node)}

    def _chance(self, first: int) -> CountedChance:
        return CountedChance(self.secret, self.game_id, (None,) * (self.seats + 1), first)

    def _after(self, node: "Node", events: tuple[Event, ...], chance: CountedChance) -> "Node":
        state = node.state
        for event in events:
            state = self.game.evolve(state, event)
        return Node(state, node.draws + chance.drawn)


class Node(NamedTuple):
    """A position, and how many numbers have been drawn on the way to it."""

    state: Any
    draws: int


class Position(NamedTuple):
    """A table and the moves made on it, as the file gives them."""

    name: str
    tree: Tree
    line: tuple[int, ...]

    def __str__(self) -> str:
        return f"{self.tree.key} {self.name}"

    def node(self) -> Node:
        """The position itself."""
        return _reached(self)

    def settled(self, node: Node) -> Node:
        """The node once the service has done what the rules want."""
        while self.tree.game.upkeep(node.state) is not None:
            ((_, node),) = self.tree.children(node)
        return node

    def moves(self) -> str:
        """The legal moves in their order, as canonical JSON."""
        return f"[{','.join(command for command, _ in self.tree.children(self.node()))}]"


@cache
def _reached(position: Position) -> Node:
    node = position.settled(position.tree.root())
    for number in position.line:
        _, after = next(islice(position.tree.children(node), number, None))
        node = position.settled(after)
    return node


class Entry(NamedTuple):
    """One thing that the file says of a position: `key` is `legal` or `perft <depth>`."""

    number: int
    position: Position
    key: str
    value: str

    def found(self) -> str:
        """What this implementation says."""
        if self.key == "legal":
            return self.position.moves()
        return str(self.position.tree.perft(self.position.node(), self.depth))

    @property
    def depth(self) -> int:
        """How many commands deep the count goes."""
        return int(self.key.split()[1])

    def divided(self) -> str:
        """The count under each first command, one a line."""
        counts = self.position.tree.divide(self.position.node(), self.depth)
        return "\n".join(f"{count:8} {command}" for command, count in counts.items())


def entries(text: str) -> Iterator[Entry]:
    """What a perft file says, position by position."""
    facts: dict[str, str] = {}
    for number, line in enumerate(text.splitlines()):
        word, _, rest = line.partition(" ")
        if word == "position":
            facts = {"line": ""}
        if word == "perft":
            depth, _, count = rest.partition(" ")
            yield Entry(number, _position(facts), f"perft {depth}", count)
        elif word == "legal":
            yield Entry(number, _position(facts), "legal", rest)
        elif word and word != "#":
            facts[word] = rest


def _position(facts: dict[str, str]) -> Position:
    game = all_games()[facts["game"]]
    tree = Tree(
        key=game.key,
        seats=int(facts["seats"]),
        options=resolve(game.presets, json.loads(facts["options"])),
        secret=bytes.fromhex(facts["secret"]),
        game_id=facts["game_id"],
    )
    return Position(facts["position"], tree, tuple(map(int, facts["line"].split())))


def recounted(text: str) -> str:
    """The file with every number and list as this implementation has them."""
    lines = text.splitlines()
    for entry in entries(text):
        lines[entry.number] = f"{entry.key} {entry.found()}"
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    for path in map(Path, sys.argv[1:]):
        path.write_text(recounted(path.read_text()))
