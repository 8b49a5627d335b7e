//! Lines of every player's hand: points of sets, pairs and bonus tiles (paragraph 1), and doubles
//! of what a hand holds whether it won or not (paragraph 3).
//!
//! Input: the sets that a hand shows and whose it is. Output: each line, reported to a [`Sink`].

use crate::hand::Flowers;
use crate::rules::decompose::kinds::{DRAGONS, HONORS, Kinds, SIMPLES, TERMINALS, WINDS};
use crate::tile::Wind;

use super::Options;
use super::line::Line::{self, *};
use super::shown::Shown;

/// What takes the lines that a hand shows: it adds them up, or writes them down.
pub(super) trait Sink {
    /// A line that counts once for each of these sets.
    fn each(&mut self, line: Line, sets: Kinds);
    /// A line that counts once.
    fn once(&mut self, line: Line, formed: Formed);
    /// A line that counts so many times, and that no set forms.
    fn times(&mut self, line: Line, count: u32);
}

/// What forms a line that counts once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Formed {
    /// The whole hand, or the win context.
    Whole,
    /// The pungs, kongs and pairs of these kinds together.
    Sets(Kinds),
    /// The set that the winning tile completed.
    Winning,
}

/// Whose hand it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Player {
    pub(super) seat: Wind,
    pub(super) prevalent: Wind,
    pub(super) flowers: Flowers,
}

/// Tells all lines of a hand that count for everybody.
pub(super) fn walk(options: &Options, shown: &Shown, player: &Player, sink: &mut impl Sink) {
    points_of_sets(shown, sink);
    points_of_pairs(shown, player, sink);
    bonus_tiles(player, sink);
    doubles(options, shown, player, sink);
}

/// Pungs and kongs, each by its kind of tile.
fn points_of_sets(shown: &Shown, sink: &mut impl Sink) {
    let claimed = shown.open_kongs | shown.claimed_kongs;
    let lines = [
        (shown.open_pungs, [ExposedPung, ExposedPungOfTerminals, ExposedPungOfHonors]),
        (shown.concealed_pungs, [ConcealedPung, ConcealedPungOfTerminals, ConcealedPungOfHonors]),
        (claimed, [ExposedKong, ExposedKongOfTerminals, ExposedKongOfHonors]),
        (shown.concealed_kongs, [ConcealedKong, ConcealedKongOfTerminals, ConcealedKongOfHonors]),
    ];
    for (sets, by_kind) in lines.into_iter().filter(|(sets, _)| *sets != 0) {
        for (line, kinds) in by_kind.into_iter().zip([SIMPLES, TERMINALS, HONORS]) {
            sink.each(line, sets & kinds);
        }
    }
}

fn points_of_pairs(shown: &Shown, player: &Player, sink: &mut impl Sink) {
    if shown.pairs & HONORS != 0 {
        sink.each(PairOfDragons, shown.pairs & DRAGONS);
        sink.each(PairOfOwnWind, shown.pairs & kind(player.seat));
        sink.each(PairOfRoundWind, shown.pairs & kind(player.prevalent));
    }
}

/// Flowers and seasons: 1 belongs to East, 2 to South, 3 to West, 4 to North.
fn bonus_tiles(player: &Player, sink: &mut impl Sink) {
    let flowers = player.flowers;
    if flowers.count() == 0 {
        return;
    }
    let named: u32 = flowers.iter().fold(0, |all, bonus| all | 1 << bonus.index());
    let (plants, seasons) = (named & 0xf, named >> 4);
    sink.times(Flower, plants.count_ones() + u32::from(flowers.unnamed_count()));
    sink.times(Season, seasons.count_ones());
    let own = plants & seasons & 1 << player.seat as u32;
    once_if(sink, OwnFlowerAndSeason, own != 0, Formed::Whole);
    once_if(sink, AllFlowers, plants == 0xf, Formed::Whole);
    once_if(sink, AllSeasons, seasons == 0xf, Formed::Whole);
}

fn doubles(options: &Options, shown: &Shown, player: &Player, sink: &mut impl Sink) {
    let pungs = shown.pungs();
    let concealed = shown.concealed(options);
    once_if(sink, ThreeConcealedPungs, concealed.count_ones() >= 3, Formed::Sets(concealed));
    if pungs & HONORS == 0 {
        return;
    }
    sink.each(DragonPung, pungs & DRAGONS);
    sink.each(OwnWindPung, pungs & kind(player.seat));
    sink.each(RoundWindPung, pungs & kind(player.prevalent));
    let both = |kinds| Formed::Sets((pungs | shown.pairs) & kinds);
    let (dragons, dragon_pair) = (pungs & DRAGONS, shown.pairs & DRAGONS != 0);
    let (winds, wind_pair) = (pungs & WINDS, shown.pairs & WINDS != 0);
    once_if(sink, LittleThreeDragons, dragons.count_ones() == 2 && dragon_pair, both(DRAGONS));
    once_if(sink, BigThreeDragons, dragons == DRAGONS, Formed::Sets(dragons));
    once_if(sink, LittleFourWinds, winds.count_ones() == 3 && wind_pair, both(WINDS));
    once_if(sink, BigFourWinds, winds == WINDS, Formed::Sets(winds));
}

/// Tells a line where a condition holds.
pub(super) fn once_if(sink: &mut impl Sink, line: Line, holds: bool, formed: Formed) {
    if holds {
        sink.once(line, formed);
    }
}

/// The kind of a wind.
pub(super) const fn kind(wind: Wind) -> Kinds {
    1 << wind.tile().index()
}
