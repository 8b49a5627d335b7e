//! Win context that can't be true of a hand in riichi. All contradictions are reported at once.

use crate::context::{
    Context, ContextField, Declaration, Feeder, Indicators, RiichiCall, WinSource,
};
use crate::hand::Hand;
use crate::meld::{Relation, Seats};
use crate::rules::decompose::contradictions;
use crate::rules::decompose::facts::Facts;
use crate::rules::{Contradiction, Requirement, RulesError};
use crate::tile::{Tile, Wind};

use super::liability;
use super::options::Options;

/// Number of copies of each tile in a tile set.
const COPIES: u32 = 4;

/// Refuses win context that can't be true of the hand.
///
/// # Errors
/// [`RulesError::Contradictions`] with all contradictions.
pub(super) fn check(facts: &Facts, hand: &Hand, options: &Options) -> Result<(), RulesError> {
    let mut shared = contradictions::check(facts);
    let context = &facts.context;
    if options.norths(context) > 0 {
        shared = shared.or_else(allow_replacement);
    }
    let plain = options.seats() == Seats::Four
        && context.riichi == RiichiCall::No
        && !context.ippatsu
        && !context.last_wall_tile
        && context.declared.is_empty()
        && context.feeder.is_none()
        && !has_too_few_indicators(facts)
        && find_fifth_copies(facts, options).next().is_none();
    if plain || shared.is_ok() && own(facts, hand, options).next().is_none() {
        return shared;
    }
    contradictions::with_own(&shared, own(facts, hand, options))
}

/// Takes out the need of a kong: a north that is set aside is replaced too.
fn allow_replacement(error: RulesError) -> Result<(), RulesError> {
    let RulesError::Contradictions(mut all) = error else { return Err(error) };
    all.retain(|one| *one != Contradiction::ReplacementWithoutKong);
    if all.is_empty() { Ok(()) } else { Err(RulesError::Contradictions(all)) }
}

/// Returns the contradictions that only riichi knows.
fn own<'a>(
    facts: &'a Facts,
    hand: &'a Hand,
    options: &'a Options,
) -> impl Iterator<Item = Contradiction> + 'a {
    let context = &facts.context;
    let has_riichi = context.riichi != RiichiCall::No;
    let replacement = context.win == WinSource::KongReplacement;
    let checks = [
        (has_riichi && !facts.melds.is_concealed(), Contradiction::RiichiWithCalledMeld),
        (context.ippatsu && !has_riichi, Contradiction::IppatsuWithoutRiichi),
        (context.ippatsu && replacement, Contradiction::IppatsuAfterReplacement),
        (context.last_wall_tile && replacement, Contradiction::ReplacementAtEndOfWall),
        (has_too_few_indicators(facts), too_few_indicators(facts)),
        (has_too_many_ura_indicators(context), too_many_ura_indicators(context)),
    ];
    checks
        .into_iter()
        .filter_map(|(wrong, reason)| wrong.then_some(reason))
        .chain(declared(facts, options.norths(context)))
        .chain(liability::contradiction(facts, hand, options))
        .chain(find_fifth_copies(facts, options))
        .chain(find_contradictions_of_three(facts, options))
}

/// Returns the contradictions of a table of three.
fn find_contradictions_of_three<'a>(
    facts: &'a Facts,
    options: &'a Options,
) -> impl Iterator<Item = Contradiction> + 'a {
    let context = &facts.context;
    let opposite = context.win.from() == Some(Relation::Across);
    let fed_opposite = context.feeder == Some(Feeder::Across);
    let set_aside = options.norths(context);
    let norths = set_aside + facts.copies(Wind::North.tile().index()) as u32;
    let checks = [
        (context.seat == Wind::North, Contradiction::SeatNotTaken),
        (opposite, Contradiction::NobodyOpposite { field: ContextField::From }),
        (fed_opposite, Contradiction::NobodyOpposite { field: ContextField::Feeder }),
        (set_aside > 0 && norths > 4, Contradiction::TooManyNorths { found: norths }),
    ];
    let indicators = [
        (ContextField::DoraIndicators, context.dora_indicators),
        (ContextField::UraIndicators, context.ura_indicators),
    ];
    let unplayed = indicators.into_iter().flat_map(move |(field, indicators)| {
        let tiles = indicators.iter().filter(move |&tile| !options.plays(tile));
        tiles.map(move |tile| Contradiction::IndicatorNotPlayed { field, tile })
    });
    let checks = checks.into_iter().filter_map(|(wrong, reason)| wrong.then_some(reason));
    let three = options.seats() == Seats::Three;
    checks.chain(unplayed).filter(move |_| three)
}

