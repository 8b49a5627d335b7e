//! The lines of bonus tiles, which are the same in every reading of a hand.
//!
//! A bonus tile belongs to the seat of its printed number. One that is counted but not named
//! belongs to no known seat, unless all eight are there.

use crate::hand::Flowers;
use crate::tile::Wind;

use super::line::{Line, LineSet};
use super::options::{EightInWin, Options, Ruling};

/// Number of flowers, and of seasons.
const EACH: usize = 4;
/// Bits of the flowers, or of the seasons, of all seats.
const SET: u32 = 0xf;

/// The lines of bonus tiles of a hand, and how often they count.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct BonusTiles {
    /// Number of bonus tiles of the seat that count by themselves.
    pub(super) own: u32,
    /// Number of bonus tiles that count by themselves.
    pub(super) any: u32,
    /// Number of complete sets.
    pub(super) sets: u32,
    /// Number of own bonus tiles that count only within their set.
    pub(super) own_within: u32,
    /// Number of bonus tiles that count only within their set.
    pub(super) any_within: u32,
    /// Whether all eight are there.
    pub(super) eight: bool,
}

impl BonusTiles {
    /// Counts the bonus tiles. `sets_are_played` says whether a complete set counts.
    pub(super) fn new(
        flowers: Flowers,
        seat: Wind,
        options: &Options,
        sets_are_played: bool,
    ) -> BonusTiles {
        let count = u32::from(flowers.count());
        let eight = count == 2 * EACH as u32;
        let named = if eight {
            SET << EACH | SET
        } else {
            flowers.iter().fold(0, |named, bonus| named | 1 << bonus.index())
        };
        let groups = [named & SET, named >> EACH];
        let own = groups.map(|group| group >> seat as u32 & 1);
        let complete = groups.map(|group| u32::from(group == SET));
        let sets: u32 = complete.iter().sum();
        let within = sets_are_played && options.flower_set_own == Ruling::Included;
        let own_within = if within { sets } else { 0 };
        let any_within = EACH as u32 * own_within;
        BonusTiles {
            own: own.iter().sum::<u32>() - own_within,
            any: count - any_within,
            sets,
            own_within,
            any_within,
            eight,
        }
    }

    /// Returns the lines of a hand that its tiles won. `has_honors` says whether it has any.
    pub(super) fn lines(&self, options: &Options, has_honors: bool) -> LineSet {
        let mut lines = LineSet::NONE;
        lines.add_if(Line::OwnFlower, self.own > 0);
        lines.add_if(Line::Flower, self.any > 0);
        lines.add_if(Line::FlowerSet, self.sets > 0);
        let eight_count = options.eight_flowers_in_win == EightInWin::Added;
        lines.add_if(Line::EightFlowers, self.eight && eight_count);
        let none = options.flowers && self.any + self.any_within == 0;
        lines.add_if(Line::NoFlowers, none);
        lines.add_if(Line::NoFlowersNoHonors, none && !has_honors);
        lines
    }
}
