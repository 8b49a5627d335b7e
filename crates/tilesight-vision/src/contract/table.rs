//! A request for a table: the photo of the winning hand, and hands of other players beside it.
//!
//! Input: a [`TableRequest`], whose photos have the type that the front end uses (bytes, a path).
//! Output: a [`TablePlan`] of the photos to read and the typed hands, or the faults of the table,
//! by the names that its hands have in the request. A single photo is a table without others.
//! Invariants: the winner's photo comes first; every seat has at most one hand; photos of others
//! are read only if the rules score them.

use std::convert::Infallible;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use tilesight_core::context::ContextSetup;
use tilesight_core::contract::{
    HandField, HandSource, OtherInRequest, PhotoFields, Problem, ProblemKind, RegionDto,
    RequestFault, ScoringRulesets, as_in_form, legal_other, problem_of_table,
};
use tilesight_core::explain::Message;
use tilesight_core::hand::Other;
use tilesight_core::rules::{Book, OtherHand, Profile, TableError, check_others};
use tilesight_core::tile::Wind;

use crate::geometry::Point;
use crate::geometry::polygon::Polygon;
use crate::{MAX_PHOTOS, ReadError, ReadOptions};

/// Photos of a table, and what the request says about them.
///
/// As JSON it is the same whatever front end sent it: the places of the other hands are those of a
/// form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableRequest<P> {
    /// The photo of the winning hand.
    pub photo: P,
    /// More photos of the same hand.
    #[serde(default = "Vec::new", skip_serializing_if = "Vec::is_empty")]
    pub more: Vec<P>,
    /// The win context, the rule sets, and the place of the winning hand.
    #[serde(flatten)]
    pub fields: PhotoFields,
    /// Hands of the players who did not win.
    #[serde(
        default = "Vec::new",
        skip_serializing_if = "Vec::is_empty",
        serialize_with = "write_others",
        deserialize_with = "read_others",
        bound(serialize = "P: Serialize", deserialize = "P: Deserialize<'de>")
    )]
    pub others: Vec<OtherInRequest<P>>,
}

/// The photos to read, and the typed hands to settle them with.
#[derive(Debug)]
pub struct TablePlan<P> {
    /// The rule set of all readings.
    pub ruleset: Arc<Profile>,
    /// Rule sets to score by, side by side, if any were given.
    pub rulesets: Option<Vec<Arc<Profile>>>,
    /// The hand that won.
    pub winner: HandPlan<P>,
    /// Photographed hands of other players.
    pub others: Vec<HandPlan<P>>,
    /// Typed hands of other players.
    pub typed: Vec<OtherHand>,
}

/// Photos to read as the hand of one seat.
#[derive(Debug)]
pub struct HandPlan<P> {
    /// Place of the hand in the request; absent if it is the only hand.
    pub place: Option<HandField>,
    /// Photos of the hand, at least one.
    pub photos: Vec<P>,
    /// The win context, with the seat.
    pub context: ContextSetup,
    /// The rule set, and the position of the hand in its first photo.
    pub options: ReadOptions,
}

impl<P> TableRequest<P> {
    /// Returns the request for a photo about which nothing is said.
    pub fn from_photo(photo: P) -> TableRequest<P> {
        TableRequest { photo, more: Vec::new(), fields: PhotoFields::default(), others: Vec::new() }
    }

    /// Converts the photos of all hands, in order. `convert` gets a photo and its place in the
    /// request, which is absent if it is the only one.
    ///
    /// # Errors
    /// The first error of `convert`.
    pub fn try_map_photos<Q, E>(
        self,
        mut convert: impl FnMut(P, Option<HandField>) -> Result<Q, E>,
    ) -> Result<TableRequest<Q>, E> {
        let place = self.place_of_first();
        let photo = convert(self.photo, place)?;
        let more = self
            .more
            .into_iter()
            .enumerate()
            .map(|(at, photo)| convert(photo, Some(HandField::OfHand(at + 1))))
            .collect::<Result<_, _>>()?;
        let others = self
            .others
            .into_iter()
            .map(|other| other.try_map_photo(|photo, at| convert(photo, Some(at))))
            .collect::<Result<_, _>>()?;
        Ok(TableRequest { photo, more, fields: self.fields, others })
    }

