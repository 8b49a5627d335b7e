//! The difference between two hands, which can be applied to a third.
//!
//! Input: a hand, and the same hand with an answer applied. Output: a [`HandDelta`] that makes the
//! same change to any hand. Invariants: the delta between two hands turns the first into the
//! second; a delta does not apply to a hand without the tiles or sets that it removes.

use super::{Flowers, HandSetup, Reds};
use crate::meld::Meld;
use crate::tile::{Bonus, Tile};
use crate::tiles::Counts;

/// The difference between two hands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HandDelta {
    /// Removed tiles outside of melds, the winning tile included.
    gone: Vec<Tile>,
    /// Added tiles outside of melds, the winning tile included.
    new: Vec<Tile>,
    /// Winning tile of the second hand; `None` if both hands have the same one.
    winning: Option<Option<Tile>>,
    melds_gone: Vec<Meld>,
    melds_new: Vec<Meld>,
    flowers: Option<FlowerDelta>,
    /// Red fives of the first hand, and those of the second; `None` if both hands have the same.
    reds: Option<(Reds, Reds)>,
}

/// The difference between the flowers of two hands.
#[derive(Debug, Clone, PartialEq, Eq)]
struct FlowerDelta {
    gone: Vec<Bonus>,
    new: Vec<Bonus>,
    /// Change in the number of flowers that are known by number only.
    unnamed: i16,
}

impl HandDelta {
    /// Returns the delta that turns one hand into another.
    #[must_use]
    pub fn new(before: &HandSetup, after: &HandSetup) -> HandDelta {
        let had = loose(before).into_iter().collect();
        let has = loose(after).into_iter().collect();
        HandDelta {
            gone: tiles_beyond(&had, &has),
            new: tiles_beyond(&has, &had),
            winning: (before.winning != after.winning).then_some(after.winning),
            melds_gone: melds_beyond(&before.melds, &after.melds),
            melds_new: melds_beyond(&after.melds, &before.melds),
            flowers: FlowerDelta::new(before.flowers, after.flowers),
            reds: (before.reds != after.reds).then_some((before.reds, after.reds)),
        }
    }

    /// Applies the delta to a hand; returns `None` if the hand does not have what the delta
    /// removes.
    #[must_use]
    pub fn apply(&self, hand: &HandSetup) -> Option<HandSetup> {
        let mut tiles = loose(hand);
        for tile in &self.gone {
            let at = tiles.iter().position(|other| other == tile)?;
            tiles.remove(at);
        }
        tiles.extend(&self.new);
        let mut melds = hand.melds.clone();
        for meld in &self.melds_gone {
            let at = melds.iter().position(|other| other == meld)?;
            melds.remove(at);
        }
        melds.extend(&self.melds_new);
        let winning = self.winning_among(hand.winning, &tiles)?;
        if let Some(tile) = winning {
            let at = tiles.iter().rposition(|&other| other == tile)?;
            tiles.remove(at);
        }
        tiles.sort_unstable();
        let flowers = match &self.flowers {
            Some(delta) => delta.apply(hand.flowers)?,
            None => hand.flowers,
        };
        let reds = match self.reds {
            Some((before, after)) => hand.reds.moved(before, after),
            None => hand.reds,
        };
        let setup = HandSetup { concealed: tiles, winning, melds, flowers, reds };
        Some(HandSetup { reds: reds.limit_to(&setup), ..setup })
    }

    /// Returns the winning tile after the change: the one that the delta names, otherwise the
    /// hand's own, or the tile that replaced it. Returns `None` if the delta does not apply.
    #[allow(clippy::option_option, reason = "`None` is a change that does not apply")]
    fn winning_among(&self, own: Option<Tile>, tiles: &[Tile]) -> Option<Option<Tile>> {
        match self.winning {
            Some(winning) => Some(winning),
            None => match own {
                Some(tile) if !tiles.contains(&tile) => match self.new.as_slice() {
                    [new] => Some(Some(*new)),
                    _ => None,
                },
                own => Some(own),
            },
        }
    }
}

/// Returns the tiles outside of melds.
fn loose(hand: &HandSetup) -> Vec<Tile> {
    hand.concealed.iter().copied().chain(hand.winning).collect()
}

