//! Tiles: the 34 playing tiles, the eight bonus tiles, and the faces that a camera can see.
//!
//! All types here are `Copy`, compare by the order of the suits (characters, dots, bamboo, winds,
//! dragons) and read and write the codes that every front end of Tilesight shares:
//! `1m..9m 1p..9p 1s..9s E S W N C F P f1..f4 s1..s4 back`. Invariant: a [`Tile`] is always below
//! 34, a [`Bonus`] always below 8. No images, no I/O.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A numbered suit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Suit {
    /// Characters (万), written `m`.
    Characters,
    /// Dots (筒), written `p`.
    Dots,
    /// Bamboo (条), written `s`.
    Bamboo,
}

impl Suit {
    /// All suits in tile order.
    pub const ALL: [Suit; 3] = [Suit::Characters, Suit::Dots, Suit::Bamboo];

    /// Returns the letter of the suit in tile codes.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Suit::Characters => 'm',
            Suit::Dots => 'p',
            Suit::Bamboo => 's',
        }
    }

    /// Returns the suit of a letter in tile codes.
    #[must_use]
    pub(crate) const fn from_letter(letter: char) -> Option<Suit> {
        // A table without branches, which would be hard to predict.
        const OF_LETTERS: [Option<Suit>; 128] = {
            let mut suits = [None; 128];
            let mut at = 0;
            while at < Suit::ALL.len() {
                suits[Suit::ALL[at].letter() as usize] = Some(Suit::ALL[at]);
                at += 1;
            }
            suits
        };
        if letter.is_ascii() { OF_LETTERS[letter as usize] } else { None }
    }
}

/// A wind: a tile, a seat or the prevalent wind of a round.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    Default,
    utoipa::ToSchema,
)]
pub enum Wind {
    /// East (東).
    #[default]
    #[serde(rename = "E")]
    East,
    /// South (南).
    #[serde(rename = "S")]
    South,
    /// West (西).
    #[serde(rename = "W")]
    West,
    /// North (北).
    #[serde(rename = "N")]
    North,
}

impl Wind {
    /// All winds in the order of play.
    pub const ALL: [Wind; 4] = [Wind::East, Wind::South, Wind::West, Wind::North];

    /// Returns the seat that plays after this one.
    #[must_use]
    pub const fn next(self) -> Wind {
        Wind::ALL[(self as usize + 1) % 4]
    }

    /// Returns the tile that shows this wind.
    #[must_use]
    pub const fn tile(self) -> Tile {
        Tile(27 + self as u8)
    }
}

impl fmt::Display for Wind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.tile().fmt(f)
    }
}

/// A dragon.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Dragon {
    /// Red (中), written `C`.
    Red,
    /// Green (發), written `F`.
    Green,
    /// White (白), written `P`.
    White,
}

/// A playing tile, of 34 kinds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tile(u8);

/// Codes of the honors, from index 27.
const HONORS: [char; 7] = ['E', 'S', 'W', 'N', 'C', 'F', 'P'];

/// Characters on the honors, from index 27, in their traditional, Japanese and simplified forms.
const HONOR_CHARACTERS: [&[char]; 7] =
    [&['東', '东'], &['南'], &['西'], &['北'], &['中'], &['發', '発', '发'], &['白']];

/// Index of the tile of each Unicode character from U+1F000 on: winds, dragons, characters, bamboo,
/// dots.
const UNICODE_ORDER: [u8; Tile::KINDS] = {
    let mut order = [0; Tile::KINDS];
    let mut at = 0;
    while at < Tile::KINDS {
        order[at] = match at as u8 {
            honor @ 0..=6 => 27 + honor,
            character @ 7..=15 => character - 7,
            bamboo @ 16..=24 => bamboo + 2,
            dots => dots - 16,
        };
        at += 1;
    }
    order
};

/// First Unicode character of a tile, East.
const UNICODE_EAST: u32 = 0x1f000;

impl Tile {
    /// Number of kinds.
    pub const KINDS: usize = 34;

    /// All kinds, ordered by index.
    pub const ALL: [Tile; Tile::KINDS] = {
        let mut all = [Tile(0); Tile::KINDS];
        let mut index = 0;
        while index < Tile::KINDS {
            all[index] = Tile(index as u8);
            index += 1;
        }
        all
    };

    /// Returns the tile of a suit and a number of 1 to 9; `None` for any other number.
    #[must_use]
    pub const fn new(suit: Suit, number: u8) -> Option<Tile> {
        if number >= 1 && number <= 9 { Some(Tile(suit as u8 * 9 + number - 1)) } else { None }
    }