    /// Takes the photos out, in order and with their places, so that they can be converted by
    /// something that waits. [`with_photos`](TableRequest::with_photos) is the way back.
    pub fn take_photos(self) -> (TableRequest<()>, Vec<(P, Option<HandField>)>) {
        let mut photos = Vec::new();
        let Ok(rest) = self.try_map_photos(|photo, place| {
            photos.push((photo, place));
            Ok::<(), Infallible>(())
        });
        (rest, photos)
    }

    /// Returns the place of the first photo, if it is not the only one.
    fn place_of_first(&self) -> Option<HandField> {
        if self.more.is_empty() {
            (!self.others.is_empty()).then_some(HandField::Winner)
        } else {
            Some(HandField::OfHand(0))
        }
    }

    /// Returns how to read the winning hand.
    ///
    /// # Errors
    /// A [`Problem`] about an unknown rule set or an invalid region.
    pub fn options(&self, book: &Book) -> Result<ReadOptions, Problem> {
        read_options(&self.fields, &self.fields.scoring.find(book)?.one)
    }

    /// Checks the table and returns the photos and hands to read.
    ///
    /// # Errors
    /// A [`Problem`] that names a hand that can't be on this table, too many photos, an unknown
    /// rule set, an invalid region, or a win context that contradicts itself.
    pub fn plan(self, book: &Book) -> Result<TablePlan<P>, Problem> {
        let TableRequest { photo, more, fields, others } = self;
        let ScoringRulesets { one: ruleset, all: rulesets } = fields.scoring.find(book)?;
        let context = fields.scoring.context.setup;
        if more.len() >= MAX_PHOTOS {
            return Err(too_many_photos());
        }
        context.resolve().map_err(|error| Problem::from(&ReadError::from(error)))?;
        if !others.is_empty() {
            check_won(&context)?;
            check_rules(book, &ruleset, &others)?;
            check_seats(&context, &others)?;
        }
        let winner = HandPlan {
            place: (!others.is_empty()).then_some(HandField::Winner),
            photos: std::iter::once(photo).chain(more).collect(),
            context,
            options: read_options(&fields, &ruleset)?,
        };
        let mut photographed = Vec::new();
        let mut typed = Vec::new();
        let mut places = Vec::new();
        for OtherInRequest { place, other: Other { seat, hand } } in others {
            match hand {
                HandSource::Photo(photo) => photographed.push(HandPlan {
                    place: Some(place),
                    photos: vec![photo],
                    context: context_of_other(seat, &context),
                    options: ReadOptions { set: fields.set.clone(), ..(&ruleset).into() },
                }),
                HandSource::Typed(hand) => {
                    typed.push(legal_other(&Other { seat, hand }, &place.typed_name())?);
                    places.push(place);
                }
            }
        }
        check_others(context.seat.unwrap_or_default(), &typed)
            .map_err(|error| problem_of_table(&error, |at| places[at].typed_name()))?;
        Ok(TablePlan { ruleset, rulesets, winner, others: photographed, typed })
    }
}

impl TableRequest<()> {
    /// Returns this request with photos, one for each that was taken out.
    ///
    /// # Panics
    /// If there are fewer.
    #[must_use]
    pub fn with_photos<P>(self, photos: Vec<P>) -> TableRequest<P> {
        let mut photos = photos.into_iter();
        let Ok(table) = self.try_map_photos(|(), _| {
            Ok::<P, Infallible>(photos.next().expect("a photo for each that was taken out"))
        });
        table
    }
}

impl<P> TablePlan<P> {
    /// Returns a photographed hand: the winner's at 0, then those of the other players.
    #[must_use]
    pub fn hand(&self, at: usize) -> Option<&HandPlan<P>> {
        std::iter::once(&self.winner).chain(&self.others).nth(at)
    }

    /// Converts the photos of all hands, in order.
    ///
    /// # Errors
    /// The first error of `convert`.
    pub fn try_map_photos<Q, E>(
        self,
        mut convert: impl FnMut(P) -> Result<Q, E>,
    ) -> Result<TablePlan<Q>, E> {
        let winner = self.winner.try_map_photos(&mut convert)?;
        let others = self
            .others
            .into_iter()
            .map(|hand| hand.try_map_photos(&mut convert))
            .collect::<Result<_, _>>()?;
        Ok(TablePlan {
            ruleset: self.ruleset,
            rulesets: self.rulesets,
            winner,
            others,
            typed: self.typed,
        })
    }

    /// Returns the number of photos of all hands.
    #[must_use]
    pub fn photo_count(&self) -> usize {
        let others = self.others.iter().map(|hand| hand.photos.len());
        self.winner.photos.len() + others.sum::<usize>()
    }
}

