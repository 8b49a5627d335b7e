//! A request for a table: the photo of the winning hand, and hands of other players beside it.
//!
//! Input: a [`TableRequest`], whose photos have the type that the front end uses (bytes, a path).
//! Output: a [`TablePlan`] of the photos to read and the typed hands, or the faults of the table,
//! by the names that its hands have in the request. A single photo is a table without others.
//! Invariants: the winner's photo comes first; every seat has at most one hand; photos of others
//! are read only if the rules score them.

use std::sync::Arc;

use tilesight_core::context::ContextSetup;
use tilesight_core::contract::RequestFault;
use tilesight_core::contract::ScoringRulesets;
use tilesight_core::contract::{
    FieldError, FocusDto, HandField, HandSource, OtherInRequest, Problem, ProblemKind, RegionDto,
    Scoring, SetChoice,
};
use tilesight_core::contract::{legal_other, problem_of_table};
use tilesight_core::explain::Message;
use tilesight_core::hand::Other;
use tilesight_core::rules::{Book, OtherHand, Profile, TableError, check_others};
use tilesight_core::tile::Wind;

use crate::ReadOptions;
use crate::geometry::Point;
use crate::geometry::polygon::Polygon;

/// Photos of a table, and the parameters of scoring.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableRequest<P> {
    /// The photo of the winning hand.
    pub photo: P,
    /// More photos of the same hand.
    pub more: Vec<P>,
    /// A point in the winning hand, if its photo shows several hands.
    pub focus: Option<FocusDto>,
    /// The part of the photo that contains the winning hand.
    pub region: Option<RegionDto>,
    /// The own set that the tiles of all photos are named with.
    pub set: Option<SetChoice>,
    /// Hands of the players who did not win.
    pub others: Vec<OtherInRequest<P>>,
    /// The win context and the rule sets.
    pub scoring: Scoring,
}

/// The photos to read, and the typed hands to settle them with.
#[derive(Debug)]
pub struct TablePlan<P> {
    /// The rule set of all readings.
    pub ruleset: Arc<Profile>,
    /// Rule sets to score by, side by side, if any were given.
    pub rulesets: Option<Vec<Arc<Profile>>>,
    /// The winner's photo, followed by those of other players.
    pub photos: Vec<SeatPhoto<P>>,
    /// Typed hands of other players.
    pub typed: Vec<OtherHand>,
}

/// A photo to read as the hand of one seat.
#[derive(Debug)]
pub struct SeatPhoto<P> {
    /// Place of the photo in the request; absent if it is the only hand.
    pub place: Option<HandField>,
    /// The photo.
    pub photo: P,
    /// More photos of the same hand.
    pub more: Vec<P>,
    /// The win context, with the seat.
    pub context: ContextSetup,
    /// The rule set, and the position of the hand.
    pub options: ReadOptions,
}

impl<P> TableRequest<P> {
    /// Checks the table and returns the photos and hands to read.
    ///
    /// # Errors
    /// A [`Problem`] that names a hand that can't be on this table, an unknown rule set, or an
    /// invalid region.
    pub fn plan(self, book: &Book) -> Result<TablePlan<P>, Problem> {
        let TableRequest { photo, more, focus, region, set, others, scoring } = self;
        let ScoringRulesets { one: ruleset, all: rulesets } = scoring.find(book)?;
        let context = scoring.context.setup;
        if !others.is_empty() {
            check_won(&context)?;
            check_rules(book, &ruleset, &others)?;
            check_seats(&context, &others)?;
        }
        let place = (!others.is_empty()).then_some(HandField::Winner);
        RegionDto::check(region.as_ref())?;
        let (focus, region) = (focus.map(Point::from), region.as_ref().map(Polygon::from));
        let options =
            ReadOptions { ruleset: Arc::clone(&ruleset), focus, region, set: set.clone() };
        let mut photos = vec![SeatPhoto { place, photo, more, context, options }];
        let (mut typed, mut places) = (Vec::new(), Vec::new());
        for OtherInRequest { place, other: Other { seat, hand } } in others {
            match hand {
                HandSource::Photo(photo) => {
                    let (place, context) = (Some(place), context_of_other(seat, &context));
                    let options = ReadOptions { set: set.clone(), ..(&ruleset).into() };
                    let more = Vec::new();
                    photos.push(SeatPhoto { place, photo, more, context, options });
                }
                HandSource::Typed(hand) => {
                    typed.push(legal_other(&Other { seat, hand }, &place.typed_name())?);
                    places.push(place);
                }
            }
        }
        check_others(context.seat.unwrap_or_default(), &typed)
            .map_err(|error| problem_of_table(&error, |at| places[at].typed_name()))?;
        Ok(TablePlan { ruleset, rulesets, photos, typed })
    }
}

/// Returns the context of a hand that did not win. The prevalent wind is shared by all players, but
/// the way of winning is not.
fn context_of_other(seat: Wind, winner: &ContextSetup) -> ContextSetup {
    ContextSetup {
        seat: Some(seat),
        prevalent: winner.prevalent,
        won: Some(false),
        ..ContextSetup::default()
    }
}

/// Checks that the photo is of the winning hand, if hands of other players are beside it.
fn check_won(context: &ContextSetup) -> Result<(), Problem> {
    if !context.has_not_won() {
        return Ok(());
    }
    let errors = vec![FieldError::from_message("context.won", &RequestFault::WinnerNotFirst)];
    Err(Problem::with_errors(ProblemKind::InvalidContext, errors))
}