    /// Returns the honor of a letter in tile codes.
    #[must_use]
    pub(crate) const fn from_honor_letter(letter: char) -> Option<Tile> {
        // As for the suits.
        const OF_LETTERS: [Option<Tile>; 128] = {
            let mut tiles = [None; 128];
            let mut at = 0;
            while at < HONORS.len() {
                tiles[HONORS[at] as usize] = Some(Tile(27 + at as u8));
                at += 1;
            }
            tiles
        };
        if letter.is_ascii() { OF_LETTERS[letter as usize] } else { None }
    }

    /// Returns the honor of a number of 1 to 7: E S W N C F P, as in China; riichi tools swap 5 and
    /// 7.
    #[must_use]
    pub(crate) const fn from_honor_number(number: u8) -> Option<Tile> {
        if number >= 1 && number <= 7 { Some(Tile(26 + number)) } else { None }
    }

    /// Returns the tile that a single character stands for: the letter of an honor, the character
    /// printed on it, or a tile of Unicode.
    #[must_use]
    pub(crate) fn from_symbol(symbol: char) -> Option<Tile> {
        if symbol.is_ascii() {
            return Tile::from_honor_letter(symbol);
        }
        let place = u32::from(symbol).checked_sub(UNICODE_EAST);
        let in_unicode = place.and_then(|place| UNICODE_ORDER.get(place as usize));
        let printed = HONOR_CHARACTERS.iter().position(|printed| printed.contains(&symbol));
        in_unicode.copied().or(printed.map(|at| 27 + at as u8)).map(Tile)
    }

    /// Returns every character that stands for a tile by itself, letters apart.
    pub(crate) fn symbols() -> impl Iterator<Item = char> {
        let last = UNICODE_EAST + Tile::KINDS as u32 - 1;
        let in_unicode = (UNICODE_EAST..=last).filter_map(char::from_u32);
        in_unicode.chain(HONOR_CHARACTERS.into_iter().flatten().copied())
    }

    /// Returns the tiles of a suit for numbers of 1 to 9, each in a byte, the first one lowest.
    /// There are `count` of them, at most eight; behind their tiles lie any others.
    #[must_use]
    pub(crate) fn run_of_eight(suit: Suit, numbers: u64, count: usize) -> [Tile; 8] {
        const ONES: u64 = 0x0101_0101_0101_0101;
        let first = u64::from(suit as u8 * 9) * ONES;
        let given = u64::MAX.checked_shr(64 - 8 * count as u32).unwrap_or(0);
        let indices = (numbers.wrapping_add(first).wrapping_sub(ONES) & given).to_le_bytes();
        debug_assert!(indices.iter().all(|&index| usize::from(index) < Tile::KINDS));
        indices.map(Tile)
    }

    /// Returns the tile at an index of 0 to 33.
    #[must_use]
    pub const fn from_index(index: u8) -> Option<Tile> {
        if (index as usize) < Tile::KINDS { Some(Tile(index)) } else { None }
    }

    /// Returns the index, 0 to 33: characters, dots, bamboo, E S W N, C F P.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the suit; `None` for an honor.
    #[must_use]
    pub const fn suit(self) -> Option<Suit> {
        match self.0 {
            0..=8 => Some(Suit::Characters),
            9..=17 => Some(Suit::Dots),
            18..=26 => Some(Suit::Bamboo),
            _ => None,
        }
    }

    /// Returns the number, 1 to 9; `None` for an honor.
    #[must_use]
    pub const fn number(self) -> Option<u8> {
        if self.0 < 27 { Some(self.0 % 9 + 1) } else { None }
    }

    /// Returns the wind that this tile shows.
    #[must_use]
    pub const fn wind(self) -> Option<Wind> {
        if self.is_wind() { Some(Wind::ALL[self.0 as usize - 27]) } else { None }
    }

    /// Returns the dragon that this tile shows.
    #[must_use]
    pub const fn dragon(self) -> Option<Dragon> {
        match self.0 {
            31 => Some(Dragon::Red),
            32 => Some(Dragon::Green),
            33 => Some(Dragon::White),
            _ => None,
        }
    }

    /// Returns whether this is a wind or a dragon.
    #[must_use]
    pub const fn is_honor(self) -> bool {
        self.0 >= 27
    }

    /// Returns whether this is a wind.
    #[must_use]
    pub const fn is_wind(self) -> bool {
        self.0 >= 27 && self.0 < 31
    }

    /// Returns whether this is a dragon.
    #[must_use]
    pub const fn is_dragon(self) -> bool {
        self.0 >= 31
    }

    /// Returns whether this is a 1 or a 9 of a suit.
    #[must_use]
    pub const fn is_terminal(self) -> bool {
        matches!(self.number(), Some(1 | 9))
    }

    /// Returns whether this is a 1, a 9 or an honor.
    #[must_use]
    pub const fn is_terminal_or_honor(self) -> bool {
        self.is_terminal() || self.is_honor()
    }

