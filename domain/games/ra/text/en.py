"""Ra in English."""

from typing import Final

from domain.games.ra.text.wording import Language, Sentences, words
from domain.kernel.words import Words

TILES: Final = {
    "ra": "Ra",
    "god": "god",
    "gold": "gold",
    "pharaoh": "pharaoh",
    "nile": "Nile",
    "flood": "flood",
    "civ:art": "art",
    "civ:agriculture": "agriculture",
    "civ:religion": "religion",
    "civ:astronomy": "astronomy",
    "civ:writing": "writing",
    "mon:fortress": "fortress",
    "mon:obelisk": "obelisk",
    "mon:palace": "palace",
    "mon:pyramid": "pyramid",
    "mon:sphinx": "sphinx",
    "mon:statues": "statues",
    "mon:step_pyramid": "step pyramid",
    "mon:temple": "temple",
    "dis:funeral": "funeral",
    "dis:drought": "drought",
    "dis:unrest": "unrest",
    "dis:earthquake": "earthquake",
}

POINTS: Final = {
    "gods": "gods",
    "gold": "gold",
    "niles": "Nile",
    "civilisations": "civilisations",
    "pharaohs": "pharaohs",
    "monuments": "monuments",
    "suns": "suns",
}

MOVES: Final = {
    "draw": "Draw a tile",
    "invoke": "Call Ra",
    "use_gods": "Spend gods on the tiles in slots {slots}",
    "pass": "Pass",
    "bid": "Bid sun {sun}",
    "discard": "Give up {tiles}",
    "score_epoch": "Score epoch {epoch}",
}

EVENTS: Final[Sentences] = {
    "ra.suns_dealt": "The suns are dealt: {suns}.",
    "ra.epoch_started": "Epoch {epoch} begins. Seat {active} has the first turn.",
    "ra.turn_started": "It is the turn of seat {active}.",
    "ra.tile_drawn": "Seat {seat} draws a tile: {tile}.",
    "ra.gods_used": "Seat {seat} spends gods on slots {slots} and takes: {lot}.",
    "ra.auction_started": {
        "voluntary": "Seat {ra_player} calls Ra. The seats bid in this order: {order}.",
        "ra_drawn": "The Ra tile starts an auction. The seats bid in this order: {order}.",
        "full_track": "The auction track is full, so it is auctioned. The seats bid in this order: {order}.",
    },
    "ra.bid_placed": "Seat {seat} bids sun {sun}.",
    "ra.passed": {
        True: "Seat {seat} has no higher sun and is passed over.",
        False: "Seat {seat} passes.",
    },
    "ra.auction_won": "Seat {seat} wins with sun {sun}, gets sun {received_sun} from the centre and takes: {lot}.",
    "ra.lot_removed": "Nobody bids for the full track. Out of the game: {tiles}.",
    "ra.tiles_lost": "Seat {seat} loses to the {disaster}: {tiles}.",
    "ra.discard_demanded": "Seat {seat} must choose what to give up: {due}.",
    "ra.tiles_discarded": "Seat {seat} gives up to the {disaster}: {tiles}.",
    "ra.epoch_ended": {
        "ra_track": "The Ra track is full: epoch {epoch} ends. Out of the game: {removed}.",
        "suns": "No sun is left to bid: epoch {epoch} ends.",
    },
    "ra.epoch_scored": "Epoch {epoch} is scored: {seats}.",
    "ra.epoch_cleared": "All suns are turned up, and {ra_tiles} Ra tiles leave the track. Given back: {tiles}.",
    "ra.game_ended": {
        "points": "The game is over and seat {winners} has won. Scores: {scores}.",
        "highest_sun": "The game is over. Seat {winners} wins the tie by the highest sun. Scores: {scores}.",
    },
}

REASONS: Final = {
    "game_over": "The game is over.",
    "not_your_turn": "It is not for you to act now.",
    "wrong_phase": "That cannot be done at this point.",
    "track_full": "The auction track is full: call Ra or use god tiles.",
    "no_such_slot": "There is no tile in that slot of the auction track.",
    "duplicate_slot": "Each tile can be taken only once.",
    "god_not_takeable": "A god tile cannot be taken with a god.",
    "not_enough_gods": "You have too few god tiles: each takes one tile.",
    "must_bid": "You called Ra and nobody has bid, so you must bid.",
    "sun_not_available": "You have no such sun face up.",
    "bid_too_low": "A bid must be higher than the best so far.",
    "wrong_discard_count": "Give up exactly as many tiles as the disaster demands, of the group it strikes.",
    "not_owned": "You can give up only tiles that you own.",
}

BARRIERS: Final = {
    "reveals_tile": "reveals a tile",
    "passes_turn": "passes the turn",
    "ends_epoch": "ends the epoch",
}

WORDS: Final[Words] = words(
    Language(
        tiles=TILES,
        points=POINTS,
        moves=MOVES,
        events=EVENTS,
        comma=", ",
        copies="{tile} ×{count}",
        owner="seat {seat} ({what})",
        demand="{count} tiles to the {disaster}",
        score="{net} to {after}: {points}",
        nothing="nothing",
        hidden="hidden",
        reasons=REASONS,
        barriers=BARRIERS,
    )
)