impl<P> HandPlan<P> {
    fn try_map_photos<Q, E>(
        self,
        convert: impl FnMut(P) -> Result<Q, E>,
    ) -> Result<HandPlan<Q>, E> {
        let HandPlan { place, photos, context, options } = self;
        let photos = photos.into_iter().map(convert).collect::<Result<_, _>>()?;
        Ok(HandPlan { place, photos, context, options })
    }

    /// Returns the place in the request of one of the photos; absent if it is the only one.
    #[must_use]
    pub fn place_of(&self, photo: usize) -> Option<HandField> {
        if self.photos.len() > 1 { Some(HandField::OfHand(photo)) } else { self.place }
    }
}

/// Returns the problem of more photos of a hand than may be read together.
#[must_use]
pub fn too_many_photos() -> Problem {
    let fault = RequestFault::TooManyPhotos { limit: MAX_PHOTOS };
    Problem::for_field(ProblemKind::MalformedRequest, "photo", &fault)
}

/// Returns how to read the winning hand by a rule set.
fn read_options(fields: &PhotoFields, ruleset: &Arc<Profile>) -> Result<ReadOptions, Problem> {
    RegionDto::check(fields.region.as_ref())?;
    Ok(ReadOptions {
        ruleset: Arc::clone(ruleset),
        focus: fields.focus.map(Point::from),
        region: fields.region.as_ref().map(Polygon::from),
        set: fields.set.clone(),
    })
}

/// Writes the other hands without their places.
fn write_others<P: Serialize, S: Serializer>(
    others: &[OtherInRequest<P>],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(others.iter().map(|other| &other.other))
}

/// Reads the other hands, with their places in a form.
fn read_others<'de, P: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<OtherInRequest<P>>, D::Error> {
    Vec::deserialize(deserializer).map(as_in_form)
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
    let kind = ProblemKind::InvalidContext;
    Err(Problem::for_field(kind, "context.won", &RequestFault::WinnerNotFirst))
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
    let every: Vec<String> = book
        .profiles()
        .filter(|one| one.scores_everybody())
        .map(|one| one.id().to_string())
        .collect();
    let fault =
        RequestFault::WinnerAlone { ruleset: ruleset.id().to_string(), every: every.join(", ") };
    Err(Problem::for_field(ProblemKind::InvalidContext, first.place.photo(), &fault))
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
        return Err(Problem::for_field(ProblemKind::InvalidHand, place.seat(), fault));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use tilesight_core::contract::{ContextDto, HandInput, SetChoice};
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
        let fields = PhotoFields { set: Some(SetChoice::Auto), ..PhotoFields::from(context) };
        let request = TableRequest { fields, others, ..TableRequest::from_photo("the winner's") };
        request.plan(&Book::shipped())
    }

    fn plan(others: Vec<OtherInRequest<&'static str>>) -> Result<TablePlan<&'static str>, Problem> {
        plan_by(RulesetId::CLASSICAL_DMJL, others)
    }

    #[test]
    fn every_photo_is_read_as_the_hand_of_its_seat() {
        let others = vec![photo(Wind::North), typed(Wind::East, "[CCC,1]11m"), photo(Wind::West)];
        let TablePlan { winner, others, typed, .. } = plan(others).expect("a table");
        let hands: Vec<_> = std::iter::once(&winner).chain(&others).collect();
        let seats: Vec<_> = hands.iter().map(|hand| hand.context.seat).collect();
        assert_eq!(seats, [Some(Wind::South), Some(Wind::North), Some(Wind::West)]);
        let won: Vec<_> = hands.iter().map(|hand| hand.context.has_not_won()).collect();
        assert_eq!(won, [false, true, true]);
        // The prevalent wind is shared by all players, but the way South won is not.
        assert!(hands.iter().all(|hand| hand.context.prevalent == Some(Wind::West)));
        // All players play with the same tiles.
        assert!(hands.iter().all(|hand| hand.options.set == Some(SetChoice::Auto)));
        assert_eq!(winner.place, Some(HandField::Winner));
        assert_eq!(typed.iter().map(|hand| hand.seat).collect::<Vec<_>>(), [Wind::East]);
        assert_eq!(plan(Vec::new()).expect("a photo alone").winner.place, None);
    }

    #[test]
    fn an_impossible_table_names_the_sent_field() {
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
