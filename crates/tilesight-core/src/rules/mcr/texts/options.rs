//! Meanings of the options, in the order of [`Lang::ALL`].
//!
//! Invariant: every field of [`Options`](crate::rules::mcr::Options) has its text in every
//! language; a test of the contract checks all of them.

use super::name;
use crate::lang::Lang;

/// Returns the meaning of an option when it is set; `None` for a name that is not an option.
pub(in crate::rules::mcr) fn option(name: &str, lang: Lang) -> Option<String> {
    let found = OPTIONS.iter().find(|(option, _)| *option == name);
    found.map(|(_, texts)| with_names(texts[lang as usize], lang))
}

/// Returns the text with every `{48}` replaced by the name and number of that fan, so that each
/// name is written only once.
fn with_names(text: &str, lang: Lang) -> String {
    let mut pieces = text.split('{');
    let mut told = pieces.next().unwrap_or_default().to_owned();
    for (number, rest) in pieces.filter_map(|piece| piece.split_once('}')) {
        let name = number.parse().map(|number| name(number, lang));
        told.push_str(&format!("{} ({number}){rest}", name.unwrap_or_default()));
    }
    told
}

const OPTIONS: [(&str, [&str; 5]); 13] = [
    (
        "two_concealed_kongs_points",
        [
            "Points of {48}.",
            "Punkte für {48}.",
            "Point for {48}.",
            "Poäng för {48}.",
            "{48}的番数。",
        ],
    ),
    (
        "melded_and_concealed_kong_points",
        [
            "Points of {82}.",
            "Punkte für {82}.",
            "Point for {82}.",
            "Poäng för {82}.",
            "{82}的番数。",
        ],
    ),
    (
        "fully_concealed_special_hands",
        [
            "A self-drawn hand that is concealed by its nature (4, 6, 7, 12, 19, 20, 34) adds {56} rather than {80}.",
            "Eine selbst gezogene Hand, die von Natur aus verdeckt ist (4, 6, 7, 12, 19, 20, 34), zählt auch {56} statt {80}.",
            "En selvtrukket hånd, der i sig selv er skjult (4, 6, 7, 12, 19, 20, 34), giver {56} i stedet for {80}.",
            "En självdragen hand som i sig är dold (4, 6, 7, 12, 19, 20, 34) ger {56} i stället för {80}.",
            "本身必为门清的牌型（4、6、7、12、19、20、34）自摸时计{56}而不计{80}。",
        ],
    ),
    (
        "half_flush_with_green_dragon",
        [
            "{3} with the green dragon adds {50}.",
            "{3} mit dem grünen Drachen zählt auch {50}.",
            "{3} med den grønne drage giver også {50}.",
            "{3} med den gröna draken ger även {50}.",
            "{3}含发时另计{50}。",
        ],
    ),
    (
        "double_pung_in_all_terminals",
        [
            "{8} adds {65}.",
            "{8} zählt auch {65}.",
            "{8} giver også {65}.",
            "{8} ger även {65}.",
            "{8}另计{65}。",
        ],
    ),
    (
        "nine_gates_excludes_all_terminal_pungs",
        [
            "{4} excludes every {73}, not only one.",
            "{4} schließt jeden {73} aus, nicht nur einen.",
            "{4} udelukker hver {73}, ikke kun én.",
            "{4} utesluter varje {73}, inte bara en.",
            "{4}不计任何{73}，而非只减一个。",
        ],
    ),
    (
        "tile_hog_in_green_or_terminal_pairs",
        [
            "{3} or {8} made of seven pairs adds {64}.",
            "{3} oder {8} aus sieben Paaren zählt auch {64}.",
            "{3} eller {8} af syv par giver også {64}.",
            "{3} eller {8} av sju par ger även {64}.",
            "七对形的{3}或{8}另计{64}。",
        ],
    ),
    (
        "concealed_kong_beside_three_or_four_kongs",
        [
            "{17} or {5} of which exactly one is concealed adds {67}.",
            "{17} oder {5}, von denen genau einer verdeckt ist, zählt auch {67}.",
            "{17} eller {5}, hvoraf netop én er skjult, giver også {67}.",
            "{17} eller {5}, varav exakt en är dold, ger även {67}.",
            "{17}或{5}中恰有一个暗杠时另计{67}。",
        ],
    ),
    (
        "wait_on_knitted_tile",
        [
            "A wait (77 to 79) counts beside {35} even when the winning tile is one of the nine knitted tiles.",
            "Ein Warten (77 bis 79) zählt neben {35} auch dann, wenn der Gewinnziegel einer der neun verflochtenen ist.",
            "En vent (77 til 79) tæller ved siden af {35}, også når vinderbrikken er en af de ni flettede.",
            "En väntan (77 till 79) räknas bredvid {35} även när vinstbrickan är en av de nio flätade.",
            "和牌张属于{35}的九张牌时，仍可计边张、嵌张、单钓（77 至 79）。",
        ],
    ),
    (
        "knitted_straight_in_lesser_honors",
        [
            "{34} with all nine knitted tiles adds {35}.",
            "{34} mit allen neun verflochtenen Ziegeln zählt auch {35}.",
            "{34} med alle ni flettede brikker giver også {35}.",
            "{34} med alla nio flätade brickor ger även {35}.",
            "{34}含全部九张组合龙牌时另计{35}。",
        ],
    ),
    (
        "terminal_pungs_in_big_three_winds",
        [
            "Pungs of {38} that are neither the seat nor the prevalent wind also count as {73}.",
            "Drillinge in {38}, die weder Platz- noch Rundenwind sind, zählen auch als {73}.",
            "Pungs i {38}, der hverken er egen vind eller rundens, tæller også som {73}.",
            "Pungs i {38} som varken är egen vind eller rundans räknas även som {73}.",
            "{38}中既非门风也非圈风的刻子另计{73}。",
        ],
    ),
    (
        "formal_waits",
        [
            "A tile of which the hand holds all four copies still counts as one it waits for.",
            "Auch ein Ziegel, von dem die Hand alle vier hat, gilt als einer, auf den sie wartet.",
            "En brik, som hånden har alle fire af, tæller stadig som en, den venter på.",
            "En bricka som handen har alla fyra av räknas ändå som en den väntar på.",
            "手中已有四张的牌仍算作所听的牌。",
        ],
    ),
    (
        "tile_hog_on_honors",
        [
            "{64} counts on honors, which only seven pairs can show.",
            "{64} zählt auch bei Winden und Drachen, was nur sieben Paare zeigen können.",
            "{64} tæller også for honnører, hvilket kun syv par kan vise.",
            "{64} räknas även för honörer, vilket bara sju par kan visa.",
            "字牌也计{64}，只有七对才会出现。",
        ],
    ),
];