/// Returns the requirements of heaven and earth that are not met.
fn declared(facts: &Facts, norths: u32) -> impl Iterator<Item = Contradiction> + '_ {
    let both = [Declaration::Heaven, Declaration::Earth].into_iter();
    let stated = both.filter(|&one| facts.context.declared.contains(one));
    stated.flat_map(move |declared| {
        let is_east = facts.context.seat == Wind::East;
        let (seat, sits) = match declared {
            Declaration::Heaven => (Requirement::SeatEast, is_east),
            _ => (Requirement::OtherSeat, !is_east),
        };
        let needs = [
            (seat, sits),
            (Requirement::SelfDraw, facts.context.win == WinSource::SelfDrawn),
            (Requirement::NoMelds, facts.melds.count == 0),
            (Requirement::NoRiichi, facts.context.riichi == RiichiCall::No),
            (Requirement::NoNorths, norths == 0),
        ];
        let missing = needs.into_iter().filter(|(_, met)| !met);
        missing.map(move |(needs, _)| Contradiction::Declared { declared, needs })
    })
}

/// Returns whether the hand has kongs that the indicators do not account for. No indicators at all
/// mean that they are not known.
fn has_too_few_indicators(facts: &Facts) -> bool {
    let found = facts.context.dora_indicators.len();
    found > 0 && found < needed_indicators(facts)
}

/// Returns the number of indicators that lie face up at least: one, and one more for each kong of
/// the hand. That of an open kong may be turned up late, after its replacement tile won.
fn needed_indicators(facts: &Facts) -> u8 {
    let late = facts.context.win == WinSource::KongReplacement && facts.melds.melded_kongs() != 0;
    1 + facts.melds.kongs.count_ones() as u8 - u8::from(late)
}

fn too_few_indicators(facts: &Facts) -> Contradiction {
    let found = facts.context.dora_indicators.len();
    Contradiction::TooFewIndicators { needed: needed_indicators(facts), found }
}

/// Returns whether more indicators are given under the face-up ones than there are of these. No
/// face-up ones at all mean that they are not known; without riichi none is looked at.
fn has_too_many_ura_indicators(context: &Context) -> bool {
    let face_up = context.dora_indicators.len();
    face_up > 0 && looked_at(context).len() > face_up
}

fn too_many_ura_indicators(context: &Context) -> Contradiction {
    let face_up = context.dora_indicators.len();
    Contradiction::TooManyUraIndicators { face_up, found: context.ura_indicators.len() }
}

/// Returns the indicators under the face-up ones, which nobody looks at without riichi.
const fn looked_at(context: &Context) -> Indicators {
    match context.riichi {
        RiichiCall::No => Indicators::NONE,
        RiichiCall::Riichi | RiichiCall::Double => context.ura_indicators,
    }
}

/// Returns the indicators that are a fifth copy of their tile, beside the tiles of the hand and the
/// norths that were set aside.
fn find_fifth_copies<'a>(
    facts: &'a Facts,
    options: &'a Options,
) -> impl Iterator<Item = Contradiction> + 'a {
    let norths = options.norths(&facts.context);
    list_indicators(&facts.context).enumerate().filter_map(move |(at, (field, tile))| {
        let set_aside = if tile == Wind::North.tile() { norths } else { 0 };
        let held = facts.copies(tile.index()) as u32 + set_aside;
        let is_fifth = held + count_indicators(tile, at, &facts.context) == COPIES;
        let found = held + count_indicators(tile, usize::MAX, &facts.context);
        is_fifth.then_some(Contradiction::TooManyCopies { field, tile, found })
    })
}

/// Returns how many of the first indicators are a tile.
fn count_indicators(tile: Tile, first: usize, context: &Context) -> u32 {
    list_indicators(context).take(first).filter(|&(_, other)| other == tile).count() as u32
}

/// Returns all indicators that lie open at the end, each with its field.
fn list_indicators(context: &Context) -> impl Iterator<Item = (ContextField, Tile)> + use<> {
    let face_up = context.dora_indicators.iter().map(|tile| (ContextField::DoraIndicators, tile));
    face_up.chain(looked_at(context).iter().map(|tile| (ContextField::UraIndicators, tile)))
}
