//! Special hands (paragraph 5): each is worth limits, regardless of its points.
//!
//! Input: a [`Win`] and one [`Variant`]. Output: each special hand that the variant shows and the
//! options play, reported to a [`Sink`].

use crate::context::Declaration;
use crate::rules::decompose::decompositions::Shape;
use crate::rules::decompose::facts::place;
use crate::rules::decompose::kinds::{DRAGONS, GREEN, HONORS, TERMINALS, WINDS, is_within};
use crate::rules::decompose::packed::PackedCounts;
use crate::tile::Tile;

use super::everybody::{Formation, Sink};
use super::line::Line::{self, *};
use super::variants::{Variant, Win};
use super::winner::{is_from_dead_wall, is_last_of_wall};

/// Positions of 2, 5 and 8, the numbers that can be the pair of a squirming snake.
const SNAKE_PAIRS: [usize; 3] = [1, 4, 7];
/// Special hands that a declaration makes.
const DECLARED: [(Line, Declaration); 4] = [
    (TwofoldFortune, Declaration::TwofoldFortune),
    (BlessingOfHeaven, Declaration::Heaven),
    (BlessingOfEarth, Declaration::Earth),
    (NinthEastWin, Declaration::NinthEastWin),
];

/// Reports every special hand that a variant shows. Among equal limits, the first that is reported
/// names the hand. A concealed hand of one suit comes last: nine gates and the snake are special
/// cases of it, and any other special hand is rarer.
pub(super) fn walk(win: &Win<'_>, variant: &Variant, sink: &mut impl Sink) {
    let mut report = |line: Line, shown: bool, formation: Formation| {
        if shown && win.is_played(line) {
            sink.once(line, formation);
        }
    };
    report_shape(variant, &mut report);
    report_kinds(win, &mut report);
    if variant.is_regular() {
        report_suit(win, &mut report);
        report_sets(win, variant, &mut report);
    }
    report_win_context(win, &mut report);
    let one_suit = win.suit.is_some() && !win.has_honors;
    report(ConcealedOneSuit, one_suit && win.is_concealed, Formation::Whole);
}

fn report_shape(variant: &Variant, report: &mut impl FnMut(Line, bool, Formation)) {
    let shape = variant.decomposition.shape;
    report(ThirteenOrphans, shape == Shape::Orphans, Formation::Whole);
    report(SevenPairs, shape == Shape::Pairs, Formation::Whole);
}

/// Reports hands of certain kinds of tiles only.
fn report_kinds(win: &Win<'_>, report: &mut impl FnMut(Line, bool, Formation)) {
    let kinds = win.facts.kinds;
    report(OnlyHonors, is_within(kinds, HONORS), Formation::Whole);
    report(OnlyTerminals, is_within(kinds, TERMINALS), Formation::Whole);
    report(ImperialJade, is_within(kinds, GREEN), Formation::Whole);
}

/// Reports nine gates and the snake: every number of one suit, ones and nines three times.
fn report_suit(win: &Win<'_>, report: &mut impl FnMut(Line, bool, Formation)) {
    let facts = win.facts;
    if win.suit.is_none() || win.has_honors || facts.melds.kongs != 0 {
        return;
    }
    let (group, _) = place(facts.winning);
    let gates = PackedCounts::NINE_GATES;
    let snake = SNAKE_PAIRS.iter().any(|&pair| facts.loose[group] == gates.plus(pair, 1));
    report(NineGates, facts.melds.count == 0 && facts.waiting()[group] == gates, Formation::Whole);
    report(SquirmingSnake, snake, Formation::Whole);
}

fn report_sets(win: &Win<'_>, variant: &Variant, report: &mut impl FnMut(Line, bool, Formation)) {
    let scoring = &variant.scoring;
    let pungs = scoring.pungs();
    report(FourKongs, scoring.kongs().count_ones() == 4, Formation::Sets(scoring.kongs()));
    report(ThreeDragonPungs, is_within(DRAGONS, pungs), Formation::Sets(DRAGONS));
    report(FourWindPungs, is_within(WINDS, pungs), Formation::Sets(WINDS));
    let concealed = scoring.concealed(win.options());
    let four_concealed = win.facts.self_drawn && concealed.count_ones() == 4;
    report(FourConcealedPungs, four_concealed, Formation::Sets(concealed));
}

fn report_win_context(win: &Win<'_>, report: &mut impl FnMut(Line, bool, Formation)) {
    let facts = win.facts;
    for (line, declared) in DECLARED {
        report(line, facts.context.declared.contains(declared), Formation::Whole);
    }
    let winning = Tile::ALL[facts.winning];
    let plum_blossom = winning == FIVE_OF_DOTS && is_from_dead_wall(facts);
    let moon_from_the_sea = winning == ONE_OF_DOTS && is_last_of_wall(facts);
    let carrying_pole = winning == TWO_OF_BAMBOO && facts.is_robbed();
    report(PlumBlossom, plum_blossom, Formation::Whole);
    report(MoonFromTheSea, moon_from_the_sea, Formation::Whole);
    report(CarryingPole, carrying_pole, Formation::Whole);
}

/// Suits are in the order characters, dots, bamboo, with nine numbers each.
const ONE_OF_DOTS: Tile = Tile::ALL[9];
const FIVE_OF_DOTS: Tile = Tile::ALL[13];
const TWO_OF_BAMBOO: Tile = Tile::ALL[19];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tiles_of_three_special_hands_are_those_that_are_named() {
        let codes = [ONE_OF_DOTS, FIVE_OF_DOTS, TWO_OF_BAMBOO].map(|tile| tile.to_string());
        assert_eq!(codes, ["1p", "5p", "2s"]);
    }
}