    /// Returns whether this is a 2 to 8 of a suit.
    #[must_use]
    pub const fn is_simple(self) -> bool {
        !self.is_terminal_or_honor()
    }

    /// Returns whether the usual drawing looks the same upside down (MCR fan 40, Reversible Tiles).
    #[must_use]
    pub const fn is_reversible(self) -> bool {
        match (self.suit(), self.number()) {
            (Some(Suit::Dots), Some(number)) => !matches!(number, 6 | 7),
            (Some(Suit::Bamboo), Some(number)) => !matches!(number, 1 | 3 | 7),
            _ => matches!(self.dragon(), Some(Dragon::White)),
        }
    }

    /// Returns the next higher tile of the same suit; `None` after a 9 and for honors.
    #[must_use]
    pub const fn successor(self) -> Option<Tile> {
        if self.0 < 27 && self.0 % 9 < 8 { Some(Tile(self.0 + 1)) } else { None }
    }
}

impl fmt::Display for Tile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.number(), self.suit()) {
            (Some(number), Some(suit)) => write!(f, "{number}{}", suit.letter()),
            _ => write!(f, "{}", HONORS[self.index() - 27]),
        }
    }
}

impl fmt::Debug for Tile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Error when a text is not the code of a tile.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct ParseTileError {
    /// Text that was found.
    pub found: String,
    /// Codes that would have been accepted.
    pub expected: &'static str,
}

const TILE_CODES: &str = "1m..9m, 1p..9p, 1s..9s, E S W N, C F P (or 1z..7z)";
const BONUS_CODES: &str = "f1..f4 or s1..s4";
const FACE_CODES: &str = "1m..9m, 1p..9p, 1s..9s, E S W N, C F P, f1..f4, s1..s4 or back";

/// Characters that only choose how the tile before them is drawn: as text, or in colours.
pub(crate) const VARIATIONS: [char; 2] = ['\u{fe0e}', '\u{fe0f}'];

impl FromStr for Tile {
    type Err = ParseTileError;

    /// Reads a code as hands have it: `5p`, `E`, `5z`, a character on a tile, or a tile of Unicode.
    /// The red fives `0m 0p 0s` are read as fives.
    fn from_str(text: &str) -> Result<Tile, ParseTileError> {
        let mut chars = text.strip_suffix(VARIATIONS).unwrap_or(text).chars();
        let tile = match (chars.next(), chars.next(), chars.next()) {
            (Some(symbol), None, None) => Tile::from_symbol(symbol),
            (Some(digit @ '1'..='7'), Some('z'), None) => {
                Tile::from_honor_number(digit as u8 - b'0')
            }
            (Some(digit @ '0'..='9'), Some(letter), None) => {
                let number = if digit == '0' { 5 } else { digit as u8 - b'0' };
                Suit::from_letter(letter).and_then(|suit| Tile::new(suit, number))
            }
            _ => None,
        };
        tile.ok_or_else(|| ParseTileError { found: text.to_owned(), expected: TILE_CODES })
    }
}

/// A playing tile with its print: a five may be red.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PrintedTile {
    /// The tile, which is a five if it is red.
    pub tile: Tile,
    /// Whether it is a red five.
    pub red: bool,
}

impl fmt::Display for PrintedTile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.tile.suit().filter(|_| self.red) {
            Some(suit) => write!(f, "0{}", suit.letter()),
            None => self.tile.fmt(f),
        }
    }
}

impl FromStr for PrintedTile {
    type Err = ParseTileError;

    fn from_str(text: &str) -> Result<PrintedTile, ParseTileError> {
        Ok(PrintedTile { tile: text.parse()?, red: text.starts_with('0') })
    }
}

/// A flower or a season: worth points, never part of a set.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bonus(u8);

impl Bonus {
    /// All bonus tiles: `f1..f4` (plum, orchid, chrysanthemum, bamboo), then `s1..s4` (spring to
    /// winter).
    pub const ALL: [Bonus; 8] =
        [Bonus(0), Bonus(1), Bonus(2), Bonus(3), Bonus(4), Bonus(5), Bonus(6), Bonus(7)];

    /// Returns the bonus tile at an index of 0 to 7.
    #[must_use]
    pub const fn from_index(index: u8) -> Option<Bonus> {
        if index < 8 { Some(Bonus(index)) } else { None }
    }

    /// Returns the index, 0 to 7: flowers, then seasons.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the printed number, 1 to 4.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0 % 4 + 1
    }

    /// Returns whether this is a season (spring to winter) rather than a flower.
    #[must_use]
    pub const fn is_season(self) -> bool {
        self.0 >= 4
    }
}

impl fmt::Display for Bonus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.is_season() { 's' } else { 'f' }, self.number())
    }
}

