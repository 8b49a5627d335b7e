//! Labels of the printed score in five languages. `{}` stands for the one number or name that a
//! label carries. A pair of labels is for the singular and the plural.

use crate::rules::Halves;

/// Amounts up to one are singular: "½ doubling", but "1½ doublings".
const ONE: Halves = Halves(2);
/// Amounts up to one and a half are singular: "halvanden fordobling", "en och en halv dubbling".
const ONE_AND_A_HALF: Halves = Halves(3);

/// The words around the figures of a printed score.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Labels {
    /// Label of the hand.
    pub hand: &'static str,
    /// Label of the concealed tiles.
    pub concealed: &'static str,
    /// Label of the melds.
    pub melds: &'static str,
    /// Label of the winning tile.
    pub winning: &'static str,
    /// Label of the flowers.
    pub flowers: &'static str,
    /// Label of the chosen reading.
    pub reading: &'static str,
    /// Label of the winner's seat.
    pub seat: &'static str,
    /// Label of the wind of the round.
    pub prevalent: &'static str,
    /// Label of the way in which the hand was won.
    pub win: &'static str,
    /// Label of the rule set.
    pub rules: &'static str,
    /// Names of the winds: East, South, West, North.
    pub winds: [&'static str; 4],
    /// Sources of the winning tile: drawn, discard, replacement tile, robbed kong.
    pub wins: [&'static str; 4],
    /// Origins of a claimed tile: from the left, from across, from the right.
    pub from: [&'static str; 3],
    /// The tile was the last of the wall, or the discard after it.
    pub last_wall_tile: &'static str,
    /// The tile was the last of its kind.
    pub last_of_kind: &'static str,
    /// Declarations, in the order of [`Declaration::ALL`](crate::context::Declaration::ALL).
    pub declared: [&'static str; 7],
    /// The set that the winning tile completed; carries the set.
    pub completes: &'static str,
    /// The player who completed the last of the sets that make their feeder pay: left, across,
    /// right, nobody.
    pub feeders: [&'static str; 4],
    /// Head of the column of fan names.
    pub fan: &'static str,
    /// Head of the column of line names, for rules whose lines are not fans.
    pub line: &'static str,
    /// Head of the column of points.
    pub points: &'static str,
    /// Head of the column of sets.
    pub sets: &'static str,
    /// The whole hand forms the fan.
    pub whole_hand: &'static str,
    /// Label of the sum.
    pub total: &'static str,
    /// The sum without flowers; carries the sum.
    pub without_flowers: &'static str,
    /// Largest amount that takes the singular: one, or in some languages one and a half.
    pub singular_up_to: Halves,
    /// Points in a sentence, singular and plural; carries the number.
    pub points_told: [&'static str; 2],
    /// Doublings in a sentence, singular and plural; carries the number.
    pub doublings_told: [&'static str; 2],
    /// Doublings in a column of figures; carries the number.
    pub doublings_short: &'static str,
    /// Limits in a column of figures, singular and plural; carries the number.
    pub limits_short: [&'static str; 2],
    /// A limit or the highest doubling reduced the total.
    pub capped: &'static str,
    /// A minimum in points; carries the number.
    pub minimum_points: &'static str,
    /// The minimum is met; carries the minimum.
    pub minimum_met: &'static str,
    /// The minimum is not met; carries the minimum.
    pub minimum_missed: &'static str,
    /// Only some answers to the open questions meet the minimum; carries the minimum.
    pub minimum_met_by_some: &'static str,
    /// No answer meets the minimum; carries the minimum.
    pub minimum_met_by_none: &'static str,
    /// The amount missing to the minimum, singular and plural; carries the amount.
    pub missing: [&'static str; 2],
    /// A change would have been enough for the minimum; carries the change.
    pub enough: &'static str,
    /// The changes of a hand: the winning tile drawn, nothing called, both.
    pub changes: [&'static str; 3],
    /// The total would reach the limit with one more doubling; carries the limit.
    pub limit_is_near: &'static str,
    /// Label of the fans that do not count.
    pub excluded: &'static str,
    /// Excluded because the other fan implies it; carries the other fan.
    pub implied: &'static str,
    /// Excluded because a set was used for the same fan already; carries the other fan.
    pub same_fan_twice: &'static str,
    /// Excluded because its sets are combined already; carries the other fan.
    pub account_once: &'static str,
    /// Excluded because the other line counts alone; carries the other line.
    pub counts_alone: &'static str,
    /// Excluded because the winning tile is a knitted one of the other line; carries the other
    /// line.
    pub knitted_tile: &'static str,
    /// Label of the other readings.
    pub runners_up: &'static str,
    /// A worse reading; carries the difference.
    pub worth_less: &'static str,
    /// A reading that is worth the same.
    pub worth_the_same: &'static str,
    /// The lines that another reading does not have; carries the lines.
    pub without: &'static str,
    /// The lines that another reading has in their place; carries the lines.
    pub instead: &'static str,
    /// Label of the hand of a player who did not win; carries the seat.
    pub other: &'static str,
    /// Label of the possible totals, where a field is not given.
    pub possible: &'static str,
    /// Label of the payments.
    pub payments: &'static str,
    /// Label of the assumed fields.
    pub assumed: &'static str,
}

pub(super) static EN: Labels = Labels {
    hand: "Hand",
    concealed: "Concealed",
    melds: "Melds",
    winning: "Winning tile",
    flowers: "Flowers",
    reading: "Read as",
    seat: "Seat wind",
    prevalent: "Prevalent wind",
    win: "Won by",
    rules: "Rules",
    winds: ["East", "South", "West", "North"],
    wins: ["self-draw", "discard", "replacement tile", "robbing a kong"],
    from: ["from the left", "from across", "from the right"],
    last_wall_tile: "last tile of the wall",
    last_of_kind: "last of its kind",
    declared: [
        "original call",
        "twofold fortune",
        "Blessing of Heaven",
        "Blessing of Earth",
        "East's ninth win in a row",
        "replacement for a bonus tile",
        "dangerous game",
    ],
    completes: "completes {}",
    feeders: [
        "last set fed from the left",
        "last set fed from across",
        "last set fed from the right",
        "last set fed by nobody",
    ],
    fan: "Fan",
    line: "Line",
    points: "Points",
    sets: "Formed by",
    whole_hand: "the whole hand",
    total: "Total",
    without_flowers: "{} without flowers",
    singular_up_to: ONE,
    points_told: ["{} point", "{} points"],
    doublings_told: ["{} doubling", "{} doublings"],
    doublings_short: "{} dbl.",
    limits_short: ["{} limit", "{} limits"],
    capped: "capped",
    minimum_points: "{}",
    minimum_met: "the minimum of {} is met",
    minimum_missed: "no legal win: the minimum is {},",
    minimum_met_by_some: "the minimum of {} is met by some answers only",
    minimum_met_by_none: "no legal win whatever the answers: the minimum is {}",
    missing: ["{} missing", "{} missing"],
    enough: "{} would have been enough",
    changes: ["a self-draw", "a concealed hand", "a concealed hand and a self-draw"],
    limit_is_near: "one more doubling would reach the limit of {}",
    excluded: "Not counted",
    implied: "implied by {}",
    same_fan_twice: "a set of it already counts for {}",
    account_once: "its sets are already joined, by {} last",
    counts_alone: "{} counts alone",
    knitted_tile: "by these rules a wait does not count for one of the nine tiles of {}",
    runners_up: "Other readings",
    worth_less: "{} less",
    worth_the_same: "worth the same",
    without: "without {}",
    instead: "but with {}",
    other: "{}, not won",
    possible: "Possible",
    payments: "Payments",
    assumed: "Assumed",
};

pub(super) static DE: Labels = Labels {
    hand: "Hand",
    concealed: "Verdeckt",
    melds: "Ausgelegt",
    winning: "Schlussziegel",
    flowers: "Glücksziegel",
    reading: "Gelesen als",
    seat: "Platzwind",
    prevalent: "Rundenwind",
    win: "Gewonnen mit",
    rules: "Regeln",
    winds: ["Ost", "Süd", "West", "Nord"],
    wins: ["eigenem Zug", "Abwurf", "Ersatzziegel", "beraubtem Vierling"],
    from: ["von links", "von gegenüber", "von rechts"],
    last_wall_tile: "letzter Ziegel der Mauer",
    last_of_kind: "letzter seiner Art",
    declared: [
        "Ursprungsruf",
        "doppeltes Glück",
        "Segen des Himmels",
        "Segen der Erde",
        "neunter Gewinn von Ost in Folge",
        "Ersatz für einen Glücksziegel",
        "gefährliches Spiel",
    ],
    completes: "vervollständigt {}",
    feeders: [
        "letzter Satz von links zugespielt",
        "letzter Satz von gegenüber zugespielt",
        "letzter Satz von rechts zugespielt",
        "letzter Satz von niemandem zugespielt",
    ],
    fan: "Spielbild",
    line: "Zeile",
    points: "Punkte",
    sets: "Gebildet aus",
    whole_hand: "der ganzen Hand",
    total: "Summe",
    without_flowers: "{} ohne Glücksziegel",
    singular_up_to: ONE,
    points_told: ["{} Punkt", "{} Punkte"],
    doublings_told: ["{} Verdopplung", "{} Verdopplungen"],
    doublings_short: "{} Verd.",
    limits_short: ["{} Limit", "{} Limits"],
    capped: "gedeckelt",
    minimum_points: "{}",
    minimum_met: "das Minimum von {} ist erreicht",
    minimum_missed: "kein gültiger Gewinn: das Minimum ist {},",
    minimum_met_by_some: "das Minimum von {} erreichen nur manche Antworten",
    minimum_met_by_none: "kein gültiger Gewinn, wie auch immer die Antworten sind: das Minimum ist {}",
    missing: ["es fehlt {}", "es fehlen {}"],
    enough: "{} hätte gereicht",
    changes: ["ein eigener Zug", "eine verdeckte Hand", "eine verdeckte Hand mit eigenem Zug"],
    limit_is_near: "mit einer Verdopplung mehr wäre das Limit von {} erreicht",
    excluded: "Entfällt",
    implied: "in {} enthalten",
    same_fan_twice: "eine Figur davon zählt schon für {}",
    account_once: "Figuren schon gruppiert, zuletzt durch {}",
    counts_alone: "{} zählt allein",
    knitted_tile: "nach diesen Regeln zählt kein Warten auf einen der neun Ziegel von {}",
    runners_up: "Andere Lesarten",
    worth_less: "{} weniger",
    worth_the_same: "gleich viel wert",
    without: "ohne {}",
    instead: "dafür mit {}",
    other: "{}, nicht gewonnen",
    possible: "Möglich",
    payments: "Abrechnung",
    assumed: "Angenommen",
};

pub(super) static DA: Labels = Labels {
    hand: "Hånd",
    concealed: "Skjult",
    melds: "Udlagt",
    winning: "Vinderbrik",
    flowers: "Blomster",
    reading: "Læst som",
    seat: "Egen vind",
    prevalent: "Rundens vind",
    win: "Vundet på",
    rules: "Regler",
    winds: ["øst", "syd", "vest", "nord"],
    wins: ["eget træk", "afkast", "erstatningsbrik", "røvet kong"],
    from: ["fra venstre", "fra modsat", "fra højre"],
    last_wall_tile: "murens sidste brik",
    last_of_kind: "sidste af sin slags",
    declared: [
        "første melding",
        "dobbelt lykke",
        "himlens velsignelse",
        "jordens velsignelse",
        "østs niende sejr i træk",
        "erstatning for en blomst",
        "farligt spil",
    ],
    completes: "fuldender {}",
    feeders: [
        "sidste sæt fodret fra venstre",
        "sidste sæt fodret fra modsat",
        "sidste sæt fodret fra højre",
        "sidste sæt ikke fodret af nogen",
    ],
    fan: "Fan",
    line: "Linje",
    points: "Point",
    sets: "Dannet af",
    whole_hand: "hele hånden",
    total: "I alt",
    without_flowers: "{} uden blomster",
    singular_up_to: ONE_AND_A_HALF,
    points_told: ["{} point", "{} point"],
    doublings_told: ["{} fordobling", "{} fordoblinger"],
    doublings_short: "{} ford.",
    limits_short: ["{} limit", "{} limits"],
    capped: "loft nået",
    minimum_points: "{}",
    minimum_met: "minimum på {} er nået",
    minimum_missed: "ikke en gyldig vinderhånd: minimum er {},",
    minimum_met_by_some: "kun nogle af svarene når minimum på {}",
    minimum_met_by_none: "ikke en gyldig vinderhånd, uanset svarene: minimum er {}",
    missing: ["der mangler {}", "der mangler {}"],
    enough: "{} ville have været nok",
    changes: ["et selvtræk", "en skjult hånd", "en skjult hånd på selvtræk"],
    limit_is_near: "med én fordobling mere var limit på {} nået",
    excluded: "Tæller ikke",
    implied: "indgår i {}",
    same_fan_twice: "et af sættene tæller allerede for {}",
    account_once: "sættene er allerede forbundet, senest af {}",
    counts_alone: "{} tæller alene",
    knitted_tile: "efter disse regler tæller en vent på en af de ni brikker i {} ikke",
    runners_up: "Andre læsninger",
    worth_less: "{} mindre",
    worth_the_same: "lige så meget værd",
    without: "uden {}",
    instead: "men med {}",
    other: "{}, ikke vundet",
    possible: "Muligt",
    payments: "Afregning",
    assumed: "Antaget",
};

pub(super) static SV: Labels = Labels {
    hand: "Hand",
    concealed: "Dolt",
    melds: "Utlagt",
    winning: "Vinnande bricka",
    flowers: "Blommor",
    reading: "Läst som",
    seat: "Egen vind",
    prevalent: "Rondens vind",
    win: "Vunnen på",
    rules: "Regler",
    winds: ["öst", "syd", "väst", "nord"],
    wins: ["eget drag", "slängd bricka", "ersättningsbricka", "plundrad kong"],
    from: ["från vänster", "från mittemot", "från höger"],
    last_wall_tile: "murens sista bricka",
    last_of_kind: "sista i sitt slag",
    declared: [
        "ursprungligt utrop",
        "dubbel lycka",
        "himlens välsignelse",
        "jordens välsignelse",
        "östs nionde vinst i rad",
        "ersättning för en blomma",
        "farligt spel",
    ],
    completes: "fullbordar {}",
    feeders: [
        "sista setet matat från vänster",
        "sista setet matat från mittemot",
        "sista setet matat från höger",
        "sista setet inte matat av någon",
    ],
    fan: "Fan",
    line: "Rad",
    points: "Poäng",
    sets: "Bildas av",
    whole_hand: "hela handen",
    total: "Summa",
    without_flowers: "{} utan blommor",
    singular_up_to: ONE_AND_A_HALF,
    points_told: ["{} poäng", "{} poäng"],
    doublings_told: ["{} dubbling", "{} dubblingar"],
    doublings_short: "{} dubbl.",
    limits_short: ["{} limit", "{} limiter"],
    capped: "tak nått",
    minimum_points: "{}",
    minimum_met: "minimum {} är uppnått",
    minimum_missed: "ingen giltig vinst: minimum är {},",
    minimum_met_by_some: "bara vissa svar når minimum {}",
    minimum_met_by_none: "ingen giltig vinst, vad svaren än är: minimum är {}",
    missing: ["{} saknas", "{} saknas"],
    enough: "{} hade räckt",
    changes: ["ett eget drag", "en dold hand", "en dold hand på eget drag"],
    limit_is_near: "med en dubbling till vore limiten {} nådd",
    excluded: "Räknas inte",
    implied: "ingår i {}",
    same_fan_twice: "en av kombinationerna räknas redan för {}",
    account_once: "kombinationerna är redan förenade, senast av {}",
    counts_alone: "{} räknas ensam",
    knitted_tile: "enligt de här reglerna räknas ingen väntan på en av de nio brickorna i {}",
    runners_up: "Andra läsningar",
    worth_less: "{} mindre",
    worth_the_same: "lika mycket värd",
    without: "utan {}",
    instead: "men med {}",
    other: "{}, inte vunnen",
    possible: "Möjligt",
    payments: "Betalning",
    assumed: "Antaget",
};

pub(super) static ZH: Labels = Labels {
    hand: "手牌",
    concealed: "立牌",
    melds: "副露",
    winning: "和牌张",
    flowers: "花牌",
    reading: "牌型",
    seat: "门风",
    prevalent: "圈风",
    win: "和牌方式",
    rules: "规则",
    winds: ["东", "南", "西", "北"],
    wins: ["自摸", "点和", "杠上开花", "抢杠和"],
    from: ["上家", "对家", "下家"],
    last_wall_tile: "牌墙最后一张",
    last_of_kind: "绝张",
    declared: ["天听", "连杠开花", "天和", "地和", "庄家连胜九局", "补花", "危险牌包赔"],
    completes: "完成{}",
    feeders: ["最后一副由上家供牌", "最后一副由对家供牌", "最后一副由下家供牌", "最后一副无人供牌"],
    fan: "番种",
    line: "条目",
    points: "分",
    sets: "组成",
    whole_hand: "整副牌",
    total: "合计",
    without_flowers: "不计花牌 {}",
    singular_up_to: ONE,
    points_told: ["{} 点", "{} 点"],
    doublings_told: ["{} 倍", "{} 倍"],
    doublings_short: "{} 倍",
    limits_short: ["{} 满贯", "{} 满贯"],
    capped: "封顶",
    minimum_points: "{} 分",
    minimum_met: "已达起和 {}",
    minimum_missed: "不能和牌：起和 {}，",
    minimum_met_by_some: "只有部分答案达到起和 {}",
    minimum_met_by_none: "无论怎么回答都不能和牌：起和 {}",
    missing: ["还差 {}", "还差 {}"],
    enough: "若{}即可起和",
    changes: ["自摸", "门前清", "门前清且自摸"],
    limit_is_near: "再加一倍即达满贯 {}",
    excluded: "不计",
    implied: "已含于{}",
    same_fan_twice: "其中牌组已用于{}",
    account_once: "牌组已组合过，最后一次为{}",
    counts_alone: "仅计{}",
    knitted_tile: "按此规则，听{}的九张牌之一时不计边张、嵌张、单钓",
    runners_up: "其他拆法",
    worth_less: "少 {}",
    worth_the_same: "分值相同",
    without: "没有{}",
    instead: "但有{}",
    other: "{}（未和）",
    possible: "可能",
    payments: "结算",
    assumed: "假定",
};
