"""Ra (Reiner Knizia, 1999): two to five dynasties auction tiles with suns over three epochs, under the eye of Ra."""

from domain.games.ra.bot import GREEDY
from domain.games.ra.commands import PLAYER_COMMANDS, SYSTEM_COMMANDS, RaCommand
from domain.games.ra.decide import decide
from domain.games.ra.decide.epoch import upkeep
from domain.games.ra.events import EVENTS, RaEvent
from domain.games.ra.evolve import evolve
from domain.games.ra.legal import barrier, legal
from domain.games.ra.material import PRESETS, SEATINGS, Options
from domain.games.ra.setup import initial, setup
from domain.games.ra.state import State, components, outcome, to_act
from domain.games.ra.text import TEXT
from domain.games.ra.view import View, resample, view
from domain.kernel.bots import RANDOM
from domain.kernel.game import Game

GAME: Game[State, Options, View, RaCommand, RaEvent] = Game(
    key="ra",
    title="Ra",
    seats=tuple(SEATINGS),
    rules_version=1,
    options=Options,
    presets=PRESETS,
    player_commands=PLAYER_COMMANDS,
    system_commands=SYSTEM_COMMANDS,
    events=EVENTS,
    upcasters={},
    initial=initial,
    setup=setup,
    evolve=evolve,
    decide=decide,
    to_act=to_act,
    legal=legal,
    barrier=barrier,
    upkeep=upkeep,
    outcome=outcome,
    view=view,
    resample=resample,
    components=components,
    bots={RANDOM.name: RANDOM, GREEDY.name: GREEDY},
    text=TEXT,
)