impl fmt::Debug for Bonus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Bonus {
    type Err = ParseTileError;

    fn from_str(text: &str) -> Result<Bonus, ParseTileError> {
        Bonus::ALL
            .into_iter()
            .find(|bonus| bonus.to_string() == text)
            .ok_or_else(|| ParseTileError { found: text.to_owned(), expected: BONUS_CODES })
    }
}

/// Visible side of a tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Face {
    /// A playing tile.
    Tile(Tile),
    /// A flower or season.
    Bonus(Bonus),
    /// The tile lies face down.
    Back,
}

impl Face {
    /// Number of faces that carry a print: 34 playing tiles, then eight bonus tiles.
    pub const PRINTED: usize = 42;

    /// Returns the faces that carry a print, in the order of their numbers.
    pub fn printed() -> impl Iterator<Item = Face> {
        Tile::ALL.into_iter().map(Face::Tile).chain(Bonus::ALL.into_iter().map(Face::Bonus))
    }

    /// Returns the playing tile, if it is one.
    #[must_use]
    pub const fn tile(self) -> Option<Tile> {
        match self {
            Face::Tile(tile) => Some(tile),
            _ => None,
        }
    }

    /// Returns the bonus tile, if it is one.
    #[must_use]
    pub const fn bonus(self) -> Option<Bonus> {
        match self {
            Face::Bonus(bonus) => Some(bonus),
            _ => None,
        }
    }
}

impl fmt::Display for Face {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Face::Tile(tile) => tile.fmt(f),
            Face::Bonus(bonus) => bonus.fmt(f),
            Face::Back => f.write_str("back"),
        }
    }
}

impl FromStr for Face {
    type Err = ParseTileError;

    fn from_str(text: &str) -> Result<Face, ParseTileError> {
        if text == "back" {
            return Ok(Face::Back);
        }
        text.parse()
            .map(Face::Tile)
            .or_else(|_| text.parse().map(Face::Bonus))
            .map_err(|_| ParseTileError { found: text.to_owned(), expected: FACE_CODES })
    }
}

/// Implements serialization of types as their codes, and deserialization through `FromStr`.
macro_rules! serde_as_code {
    ($($name:ty),*) => {$(
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = String::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    )*};
}
serde_as_code!(Tile, Bonus, Face);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_face_reads_back_from_its_code() {
        let printed = Face::printed();
        for face in printed.chain([Face::Back]) {
            assert_eq!(face.to_string().parse(), Ok(face));
        }
    }

    #[test]
    fn red_fives_are_fives() {
        for (red, five) in [("0m", "5m"), ("0p", "5p"), ("0s", "5s")] {
            assert_eq!(red.parse::<Tile>(), five.parse::<Tile>());
        }
    }

    #[test]
    fn tiles_are_read_as_hands_write_them() {
        for (texts, tile) in [
            ("E 1z 東 东 🀀", "E"),
            ("N 4z 北 🀃", "N"),
            ("C 5z 中 🀄 🀄\u{fe0e} 🀄\u{fe0f}", "C"),
            ("F 6z 發 発 发 🀅", "F"),
            ("P 7z 白 🀆", "P"),
            ("1m 🀇", "1m"),
            ("9m 🀏", "9m"),
            ("1s 🀐", "1s"),
            ("9s 🀘", "9s"),
            ("1p 🀙", "1p"),
            ("9p 🀡", "9p"),
        ] {
            for text in texts.split(' ') {
                let read: Tile = text.parse().expect(text);
                assert_eq!(read.to_string(), tile, "{text}");
                let hand: crate::notation::Notation = text.parse().expect(text);
                assert_eq!(hand.hand.concealed, [read], "{text}");
            }
        }
        let symbols: Vec<Tile> = Tile::symbols().filter_map(Tile::from_symbol).collect();
        assert_eq!(symbols.len(), Tile::symbols().count());
    }

    #[test]
    fn an_invalid_tile_is_refused_by_name() {
        for text in ["", "5", "0z", "8z", "Z", "10m", "f5", "s0", "5x", "é", "EE", "🀢", "\u{fe0f}"]
        {
            let error = text.parse::<Face>().expect_err(text);
            assert_eq!(error.found, text);
        }
    }

    #[test]
    fn predicates_partition_the_tiles() {
        let count = |test: fn(Tile) -> bool| Tile::ALL.into_iter().filter(|&t| test(t)).count();
        assert_eq!(count(Tile::is_wind), 4);
        assert_eq!(count(Tile::is_dragon), 3);
        assert_eq!(count(Tile::is_terminal), 6);
        assert_eq!(count(Tile::is_simple), 21);
        assert_eq!(count(|t| t.successor().is_some()), 24);
    }
}
