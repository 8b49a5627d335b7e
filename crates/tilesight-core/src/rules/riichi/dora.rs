//! Dora: tiles that an indicator names, red fives, and norths that were set aside.
//!
//! Input: a hand, its facts and the indicators of the context. Output: [`Dora`]. Each copy of a
//! tile counts once for each indicator that names it, in melds and kongs too, and a north that was
//! set aside as well. A hand with all four fives of a suit holds the red ones of the set, whether
//! they were named or not.

use std::iter::repeat_n;

use crate::context::{Indicators, RiichiCall};
use crate::hand::Hand;
use crate::meld::Seats;
use crate::rules::decompose::facts::Facts;
use crate::tile::{PrintedTile, Suit, Tile, Wind};

use super::line::Line;
use super::options::Options;

/// The dora of a hand by their kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Dora {
    face_up: u32,
    ura: u32,
    red: u32,
    north: u32,
    /// Red fives that nobody named, by suit; they are among `red`.
    assumed_reds: [u8; 3],
}

impl Dora {
    pub(super) fn new(hand: &Hand, facts: &Facts, options: &Options) -> Dora {
        let context = &facts.context;
        let has_riichi = context.riichi != RiichiCall::No;
        let north = options.norths(context);
        let seats = options.seats();
        let face_up = count_named(context.dora_indicators, facts, seats, north);
        let under = if has_riichi { context.ura_indicators } else { Indicators::NONE };
        let assumed_reds = find_assumed_reds(hand, facts, options);
        let assumed: u8 = assumed_reds.iter().sum();
        let red = if options.red_fives { hand.reds().count() + u32::from(assumed) } else { 0 };
        Dora { face_up, ura: count_named(under, facts, seats, north), red, north, assumed_reds }
    }

    /// Returns the han of all dora.
    pub(super) const fn han(self) -> u32 {
        self.face_up + self.ura + self.red + self.north
    }

    /// Returns the red fives that nobody named but that the hand must hold.
    pub(super) fn assumed_reds(self) -> Vec<PrintedTile> {
        let suits = Suit::ALL.into_iter().zip(self.assumed_reds);
        suits
            .flat_map(|(suit, count)| repeat_n(PrintedTile::red_five(suit), usize::from(count)))
            .collect()
    }

    /// Returns the lines with their han.
    pub(super) const fn lines(self) -> [(Line, u32); 4] {
        [
            (Line::Dora, self.face_up),
            (Line::UraDora, self.ura),
            (Line::RedDora, self.red),
            (Line::NorthDora, self.north),
        ]
    }
}

/// Returns the number of red fives of each suit that a hand with all four fives holds beside those
/// that were named.
fn find_assumed_reds(hand: &Hand, facts: &Facts, options: &Options) -> [u8; 3] {
    let full = Suit::ALL.map(|suit| facts.copies(PrintedTile::red_five(suit).tile.index()) == 4);
    if !options.red_fives || full == [false; 3] {
        return [0; 3];
    }
    let named = hand.reds().count_in_suits(hand.winning());
    Suit::ALL.map(|suit| {
        let missing = options.red_fives_of(suit).saturating_sub(named[suit as usize]);
        if full[suit as usize] { missing } else { 0 }
    })
}

/// Returns the number of tiles that indicators name, `norths` that were set aside among them.
fn count_named(indicators: Indicators, facts: &Facts, seats: Seats, norths: u32) -> u32 {
    let north = Wind::North.tile();
    indicators
        .iter()
        .map(|indicator| dora_of(indicator, seats))
        .map(|dora| facts.copies(dora.index()) as u32 + if dora == north { norths } else { 0 })
        .sum()
}

/// Returns the tile that an indicator names: the next of its suit in a circle, of the winds East,
/// South, West, North, of the dragons white, green, red. Where three play, the 1 and 9 of
/// characters name each other.
pub(super) const fn dora_of(indicator: Tile, seats: Seats) -> Tile {
    let next = match indicator.index() {
        0 if matches!(seats, Seats::Three) => 8,
        // Dragons are numbered red, green, white.
        31 => 33,
        at @ 32..=33 => at - 1,
        30 => 27,
        at @ 27..=29 => at + 1,
        at if at % 9 == 8 => at - 8,
        at => at + 1,
    };
    Tile::ALL[next]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tile::Suit;

    #[test]
    fn indicators_name_the_next_tile_in_a_circle() {
        for (indicator, dora) in [
            ("1m", "2m"),
            ("9m", "1m"),
            ("9p", "1p"),
            ("4s", "5s"),
            ("9s", "1s"),
            ("E", "S"),
            ("N", "E"),
            ("P", "F"),
            ("F", "C"),
            ("C", "P"),
        ] {
            let indicator: Tile = indicator.parse().expect(indicator);
            assert_eq!(dora_of(indicator, Seats::Four).to_string(), dora, "{indicator}");
            if indicator.suit() != Some(Suit::Characters) {
                assert_eq!(dora_of(indicator, Seats::Three).to_string(), dora, "{indicator}");
            }
        }
        for (indicator, dora) in [("1m", "9m"), ("9m", "1m")] {
            let indicator: Tile = indicator.parse().expect(indicator);
            assert_eq!(dora_of(indicator, Seats::Three).to_string(), dora, "{indicator}");
        }
    }
}
