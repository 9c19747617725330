"""Ra in Danish."""

from typing import Final

from domain.games.ra.text.wording import Language, Sentences, words
from domain.kernel.words import Words

TILES: Final = {
    "ra": "Ra",
    "god": "gud",
    "gold": "guld",
    "pharaoh": "farao",
    "nile": "Nil",
    "flood": "oversvømmelse",
    "civ:art": "kunst",
    "civ:agriculture": "landbrug",
    "civ:religion": "religion",
    "civ:astronomy": "astronomi",
    "civ:writing": "skrift",
    "mon:fortress": "fæstning",
    "mon:obelisk": "obelisk",
    "mon:palace": "palads",
    "mon:pyramid": "pyramide",
    "mon:sphinx": "sfinks",
    "mon:statues": "statuer",
    "mon:step_pyramid": "trinpyramide",
    "mon:temple": "tempel",
    "dis:funeral": "begravelse",
    "dis:drought": "tørke",
    "dis:unrest": "uroligheder",
    "dis:earthquake": "jordskælv",
}

POINTS: Final = {
    "gods": "guder",
    "gold": "guld",
    "niles": "Nil",
    "civilisations": "civilisationer",
    "pharaohs": "faraoer",
    "monuments": "monumenter",
    "suns": "sole",
}

MOVES: Final = {
    "draw": "Træk en brik",
    "invoke": "Påkald Ra",
    "use_gods": "Brug guder på brikkerne på felt {slots}",
    "pass": "Meld pas",
    "bid": "Byd sol {sun}",
    "discard": "Opgiv {tiles}",
    "score_epoch": "Gør epoke {epoch} op",
}

EVENTS: Final[Sentences] = {
    "ra.suns_dealt": "Solene er delt ud: {suns}.",
    "ra.epoch_started": "Epoke {epoch} begynder. Plads {active} har den første tur.",
    "ra.turn_started": "Turen går til plads {active}.",
    "ra.tile_drawn": "Plads {seat} trækker en brik: {tile}.",
    "ra.gods_used": "Plads {seat} bruger guder på felt {slots} og tager: {lot}.",
    "ra.auction_started": {
        "voluntary": "Plads {ra_player} påkalder Ra. Der bydes i denne rækkefølge: {order}.",
        "ra_drawn": "Ra-brikken udløser en auktion. Der bydes i denne rækkefølge: {order}.",
        "full_track": "Auktionssporet er fuldt og kommer på auktion. Der bydes i denne rækkefølge: {order}.",
    },
    "ra.bid_placed": "Plads {seat} byder sol {sun}.",
    "ra.passed": {
        True: "Plads {seat} har ingen højere sol og springes over.",
        False: "Plads {seat} melder pas.",
    },
    "ra.auction_won": "Plads {seat} vinder med sol {sun}, får sol {received_sun} fra midten og tager: {lot}.",
    "ra.lot_removed": "Ingen byder på det fulde auktionsspor. Ud af spillet: {tiles}.",
    "ra.tiles_lost": "Plads {seat} rammes af {disaster} og mister: {tiles}.",
    "ra.discard_demanded": "Plads {seat} skal vælge, hvad der går tabt: {due}.",
    "ra.tiles_discarded": "Plads {seat} rammes af {disaster} og opgiver: {tiles}.",
    "ra.epoch_ended": {
        "ra_track": "Ra-sporet er fuldt, og epoke {epoch} er slut. Ud af spillet: {removed}.",
        "suns": "Der er ingen sole tilbage at byde med, og epoke {epoch} er slut.",
    },
    "ra.epoch_scored": "Epoke {epoch} er gjort op: {seats}.",
    "ra.epoch_cleared": "Alle sole vendes op, og {ra_tiles} Ra-brikker fjernes fra sporet. Lagt tilbage: {tiles}.",
    "ra.game_ended": {
        "points": "Spillet er slut, og plads {winners} har vundet. Point: {scores}.",
        "highest_sun": "Spillet er slut. Ved lige point vinder plads {winners} med den højeste sol. Point: {scores}.",
    },
}

REASONS: Final = {
    "game_over": "Spillet er slut.",
    "not_your_turn": "Det er ikke dig, der skal handle nu.",
    "wrong_phase": "Det kan ikke gøres på dette tidspunkt.",
    "track_full": "Auktionssporet er fuldt: påkald Ra, eller brug gudebrikker.",
    "no_such_slot": "Der ligger ingen brik på det felt af auktionssporet.",
    "duplicate_slot": "Hver brik kan kun tages én gang.",
    "god_not_takeable": "En gudebrik kan ikke tages med en gud.",
    "not_enough_gods": "Du har for få gudebrikker: hver af dem tager én brik.",
    "must_bid": "Du har påkaldt Ra, og ingen har budt, så du skal byde.",
    "sun_not_available": "Du har ingen sådan sol med forsiden op.",
    "bid_too_low": "Et bud skal være højere end det hidtil højeste.",
    "wrong_discard_count": "Opgiv præcis så mange brikker, som katastrofen kræver, og af den gruppe, den rammer.",
    "not_owned": "Du kan kun opgive brikker, som du ejer.",
}

BARRIERS: Final = {
    "reveals_tile": "afslører en brik",
    "passes_turn": "giver turen videre",
    "ends_epoch": "afslutter epoken",
}

WORDS: Final[Words] = words(
    Language(
        tiles=TILES,
        points=POINTS,
        moves=MOVES,
        events=EVENTS,
        comma=", ",
        copies="{tile} ×{count}",
        owner="plads {seat} ({what})",
        demand="{count} brikker på grund af {disaster}",
        score="{net} til {after}: {points}",
        nothing="intet",
        hidden="skjult",
        reasons=REASONS,
        barriers=BARRIERS,
    )
)
