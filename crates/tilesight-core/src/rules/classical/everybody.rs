//! Lines of every player's hand: points for sets, pairs and bonus tiles (paragraph 1), and doubles
//! that count whether the hand won or not (paragraph 3).
//!
//! Input: the sets that a hand shows, and the player who holds it. Output: each line, reported to a
//! [`Sink`].

use crate::hand::Flowers;
use crate::rules::decompose::kinds::{DRAGONS, HONORS, Kinds, SIMPLES, TERMINALS, WINDS, kind_of};
use crate::tile::Wind;

use super::Options;
use super::line::Line::{self, *};
use super::scoring_sets::ScoringSets;

/// A receiver of the lines that a hand shows; it adds them up or collects them.
pub(super) trait Sink {
    /// Receives a line that counts once for each of these sets.
    fn each(&mut self, line: Line, sets: Kinds);
    /// Receives a line that counts once.
    fn once(&mut self, line: Line, formation: Formation);
    /// Receives a line that counts `count` times and is not formed by sets.
    fn times(&mut self, line: Line, count: u32);
}

/// The elements that form a line that counts once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Formation {
    /// The whole hand, or the win context.
    Whole,
    /// The pungs, kongs and pairs of these kinds together.
    Sets(Kinds),
    /// The set that the winning tile completed.
    Winning,
}

/// The player who holds a hand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Player {
    pub(super) seat: Wind,
    pub(super) prevalent: Wind,
    pub(super) flowers: Flowers,
}

/// Reports all lines that count for every player.
pub(super) fn walk(
    options: &Options,
    scoring: &ScoringSets,
    player: &Player,
    sink: &mut impl Sink,
) {
    points_of_sets(scoring, sink);
    points_of_pairs(scoring, player, sink);
    bonus_tiles(player, sink);
    doubles(options, scoring, player, sink);
}

/// Reports the points of pungs and kongs, by their kind of tile.
fn points_of_sets(scoring: &ScoringSets, sink: &mut impl Sink) {
    let claimed = scoring.open_kongs | scoring.claimed_kongs;
    let lines = [
        (scoring.open_pungs, [ExposedPung, ExposedPungOfTerminals, ExposedPungOfHonors]),
        (scoring.concealed_pungs, [ConcealedPung, ConcealedPungOfTerminals, ConcealedPungOfHonors]),
        (claimed, [ExposedKong, ExposedKongOfTerminals, ExposedKongOfHonors]),
        (scoring.concealed_kongs, [ConcealedKong, ConcealedKongOfTerminals, ConcealedKongOfHonors]),
    ];
    for (sets, by_kind) in lines.into_iter().filter(|(sets, _)| *sets != 0) {
        for (line, kinds) in by_kind.into_iter().zip([SIMPLES, TERMINALS, HONORS]) {
            sink.each(line, sets & kinds);
        }
    }
}

fn points_of_pairs(scoring: &ScoringSets, player: &Player, sink: &mut impl Sink) {
    if scoring.pairs & HONORS != 0 {
        sink.each(PairOfDragons, scoring.pairs & DRAGONS);
        sink.each(PairOfOwnWind, scoring.pairs & kind_of(player.seat));
        sink.each(PairOfRoundWind, scoring.pairs & kind_of(player.prevalent));
    }
}

/// Reports flowers and seasons: number 1 belongs to East, 2 to South, 3 to West, 4 to North.
fn bonus_tiles(player: &Player, sink: &mut impl Sink) {
    let flowers = player.flowers;
    if flowers.count() == 0 {
        return;
    }
    let named: u32 = flowers.iter().fold(0, |all, bonus| all | 1 << bonus.index());
    let plants = named & 0xf;
    let seasons = named >> 4;
    sink.times(Flower, plants.count_ones() + u32::from(flowers.unnamed_count()));
    sink.times(Season, seasons.count_ones());
    let own = plants & seasons & 1 << player.seat as u32;
    once_if(sink, OwnFlowerAndSeason, own != 0, Formation::Whole);
    once_if(sink, AllFlowers, plants == 0xf, Formation::Whole);
    once_if(sink, AllSeasons, seasons == 0xf, Formation::Whole);
}

fn doubles(options: &Options, scoring: &ScoringSets, player: &Player, sink: &mut impl Sink) {
    let pungs = scoring.pungs();
    let concealed = scoring.concealed(options);
    once_if(sink, ThreeConcealedPungs, concealed.count_ones() >= 3, Formation::Sets(concealed));
    if pungs & HONORS == 0 {
        return;
    }
    sink.each(DragonPung, pungs & DRAGONS);
    sink.each(OwnWindPung, pungs & kind_of(player.seat));
    sink.each(RoundWindPung, pungs & kind_of(player.prevalent));
    let dragons = pungs & DRAGONS;
    let dragon_pair = scoring.pairs & DRAGONS;
    let little_three = dragons.count_ones() == 2 && dragon_pair != 0;
    once_if(sink, LittleThreeDragons, little_three, Formation::Sets(dragons | dragon_pair));
    once_if(sink, BigThreeDragons, dragons == DRAGONS, Formation::Sets(dragons));
    let winds = pungs & WINDS;
    let wind_pair = scoring.pairs & WINDS;
    let little_four = winds.count_ones() == 3 && wind_pair != 0;
    once_if(sink, LittleFourWinds, little_four, Formation::Sets(winds | wind_pair));
    once_if(sink, BigFourWinds, winds == WINDS, Formation::Sets(winds));
}

/// Reports a line if a condition holds.
pub(super) fn once_if(sink: &mut impl Sink, line: Line, holds: bool, formation: Formation) {
    if holds {
        sink.once(line, formation);
    }
}
