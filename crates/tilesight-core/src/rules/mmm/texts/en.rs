//! English: names and what each line needs, in the order of the lines. The words of the spec in
//! English; suits, winds and dragons as in the other games.

use crate::rules::Text;

const fn t(name: &'static str, explanation: &'static str) -> Text {
    Text { name, explanation }
}

pub(super) const TEXTS: [Text; super::LINES] = [
    t("Open pung", "A called pung of 2 to 8, or one that a discard completed."),
    t("Concealed pung", "A pung of 2 to 8 without a claimed tile."),
    t(
        "Open pung of officers",
        "A called pung of ones, nines, winds or dragons, or one that a discard completed.",
    ),
    t(
        "Concealed pung of officers",
        "A pung of ones, nines, winds or dragons without a claimed tile.",
    ),
    t("Open kong", "A called kong of 2 to 8."),
    t("Concealed kong", "A kong of 2 to 8 without a claimed tile."),
    t("Open kong of officers", "A called kong of ones, nines, winds or dragons."),
    t(
        "Concealed kong of officers",
        "A kong of ones, nines, winds or dragons without a claimed tile.",
    ),
    t("Pair of dragons", "A pair of any dragon."),
    t("Pair of own wind", "A pair of the winner's own wind."),
    t("Pair of round wind", "A pair of the wind of the round."),
    t("Self-draw", "The winner drew the winning tile."),
    t("Fully concealed hand", "Every set is concealed, and the winning tile was self-drawn."),
    t("Only chows", "Four chows and any pair in a concealed hand."),
    t("Under the sea", "Won on a self-draw of the wall's last tile."),
    t("Under the river", "Won on a discard after the wall's last tile was drawn."),
    t("Winning after a kong", "Won on the tile drawn because of a kong."),
    t("Robbing a kong", "Won on the tile that another player added to an open pung."),
    t("Fully open hand", "All four sets and the pair were called."),
    t("Dragons", "Each pung or kong of dragons."),
    t("Own wind", "A pung or kong of the winner's own wind."),
    t("Round wind", "A pung or kong of the wind of the round."),
    t("No officers", "Neither ones nor nines, winds nor dragons."),
    t(
        "Two identical chows",
        "Two chows of the same numbers in the same suit, in a concealed hand.",
    ),
    t(
        "Three identical chows",
        "A third chow of the same numbers in the same suit, in a concealed hand.",
    ),
    t("Two sets of two identical chows", "Two times two identical chows in a concealed hand."),
    t("Same chow in three suits", "Three chows of the same numbers, one in each suit."),
    t(
        "Same chow in three suits, concealed",
        "Three chows of the same numbers in three suits, in a concealed hand.",
    ),
    t("Straight", "1-2-3, 4-5-6 and 7-8-9 of one suit."),
    t("Straight, concealed", "1-2-3, 4-5-6 and 7-8-9 of one suit in a concealed hand."),
    t("Only officers", "A one, nine, wind or dragon in every set and in the pair."),
    t("Only officers, concealed", "An officer in every set and in the pair of a concealed hand."),
    t("Only officers, no chows", "An officer in every set and in the pair, without chows."),
    t(
        "Only officers, no honours",
        "A one or nine in every set and in the pair, without winds and dragons.",
    ),
    t("Only pungs", "Four pungs or kongs and a pair."),
    t("Same pung in three suits", "Three pungs or kongs of the same number, one in each suit."),
    t("Three kongs", "At least three kongs."),
    t("Three concealed pungs", "At least three concealed pungs or kongs."),
    t("Small dragon hand", "Two pungs or kongs of dragons and a pair of the third."),
    t("One suit", "Tiles of one suit, with winds and dragons or without."),
    t("One suit, no honours", "Tiles of one suit without winds and dragons."),
    t("One suit, concealed", "Tiles of one suit, with honours or without, in a concealed hand."),
    t("Seven pairs", "Seven pairs in a concealed hand."),
    t("Big dragon hand", "A pung or kong of each of the three dragons."),
    t("Small wind hand", "Three pungs or kongs of winds and a pair of the fourth."),
    t("Big wind hand", "Four pungs or kongs of winds."),
    t("Only ones and nines", "Only ones and nines."),
    t("Only winds and dragons", "Only winds and dragons."),
    t("Four kongs", "Four kongs and a pair."),
    t("Four concealed pungs", "Four concealed pungs or kongs."),
    t("Nine lanterns", "1112345678999 of one suit and one more tile of it, concealed."),
    t("Jade hand", "Only green tiles: bamboo 2, 3, 4, 6, 8 and the green dragon."),
    t("Extra score, half", "20 to 39 points; does not count towards the minimum."),
    t("Extra score, whole", "40 points or more; does not count towards the minimum."),
];
