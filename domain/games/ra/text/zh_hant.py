"""Ra in Chinese, in traditional characters."""

from typing import Final

from domain.games.ra.text.wording import Language, Sentences, words
from domain.kernel.words import Words

TILES: Final = {
    "ra": "太陽神",
    "god": "神祇",
    "gold": "黃金",
    "pharaoh": "法老",
    "nile": "尼羅河",
    "flood": "尼羅河氾濫",
    "civ:art": "藝術",
    "civ:agriculture": "農業",
    "civ:religion": "宗教",
    "civ:astronomy": "天文",
    "civ:writing": "文字",
    "mon:fortress": "堡壘",
    "mon:obelisk": "方尖碑",
    "mon:palace": "宮殿",
    "mon:pyramid": "金字塔",
    "mon:sphinx": "人面獅身像",
    "mon:statues": "雕像",
    "mon:step_pyramid": "階梯金字塔",
    "mon:temple": "神廟",
    "dis:funeral": "駕崩",
    "dis:drought": "乾旱",
    "dis:unrest": "暴動",
    "dis:earthquake": "毀壞",
}

POINTS: Final = {
    "gods": "神祇",
    "gold": "黃金",
    "niles": "尼羅河",
    "civilisations": "文明",
    "pharaohs": "法老",
    "monuments": "遺跡",
    "suns": "太陽神籌碼",
}

MOVES: Final = {
    "draw": "抽一個板塊",
    "invoke": "宣布競標",
    "use_gods": "使用神祇，拿取第 {slots} 格的板塊",
    "pass": "PASS",
    "bid": "以 {sun} 號太陽神籌碼出價",
    "discard": "棄掉：{tiles}",
    "score_epoch": "結算第 {epoch} 時期",
}

EVENTS: Final[Sentences] = {
    "ra.suns_dealt": "太陽神籌碼已分發：{suns}。",
    "ra.epoch_started": "第 {epoch} 時期開始，由座位 {active} 先行動。",
    "ra.turn_started": "輪到座位 {active} 行動。",
    "ra.tile_drawn": "座位 {seat} 抽到板塊：{tile}。",
    "ra.gods_used": "座位 {seat} 對第 {slots} 格使用神祇，拿取：{lot}。",
    "ra.auction_started": {
        "voluntary": "座位 {ra_player} 宣布競標，出價順序：{order}。",
        "ra_drawn": "抽到太陽神板塊，立刻競標，出價順序：{order}。",
        "full_track": "競標區的板塊已滿，進行競標，出價順序：{order}。",
    },
    "ra.bid_placed": "座位 {seat} 以 {sun} 號太陽神籌碼出價。",
    "ra.passed": {
        True: "座位 {seat} 沒有更大的太陽神籌碼，自動 PASS。",
        False: "座位 {seat} PASS。",
    },
    "ra.auction_won": "座位 {seat} 以 {sun} 號太陽神籌碼得標，換回中央的 {received_sun} 號，得到：{lot}。",
    "ra.lot_removed": "無人出價，競標區的板塊全部移出遊戲：{tiles}。",
    "ra.tiles_lost": "座位 {seat} 遭遇{disaster}，失去：{tiles}。",
    "ra.discard_demanded": "座位 {seat} 須選擇要棄掉的板塊：{due}。",
    "ra.tiles_discarded": "座位 {seat} 因{disaster}棄掉：{tiles}。",
    "ra.epoch_ended": {
        "ra_track": "太陽神軌道已滿，第 {epoch} 時期結束。移出遊戲：{removed}。",
        "suns": "所有太陽神籌碼都已用完，第 {epoch} 時期結束。",
    },
    "ra.epoch_scored": "第 {epoch} 時期計分：{seats}。",
    "ra.epoch_cleared": "太陽神籌碼全部翻回正面，移除軌道上 {ra_tiles} 個太陽神板塊。各座位棄掉：{tiles}。",
    "ra.game_ended": {
        "points": "遊戲結束，座位 {winners} 獲勝。得分：{scores}。",
        "highest_sun": "遊戲結束，分數平手，座位 {winners} 以最大的太陽神籌碼獲勝。得分：{scores}。",
    },
}

REASONS: Final = {
    "game_over": "遊戲已經結束。",
    "not_your_turn": "現在還沒輪到你行動。",
    "wrong_phase": "現在不能這樣做。",
    "track_full": "競標區已滿：請宣布競標或使用神祇板塊。",
    "no_such_slot": "競標區的那一格沒有板塊。",
    "duplicate_slot": "每個板塊只能拿一次。",
    "god_not_takeable": "不能用神祇換取神祇。",
    "not_enough_gods": "你的神祇板塊不夠：每個神祇只能換一個板塊。",
    "must_bid": "你宣布了競標而無人出價，因此你必須出價。",
    "sun_not_available": "你沒有這枚正面朝上的太陽神籌碼。",
    "bid_too_low": "出價必須比目前最高的出價更大。",
    "wrong_discard_count": "請依災難所要求的種類與數量棄掉板塊。",
    "not_owned": "只能棄掉你自己擁有的板塊。",
}

BARRIERS: Final = {
    "reveals_tile": "會翻出板塊",
    "passes_turn": "會輪到別的玩家",
    "ends_epoch": "會結束這個時期",
}

WORDS: Final[Words] = words(
    Language(
        tiles=TILES,
        points=POINTS,
        moves=MOVES,
        events=EVENTS,
        comma="、",
        copies="{tile}×{count}",
        owner="座位 {seat}（{what}）",
        demand="因{disaster}棄 {count} 個",
        score="{net}，共 {after} 分：{points}",
        nothing="無",
        hidden="未公開",
        reasons=REASONS,
        barriers=BARRIERS,
    )
)