/// Rejects photos that no score would depend on. Typed hands are ignored, as everywhere.
fn check_rules<P>(
    book: &Book,
    ruleset: &Profile,
    others: &[OtherInRequest<P>],
) -> Result<(), Problem> {
    let Some(first) = others.iter().find(|other| other.as_photo().is_some()) else {
        return Ok(());
    };
    if ruleset.scores_everybody() {
        return Ok(());
    }
    let every = book.profiles().filter(|one| one.scores_everybody());
    let every: Vec<String> = every.map(|one| one.id().to_string()).collect();
    let (ruleset, every) = (ruleset.id().to_string(), every.join(", "));
    let fault = RequestFault::WinnerAlone { ruleset, every };
    let errors = vec![FieldError::from_message(first.place.photo(), &fault)];
    Err(Problem::with_errors(ProblemKind::InvalidContext, errors))
}

/// Rejects two hands of one seat.
fn check_seats<P>(context: &ContextSetup, others: &[OtherInRequest<P>]) -> Result<(), Problem> {
    let winner = context.seat.unwrap_or_default();
    let mut seats: Vec<Wind> = Vec::new();
    for (at, OtherInRequest { place, other }) in others.iter().enumerate() {
        let seat = other.seat;
        let fault: &dyn Message = if seat == winner && context.seat.is_none() {
            &RequestFault::SeatAssumed { seat }
        } else if seat == winner {
            &RequestFault::SeatOfWinner { seat }
        } else if seats.contains(&seat) {
            &TableError::SeatTaken { at, seat }
        } else {
            seats.push(seat);
            continue;
        };
        let errors = vec![FieldError::from_message(place.seat(), fault)];
        return Err(Problem::with_errors(ProblemKind::InvalidHand, errors));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use tilesight_core::contract::{ContextDto, HandInput};
    use tilesight_core::rules::RulesetId;

    use super::*;

    fn photo(seat: Wind) -> OtherInRequest<&'static str> {
        OtherInRequest::photo(HandField::Part(seat), seat, "a photo")
    }

    fn typed(seat: Wind, hand: &str) -> OtherInRequest<&'static str> {
        let hand = HandInput::Notation(hand.to_owned());
        OtherInRequest::from_typed(HandField::Entry(seat as usize), seat, hand)
    }

    /// Returns the plan for South's winning photo beside hands of other players.
    fn plan_by(
        ruleset: RulesetId,
        others: Vec<OtherInRequest<&'static str>>,
    ) -> Result<TablePlan<&'static str>, Problem> {
        let setup = ContextSetup {
            seat: Some(Wind::South),
            prevalent: Some(Wind::West),
            ..ContextSetup::default()
        };
        let context = ContextDto { ruleset: Some(ruleset), setup };
        let scoring = Scoring { context, rulesets: None };
        let (photo, more) = ("the winner's", Vec::new());
        let (focus, region, set) = (None, None, Some(SetChoice::Auto));
        let request = TableRequest { photo, more, focus, region, set, others, scoring };
        request.plan(&Book::shipped())
    }

    fn plan(others: Vec<OtherInRequest<&'static str>>) -> Result<TablePlan<&'static str>, Problem> {
        plan_by(RulesetId::CLASSICAL_DMJL, others)
    }

    #[test]
    fn every_photo_is_read_as_the_hand_of_its_seat() {
        let others = vec![photo(Wind::North), typed(Wind::East, "[CCC,1]11m"), photo(Wind::West)];
        let TablePlan { photos, typed, .. } = plan(others).expect("a table");
        let seats: Vec<_> = photos.iter().map(|photo| photo.context.seat).collect();
        assert_eq!(seats, [Some(Wind::South), Some(Wind::North), Some(Wind::West)]);
        let won: Vec<_> = photos.iter().map(|photo| photo.context.has_not_won()).collect();
        assert_eq!(won, [false, true, true]);
        // The prevalent wind is shared by all players, but the way South won is not.
        assert!(photos.iter().all(|photo| photo.context.prevalent == Some(Wind::West)));
        // All players play with the same tiles.
        assert!(photos.iter().all(|photo| photo.options.set == Some(SetChoice::Auto)));
        assert_eq!(photos[0].place, Some(HandField::Winner));
        assert_eq!(typed.iter().map(|hand| hand.seat).collect::<Vec<_>>(), [Wind::East]);
        assert_eq!(plan(Vec::new()).expect("a photo alone").photos[0].place, None);
    }

    #[test]
    fn what_cannot_be_is_named_where_it_was_sent() {
        for (others, field) in [
            (vec![photo(Wind::South)], "photo_S"),
            (vec![photo(Wind::East), typed(Wind::East, "")], "others[0].seat"),
            (vec![typed(Wind::East, "11x")], "others[0].hand"),
            // Five dragons in typed hands are not a misreading.
            (vec![typed(Wind::East, "[CCC,1]"), typed(Wind::West, "CC")], "others[2].hand"),
            (vec![typed(Wind::East, "||1"), typed(Wind::West, "||1")], ""),
        ] {
            match plan(others.clone()) {
                Err(problem) => assert_eq!(problem.errors[0].field, field, "{others:?}"),
                // Flowers of which only the number is known can belong to any player.
                Ok(plan) => assert_eq!((field, plan.typed.len()), ("", 2), "{others:?}"),
            }
        }
    }

    #[test]
    fn only_rules_that_score_everybody_have_other_photos_read() {
        for profile in Book::shipped().profiles() {
            let ruleset = profile.id();
            let photo = plan_by(ruleset, vec![photo(Wind::East)]);
            assert_eq!(photo.is_ok(), profile.scores_everybody(), "{ruleset}");
            let typed = plan_by(ruleset, vec![typed(Wind::East, "11m")]);
            assert!(typed.is_ok(), "{ruleset}: typed hands are ignored");
        }
    }
}
