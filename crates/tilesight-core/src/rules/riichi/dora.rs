//! Dora: tiles that an indicator names, and red fives.
//!
//! Input: a hand, its facts and the indicators of the context. Output: [`Dora`]. Each copy of a
//! tile counts once for each indicator that names it, in melds and kongs too.

use crate::context::{Indicators, RiichiCall};
use crate::hand::Hand;
use crate::rules::decompose::facts::Facts;
use crate::tile::Tile;

use super::line::Line;
use super::options::Options;

/// The dora of a hand by their kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Dora {
    face_up: u32,
    ura: u32,
    red: u32,
}

impl Dora {
    pub(super) fn new(hand: &Hand, facts: &Facts, options: &Options) -> Dora {
        let context = &facts.context;
        let has_riichi = context.riichi != RiichiCall::No;
        Dora {
            face_up: count_named(context.dora_indicators, facts),
            ura: if has_riichi { count_named(context.ura_indicators, facts) } else { 0 },
            red: if options.red_fives { hand.reds().count() } else { 0 },
        }
    }

    /// Returns the han of all dora.
    pub(super) const fn han(self) -> u32 {
        self.face_up + self.ura + self.red
    }

    /// Returns the lines with their han.
    pub(super) const fn lines(self) -> [(Line, u32); 3] {
        [(Line::Dora, self.face_up), (Line::UraDora, self.ura), (Line::RedDora, self.red)]
    }
}

/// Returns the number of tiles that indicators name.
fn count_named(indicators: Indicators, facts: &Facts) -> u32 {
    indicators.iter().map(|indicator| facts.copies(dora_of(indicator).index()) as u32).sum()
}

/// Returns the tile that an indicator names: the next of its suit in a circle, of the winds East,
/// South, West, North, of the dragons white, green, red.
pub(super) const fn dora_of(indicator: Tile) -> Tile {
    let next = match indicator.index() {
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
            assert_eq!(dora_of(indicator).to_string(), dora, "{indicator}");
        }
    }
}
