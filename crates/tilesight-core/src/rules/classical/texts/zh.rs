//! Chinese names and explanations of the lines, in the order of the
//! rules.

use crate::rules::Text;

pub(super) const TEXTS: [Text; super::LINES] = [
    // exposed_pung
    Text { name: "明刻", explanation: "2 至 8 的明刻。" },
    // exposed_pung_of_terminals
    Text { name: "幺九明刻", explanation: "一或九的明刻。" },
    // exposed_pung_of_honors
    Text { name: "字牌明刻", explanation: "风牌或箭牌的明刻。" },
    // concealed_pung
    Text { name: "暗刻", explanation: "2 至 8 的暗刻。" },
    // concealed_pung_of_terminals
    Text { name: "幺九暗刻", explanation: "一或九的暗刻。" },
    // concealed_pung_of_honors
    Text { name: "字牌暗刻", explanation: "风牌或箭牌的暗刻。" },
    // exposed_kong
    Text { name: "明杠", explanation: "2 至 8 的明杠，大明杠亦同。" },
    // exposed_kong_of_terminals
    Text { name: "幺九明杠", explanation: "一或九的明杠。" },
    // exposed_kong_of_honors
    Text { name: "字牌明杠", explanation: "风牌或箭牌的明杠。" },
    // concealed_kong
    Text { name: "暗杠", explanation: "2 至 8 的暗杠。" },
    // concealed_kong_of_terminals
    Text { name: "幺九暗杠", explanation: "一或九的暗杠。" },
    // concealed_kong_of_honors
    Text { name: "字牌暗杠", explanation: "风牌或箭牌的暗杠。" },
    // pair_of_dragons
    Text { name: "箭牌对", explanation: "一对箭牌。" },
    // pair_of_own_wind
    Text { name: "门风对", explanation: "一对本门风牌。" },
    // pair_of_round_wind
    Text { name: "圈风对", explanation: "一对圈风牌。" },
    // flower
    Text { name: "花", explanation: "每张花牌；只知张数的花牌亦同。" },
    // season
    Text { name: "季", explanation: "每张季节牌。" },
    // mah_jongg
    Text { name: "和牌", explanation: "和牌。" },
    // last_tile_from_wall
    Text { name: "自摸", explanation: "和牌张由自己摸得。" },
    // completes_pair
    Text {
        name: "单钓中张将", explanation: "和牌张凑成 2 至 8 的将牌，自摸或点和均可。"
    },
    // completes_pair_of_terminals_or_honors
    Text {
        name: "单钓幺九字将", explanation: "和牌张凑成幺九或字牌的将牌，自摸或点和均可。"
    },
    // only_possible_tile
    Text { name: "独听", explanation: "只听这一种牌。" },
    // dragon_pung
    Text { name: "箭刻", explanation: "每副箭牌刻子或杠。" },
    // own_wind_pung
    Text { name: "门风刻", explanation: "本门风的刻子或杠。" },
    // round_wind_pung
    Text { name: "圈风刻", explanation: "圈风的刻子或杠。" },
    // own_flower_and_season
    Text { name: "正花正季", explanation: "本门的花牌与季节牌齐备。" },
    // all_flowers
    Text { name: "四花齐", explanation: "四张花牌齐全。" },
    // all_seasons
    Text { name: "四季齐", explanation: "四张季节牌齐全。" },
    // three_concealed_pungs
    Text { name: "三暗刻", explanation: "至少三副暗刻或暗杠。" },
    // little_three_dragons
    Text { name: "小三元", explanation: "两副箭刻或箭杠及第三种箭牌的对子。" },
    // big_three_dragons
    Text { name: "大三元", explanation: "三种箭牌的刻子或杠齐全。" },
    // little_four_winds
    Text { name: "小四喜", explanation: "三副风刻或风杠及第四种风牌的对子。" },
    // big_four_winds
    Text { name: "大四喜", explanation: "四种风牌的刻子或杠齐全。" },
    // zero_point_hand
    Text { name: "平和", explanation: "四副顺子及无分的将牌；可有花牌。" },
    // no_chow
    Text { name: "对对和", explanation: "四副刻子或杠及将牌，无顺子。" },
    // concealed_hand
    Text { name: "门前清", explanation: "各副牌与将牌均未吃碰，自摸和牌。" },
    // one_suit_and_honors
    Text { name: "混一色", explanation: "一种花色加字牌。" },
    // one_suit
    Text { name: "清一色", explanation: "全部为一种花色。" },
    // terminals_and_honors
    Text { name: "混幺九", explanation: "全部为幺九与字牌。" },
    // last_tile_of_wall
    Text { name: "海底捞月", explanation: "以牌墙最后一张自摸和牌。" },
    // last_discard
    Text { name: "河底捞鱼", explanation: "以摸尽牌墙后打出的牌和牌。" },
    // dead_wall
    Text { name: "杠上开花", explanation: "以开杠或补花所补的牌和牌。" },
    // robbing_the_kong
    Text { name: "抢杠", explanation: "以他家加杠的牌和牌。" },
    // original_call
    Text { name: "天听", explanation: "首次出牌前报听，此后不改牌。" },
    // thirteen_orphans
    Text { name: "十三幺", explanation: "幺九与字牌各一张，其中一种成对。" },
    // nine_gates
    Text {
        name: "九莲宝灯", explanation: "手持同花色 1112345678999，和任何一张同花色牌。"
    },
    // squirming_snake
    Text {
        name: "蛇形",
        explanation: "同花色：一与九各三张、2、5 或 8 的对子及两副顺子；可吃碰。",
    },
    // concealed_one_suit
    Text { name: "门清清一色", explanation: "门清自摸的清一色。" },
    // only_honors
    Text { name: "字一色", explanation: "全部为字牌。" },
    // only_terminals
    Text { name: "清幺九", explanation: "全部为一与九。" },
    // four_kongs
    Text { name: "四杠", explanation: "四副杠。" },
    // three_dragon_pungs
    Text { name: "三元及第", explanation: "和牌者三种箭牌刻子或杠齐全。" },
    // four_wind_pungs
    Text { name: "四喜临门", explanation: "和牌者四种风牌刻子或杠齐全。" },
    // imperial_jade
    Text {
        name: "绿一色", explanation: "仅由条子 2、3、4、6、8 及发财（或其中一部分）组成。"
    },
    // four_concealed_pungs
    Text { name: "四暗刻", explanation: "四副暗刻或暗杠，自摸和牌。" },
    // twofold_fortune
    Text { name: "连杠开花", explanation: "开杠补牌后再开杠，再补牌和牌。" },
    // blessing_of_heaven
    Text { name: "天和", explanation: "庄家以起手牌和牌。" },
    // blessing_of_earth
    Text { name: "地和", explanation: "闲家和庄家打出的第一张牌。" },
    // ninth_east_win
    Text { name: "八仙过海", explanation: "庄家连和第九局。" },
    // plum_blossom_from_the_roof
    Text { name: "杠上五梅花", explanation: "以岭上补得的五筒和牌。" },
    // moon_from_the_bottom_of_the_sea
    Text { name: "海底一筒", explanation: "以牌墙最后一张一筒和牌。" },
    // scratching_a_carrying_pole
    Text { name: "二条抢杠", explanation: "抢他家二条的杠和牌。" },
    // seven_pairs
    Text { name: "七对", explanation: "任意七个对子。" },
    // long_hand
    Text {
        name: "相公（多牌）", explanation: "未和而手牌多于应有张数：不计分。"
    },
];