/// Returns the tiles of which the first counts have more, as often as they do.
fn tiles_beyond(tiles: &Counts, others: &Counts) -> Vec<Tile> {
    let more = Tile::ALL.into_iter().flat_map(|tile| {
        let count = tiles.count(tile).saturating_sub(others.count(tile));
        std::iter::repeat_n(tile, usize::from(count))
    });
    more.collect()
}

/// Returns the melds of the first list that the second does not have, as often as the first has
/// more of them.
fn melds_beyond(melds: &[Meld], others: &[Meld]) -> Vec<Meld> {
    let mut others = others.to_vec();
    let mut found = Vec::new();
    for &meld in melds {
        match others.iter().position(|&other| other == meld) {
            Some(at) => _ = others.remove(at),
            None => found.push(meld),
        }
    }
    found
}

/// Returns the named flowers that the others are not among.
fn flowers_beyond(flowers: Flowers, others: Flowers) -> Vec<Bonus> {
    flowers.iter().filter(|&flower| others.iter().all(|other| other != flower)).collect()
}

impl FlowerDelta {
    fn new(before: Flowers, after: Flowers) -> Option<FlowerDelta> {
        (before != after).then(|| FlowerDelta {
            gone: flowers_beyond(before, after),
            new: flowers_beyond(after, before),
            unnamed: i16::from(after.unnamed_count()) - i16::from(before.unnamed_count()),
        })
    }

    fn apply(&self, flowers: Flowers) -> Option<Flowers> {
        if self.gone.iter().any(|gone| flowers.iter().all(|flower| flower != *gone)) {
            return None;
        }
        let kept = flowers.iter().filter(|flower| !self.gone.contains(flower));
        let named = Flowers::from_named(kept.chain(self.new.iter().copied())).ok()?;
        let unnamed = u8::try_from(i16::from(flowers.unnamed_count()) + self.unnamed).ok()?;
        named.with_unnamed(unnamed).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::Notation;

    fn hand(text: &str) -> HandSetup {
        text.parse::<Notation>().expect(text).hand
    }

    /// Rows of four hands: a hand, that hand with an answer, another hand, and the other hand with
    /// the answer.
    #[test]
    fn an_answer_does_to_another_hand_what_it_did_to_the_first() {
        for (before, after, other, expected) in [
            // A tile changes.
            (
                "123m456p789s1122z3z+?",
                "123m456p789s1122z2z+?",
                "[EEE,1]123m456p7s3z2z",
                "[EEE,1]123m456p7s2z2z",
            ),
            // The changed tile is the winning one of the other hand.
            (
                "123m456p789s1123z+?",
                "123m456p789s1124z+?",
                "123m456p789s112z+3z",
                "123m456p789s112z+4z",
            ),
            // A set was claimed, and another tile won.
            (
                "123m456p789s111z2z+2z",
                "[EEE,1]123m456p789s2z+2z",
                "123m456p789s111z3z+3z",
                "[EEE,1]123m456p789s3z+3z",
            ),
            // The winning tile is named.
            (
                "123m456p789s1122z+?",
                "123m456p789s112z+2z",
                "[EEE,1]123m456p22z+?",
                "[EEE,1]123m456p2z+2z",
            ),
            // A flower is removed.
            ("11m|EE0000|2ah", "11m|EE0000|2h", "22m|EE0000|ah", "22m|EE0000|h"),
            // Of two fives one is red, and then another.
            ("55m5s", "05m5s", "55m0s", "05m0s"),
            // A set with a red five was claimed.
            ("067m55p", "[067m,1]55p", "067m05p", "[067m,1]05p"),
            // No change.
            ("11m", "11m", "[EEE,1]22m", "[EEE,1]22m"),
        ] {
            let delta = HandDelta::new(&hand(before), &hand(after));
            let mut expected = hand(expected);
            expected.concealed.sort_unstable();
            assert_eq!(delta.apply(&hand(other)), Some(expected), "{before} to {after} on {other}");
        }
    }

    #[test]
    fn a_delta_does_not_apply_to_a_hand_without_its_tiles() {
        for (before, after, other) in [
            ("12m", "13m", "14m"),
            ("[EEE,1]11m", "11mEEE", "[EEE,2]11m"),
            ("11m|EE0000|a", "11m|EE0000", "11m|EE0000|b"),
        ] {
            let delta = HandDelta::new(&hand(before), &hand(after));
            assert_eq!(delta.apply(&hand(other)), None, "{before} to {after} on {other}");
        }
    }
}
