//! English names and explanations of the lines, in the order of the
//! rules.

use crate::rules::Text;

pub(super) const TEXTS: [Text; super::LINES] = [
    // exposed_pung
    Text { name: "Exposed Pung", explanation: "An exposed pung of 2 to 8." },
    // exposed_pung_of_terminals
    Text { name: "Exposed Pung of Terminals", explanation: "An exposed pung of ones or nines." },
    // exposed_pung_of_honors
    Text { name: "Exposed Pung of Honors", explanation: "An exposed pung of winds or dragons." },
    // concealed_pung
    Text { name: "Concealed Pung", explanation: "A concealed pung of 2 to 8." },
    // concealed_pung_of_terminals
    Text { name: "Concealed Pung of Terminals", explanation: "A concealed pung of ones or nines." },
    // concealed_pung_of_honors
    Text { name: "Concealed Pung of Honors", explanation: "A concealed pung of winds or dragons." },
    // exposed_kong
    Text {
        name: "Exposed Kong",
        explanation: "An exposed kong of 2 to 8, also one claimed onto a concealed pung.",
    },
    // exposed_kong_of_terminals
    Text { name: "Exposed Kong of Terminals", explanation: "An exposed kong of ones or nines." },
    // exposed_kong_of_honors
    Text { name: "Exposed Kong of Honors", explanation: "An exposed kong of winds or dragons." },
    // concealed_kong
    Text { name: "Concealed Kong", explanation: "A concealed kong of 2 to 8." },
    // concealed_kong_of_terminals
    Text { name: "Concealed Kong of Terminals", explanation: "A concealed kong of ones or nines." },
    // concealed_kong_of_honors
    Text { name: "Concealed Kong of Honors", explanation: "A concealed kong of winds or dragons." },
    // pair_of_dragons
    Text { name: "Pair of Dragons", explanation: "A pair of dragons." },
    // pair_of_own_wind
    Text { name: "Pair of Own Wind", explanation: "A pair of the player's own wind." },
    // pair_of_round_wind
    Text { name: "Pair of Round Wind", explanation: "A pair of the wind of the round." },
    // flower
    Text {
        name: "Flower",
        explanation: "Each flower, and each bonus tile of which only the number is known.",
    },
    // season
    Text { name: "Season", explanation: "Each season." },
    // mah_jongg
    Text { name: "Mah-jongg", explanation: "The hand won." },
    // last_tile_from_wall
    Text { name: "Last Tile Drawn", explanation: "The winning tile was drawn from the wall." },
    // completes_pair
    Text {
        name: "Last Tile Completes a Pair of 2 to 8",
        explanation: "The winning tile completed a pair of 2 to 8, drawn or claimed.",
    },
    // completes_pair_of_terminals_or_honors
    Text {
        name: "Last Tile Completes a Pair of Terminals or Honors",
        explanation: "The winning tile completed a pair of ones, nines, winds or dragons, drawn or claimed.",
    },
    // only_possible_tile
    Text { name: "Only Possible Tile", explanation: "No other kind of tile could have won." },
    // dragon_pung
    Text { name: "Pung of Dragons", explanation: "Each pung or kong of dragons." },
    // own_wind_pung
    Text { name: "Pung of Own Wind", explanation: "A pung or kong of the player's own wind." },
    // round_wind_pung
    Text { name: "Pung of Round Wind", explanation: "A pung or kong of the wind of the round." },
    // own_flower_and_season
    Text {
        name: "Own Flower and Own Season",
        explanation: "Both the flower and the season of the player's seat.",
    },
    // all_flowers
    Text { name: "All Flowers", explanation: "All four flowers." },
    // all_seasons
    Text { name: "All Seasons", explanation: "All four seasons." },
    // three_concealed_pungs
    Text { name: "Three Concealed Pungs", explanation: "At least three concealed pungs or kongs." },
    // little_three_dragons
    Text {
        name: "Little Three Dragons",
        explanation: "Two pungs or kongs of dragons and a pair of the third.",
    },
    // big_three_dragons
    Text { name: "Big Three Dragons", explanation: "Pungs or kongs of all three dragons." },
    // little_four_winds
    Text {
        name: "Little Four Winds",
        explanation: "Three pungs or kongs of winds and a pair of the fourth.",
    },
    // big_four_winds
    Text { name: "Big Four Winds", explanation: "Pungs or kongs of all four winds." },
    // zero_point_hand
    Text {
        name: "Zero-Point Hand",
        explanation: "Four chows and a pair that counts nothing; bonus tiles are allowed.",
    },
    // no_chow
    Text { name: "No Chow", explanation: "Four pungs or kongs and a pair." },
    // concealed_hand
    Text {
        name: "Concealed Hand",
        explanation: "Every set and the pair concealed, the last tile drawn.",
    },
    // one_suit_and_honors
    Text {
        name: "One Suit and Honors",
        explanation: "Tiles of one suit together with winds or dragons.",
    },
    // one_suit
    Text { name: "One Suit", explanation: "Tiles of one suit only." },
    // terminals_and_honors
    Text { name: "Only Terminals and Honors", explanation: "Only ones, nines, winds and dragons." },
    // last_tile_of_wall
    Text {
        name: "Last Tile of the Wall",
        explanation: "Won with the last tile that could be drawn.",
    },
    // last_discard
    Text {
        name: "Last Discard",
        explanation: "Won on the discard after the last tile of the wall.",
    },
    // dead_wall
    Text {
        name: "Tile from the Dead Wall",
        explanation: "Won with the replacement for a kong or a bonus tile.",
    },
    // robbing_the_kong
    Text {
        name: "Robbing the Kong",
        explanation: "Won on the tile that another player added to a pung.",
    },
    // original_call
    Text {
        name: "Original Call",
        explanation: "Said before the first discard that one tile was missing, and changed nothing.",
    },
    // thirteen_orphans
    Text {
        name: "Thirteen Orphans",
        explanation: "One of each one, nine, wind and dragon, and any of them again.",
    },
    // nine_gates
    Text {
        name: "Nine Gates",
        explanation: "1112345678999 of one suit in the hand, and any further tile of it wins.",
    },
    // squirming_snake
    Text {
        name: "Squirming Snake",
        explanation: "One suit: three ones, three nines, a pair of 2, 5 or 8 and two chows; may be open.",
    },
    // concealed_one_suit
    Text {
        name: "Concealed One Suit",
        explanation: "One suit only, everything concealed and the last tile drawn.",
    },
    // only_honors
    Text { name: "Only Honors", explanation: "Only winds and dragons." },
    // only_terminals
    Text { name: "Heads and Tails", explanation: "Only ones and nines." },
    // four_kongs
    Text { name: "Fourfold Plenty", explanation: "Four kongs." },
    // three_dragon_pungs
    Text {
        name: "Three Great Scholars",
        explanation: "Pungs or kongs of all three dragons in a hand that won.",
    },
    // four_wind_pungs
    Text {
        name: "Four Blessings over the Door",
        explanation: "Pungs or kongs of all four winds in a hand that won.",
    },
    // imperial_jade
    Text {
        name: "Imperial Jade",
        explanation: "Only 2, 3, 4, 6, 8 of bamboo and the green dragon, or some of these.",
    },
    // four_concealed_pungs
    Text {
        name: "Hidden Treasure",
        explanation: "Four concealed pungs or kongs, the last tile drawn.",
    },
    // twofold_fortune
    Text {
        name: "Twofold Fortune",
        explanation: "A kong's replacement made another kong, whose replacement won.",
    },
    // blessing_of_heaven
    Text { name: "Blessing of Heaven", explanation: "East wins with the tiles that were dealt." },
    // blessing_of_earth
    Text { name: "Blessing of Earth", explanation: "Another player wins on East's first discard." },
    // ninth_east_win
    Text {
        name: "East's Ninth Win in a Row",
        explanation: "East wins for the ninth time in a row.",
    },
    // plum_blossom_from_the_roof
    Text {
        name: "Gathering the Plum Blossom from the Roof",
        explanation: "Won with 5 of dots from the dead wall.",
    },
    // moon_from_the_bottom_of_the_sea
    Text {
        name: "Plucking the Moon from the Bottom of the Sea",
        explanation: "Won with 1 of dots as the last tile of the wall.",
    },
    // scratching_a_carrying_pole
    Text {
        name: "Scratching a Carrying Pole",
        explanation: "Won by robbing a kong of 2 of bamboo.",
    },
    // seven_pairs
    Text { name: "Seven Pairs", explanation: "Any seven pairs." },
    // long_hand
    Text {
        name: "Long Hand",
        explanation: "More tiles than a player holds who has not won: the hand counts nothing.",
    },
];
