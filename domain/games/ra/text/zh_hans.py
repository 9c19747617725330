"""Ra in Chinese, in simplified characters."""

from typing import Final

from domain.games.ra.text.wording import Language, Sentences, words
from domain.kernel.words import Words

TILES: Final = {
    "ra": "太阳神",
    "god": "神祇",
    "gold": "黄金",
    "pharaoh": "法老",
    "nile": "尼罗河",
    "flood": "尼罗河泛滥",
    "civ:art": "艺术",
    "civ:agriculture": "农业",
    "civ:religion": "宗教",
    "civ:astronomy": "天文",
    "civ:writing": "文字",
    "mon:fortress": "堡垒",
    "mon:obelisk": "方尖碑",
    "mon:palace": "宫殿",
    "mon:pyramid": "金字塔",
    "mon:sphinx": "狮身人面像",
    "mon:statues": "雕像",
    "mon:step_pyramid": "阶梯金字塔",
    "mon:temple": "神庙",
    "dis:funeral": "驾崩",
    "dis:drought": "干旱",
    "dis:unrest": "暴动",
    "dis:earthquake": "毁坏",
}

POINTS: Final = {
    "gods": "神祇",
    "gold": "黄金",
    "niles": "尼罗河",
    "civilisations": "文明",
    "pharaohs": "法老",
    "monuments": "遗迹",
    "suns": "太阳神筹码",
}

MOVES: Final = {
    "draw": "抽一个板块",
    "invoke": "宣布竞标",
    "use_gods": "使用神祇，拿取第 {slots} 格的板块",
    "pass": "跳过",
    "bid": "以 {sun} 号太阳神筹码出价",
    "discard": "弃掉：{tiles}",
    "score_epoch": "结算第 {epoch} 时期",
}

EVENTS: Final[Sentences] = {
    "ra.suns_dealt": "太阳神筹码已分发：{suns}。",
    "ra.epoch_started": "第 {epoch} 时期开始，由座位 {active} 先行动。",
    "ra.turn_started": "轮到座位 {active} 行动。",
    "ra.tile_drawn": "座位 {seat} 抽到板块：{tile}。",
    "ra.gods_used": "座位 {seat} 对第 {slots} 格使用神祇，拿取：{lot}。",
    "ra.auction_started": {
        "voluntary": "座位 {ra_player} 宣布竞标，出价顺序：{order}。",
        "ra_drawn": "抽到太阳神板块，立刻竞标，出价顺序：{order}。",
        "full_track": "竞标区的板块已满，进行竞标，出价顺序：{order}。",
    },
    "ra.bid_placed": "座位 {seat} 以 {sun} 号太阳神筹码出价。",
    "ra.passed": {
        True: "座位 {seat} 没有更大的太阳神筹码，自动跳过。",
        False: "座位 {seat} 跳过。",
    },
    "ra.auction_won": "座位 {seat} 以 {sun} 号太阳神筹码得标，换回中央的 {received_sun} 号，得到：{lot}。",
    "ra.lot_removed": "无人出价，竞标区的板块全部移出游戏：{tiles}。",
    "ra.tiles_lost": "座位 {seat} 遭遇{disaster}，失去：{tiles}。",
    "ra.discard_demanded": "座位 {seat} 须选择要弃掉的板块：{due}。",
    "ra.tiles_discarded": "座位 {seat} 因{disaster}弃掉：{tiles}。",
    "ra.epoch_ended": {
        "ra_track": "太阳神轨道已满，第 {epoch} 时期结束。移出游戏：{removed}。",
        "suns": "所有太阳神筹码都已用完，第 {epoch} 时期结束。",
    },
    "ra.epoch_scored": "第 {epoch} 时期计分：{seats}。",
    "ra.epoch_cleared": "太阳神筹码全部翻回正面，移除轨道上 {ra_tiles} 个太阳神板块。各座位弃掉：{tiles}。",
    "ra.game_ended": {
        "points": "游戏结束，座位 {winners} 获胜。得分：{scores}。",
        "highest_sun": "游戏结束，分数平手，座位 {winners} 以最大的太阳神筹码获胜。得分：{scores}。",
    },
}

REASONS: Final = {
    "game_over": "游戏已经结束。",
    "not_your_turn": "现在还没轮到你行动。",
    "wrong_phase": "现在不能这样做。",
    "track_full": "竞标区已满：请宣布竞标或使用神祇板块。",
    "no_such_slot": "竞标区的那一格没有板块。",
    "duplicate_slot": "每个板块只能拿一次。",
    "god_not_takeable": "不能用神祇换取神祇。",
    "not_enough_gods": "你的神祇板块不够：每个神祇只能换一个板块。",
    "must_bid": "你宣布了竞标而无人出价，因此你必须出价。",
    "sun_not_available": "你没有这枚正面朝上的太阳神筹码。",
    "bid_too_low": "出价必须比目前最高的出价更大。",
    "wrong_discard_count": "请按灾难所要求的种类与数量弃掉板块。",
    "not_owned": "只能弃掉你自己拥有的板块。",
}

BARRIERS: Final = {
    "reveals_tile": "会翻出板块",
    "passes_turn": "会轮到别的玩家",
    "ends_epoch": "会结束这个时期",
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
        demand="因{disaster}弃 {count} 个",
        score="{net}，共 {after} 分：{points}",
        nothing="无",
        hidden="未公开",
        reasons=REASONS,
        barriers=BARRIERS,
    )
)
