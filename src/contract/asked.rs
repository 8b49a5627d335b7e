//! A table that is asked about: which photos are to be read, whose hands they are, and by which rules.
//!
//! Input: the photo of the hand that won, and hands of others, photographed or typed, each with what it is called
//! where it was sent. Output: [`Asked`], or what is wrong with the table, by those names. Invariants: the winner's
//! photo comes first; every seat has one hand at the most; photos of others are read only by rules that score
//! them, because whoever sent them would else wait for nothing. What a photo is (its bytes, a path) is
//! for the doors.

use super::others::of_table;
use super::{FieldError, FocusDto, HandInput, OtherDto, Problem, ProblemKind};
use crate::context::ContextSetup;
use crate::pipeline::ReadOptions;
use crate::rules::{OtherHand, RulesetId, TableError, check_others};
use crate::tile::Wind;

/// A hand that did not win.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OtherSent<P> {
    /// Whose it is.
    pub(crate) seat: Wind,
    /// The hand.
    pub(crate) hand: OtherForm<P>,
    /// What errors about it name.
    pub(crate) place: String,
    /// What errors about its seat name.
    pub(crate) place_of_seat: String,
}

/// The forms that such a hand can have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum OtherForm<P> {
    /// A photo.
    Photo(P),
    /// Typed.
    Typed(HandInput),
}

/// What is to be done.
#[derive(Debug)]
pub(crate) struct Asked<P> {
    /// The winner's photo, then those of others.
    pub(crate) photos: Vec<AskedPhoto<P>>,
    /// Typed hands of others.
    pub(crate) told: Vec<OtherHand>,
}

/// A photo to be read.
#[derive(Debug)]
pub(crate) struct AskedPhoto<P> {
    /// What it is called, where hands of others were sent beside it.
    pub(crate) place: Option<String>,
    /// The photo.
    pub(crate) photo: P,
    /// The circumstances, among them whose hand it is.
    pub(crate) context: ContextSetup,
    /// A point in the hand that is asked about, where one was named.
    pub(crate) focus: Option<FocusDto>,
}

impl<P> AskedPhoto<P> {
    /// What is asked of it by a rule set.
    pub(crate) fn options(&self, ruleset: RulesetId) -> ReadOptions {
        ReadOptions { ruleset, focus: self.focus.map(FocusDto::point) }
    }
}

impl<P> Asked<P> {
    /// What a winner's photo and the hands of others ask, by one rule set.
    ///
    /// # Errors
    /// A [`Problem`] that names the hand that can't lie on this table.
    pub(crate) fn of(
        photo: P,
        others: Vec<OtherSent<P>>,
        context: ContextSetup,
        ruleset: RulesetId,
    ) -> Result<Asked<P>, Problem> {
        let place = (!others.is_empty()).then(|| "photo".to_owned());
        if place.is_some() {
            check_won(&context)?;
            check_rules(ruleset, &others)?;
            check_seats(&context, &others)?;
        }
        let (mut photos, mut typed) =
            (vec![AskedPhoto { place, photo, context, focus: None }], Vec::new());
        for OtherSent { seat, hand, place, .. } in others {
            match hand {
                OtherForm::Photo(photo) => photos.push(AskedPhoto {
                    place: Some(place),
                    photo,
                    context: ContextSetup {
                        seat: Some(seat),
                        prevalent: context.prevalent,
                        won: Some(false),
                        ..ContextSetup::default()
                    },
                    focus: None,
                }),
                OtherForm::Typed(hand) => {
                    let hand = OtherDto { seat, hand }.read(&place)?;
                    typed.push((place, hand));
                }
            }
        }
        let told: Vec<OtherHand> = typed.iter().map(|(_, hand)| *hand).collect();
        check_others(context.seat.unwrap_or_default(), &told)
            .map_err(|error| of_table(&error, |at| typed[at].0.clone()))?;
        Ok(Asked { photos, told })
    }

    /// The same with a point in the hand that won, where its photo shows several.
    pub(crate) fn looking_at(mut self, focus: Option<FocusDto>) -> Asked<P> {
        self.photos[0].focus = focus;
        self
    }
}

/// Whoever sends the hands of others sends the one that won as `photo`.
fn check_won(context: &ContextSetup) -> Result<(), Problem> {
    if !context.has_not_won() {
        return Ok(());
    }
    let detail = "beside the hands of others, `photo` is the hand that won";
    let errors = vec![FieldError::new("context.won", detail)];
    Err(Problem::with_errors(ProblemKind::InvalidContext, errors))
}

/// Refuses photos that no score would hang on; typed hands are passed over, as everywhere.
fn check_rules<P>(ruleset: RulesetId, others: &[OtherSent<P>]) -> Result<(), Problem> {
    let is_photo = |other: &&OtherSent<P>| matches!(other.hand, OtherForm::Photo(_));
    let Some(first) = others.iter().find(is_photo) else { return Ok(()) };
    if ruleset.rules().scores_everybody() {
        return Ok(());
    }
    let every = RulesetId::all().filter(|one| one.rules().scores_everybody());
    let every: Vec<&str> = every.map(RulesetId::name).collect();
    let detail = format!(
        "{ruleset} scores the winner's hand alone; every player's is scored by {}",
        every.join(", ")
    );
    let errors = vec![FieldError::new(&first.place, detail)];
    Err(Problem::with_errors(ProblemKind::InvalidContext, errors))
}

/// Refuses two hands of one seat.
fn check_seats<P>(context: &ContextSetup, others: &[OtherSent<P>]) -> Result<(), Problem> {
    let winner = context.seat.unwrap_or_default();
    for (at, other) in others.iter().enumerate() {
        let seat = other.seat;
        let detail = if seat == winner && context.seat.is_none() {
            format!("{seat} is taken for the winner's seat, because `context.seat` names none")
        } else if seat == winner {
            format!("{seat} is the winner's seat")
        } else if others[..at].iter().any(|before| before.seat == seat) {
            TableError::SeatTaken { at, seat }.to_string()
        } else {
            continue;
        };
        let errors = vec![FieldError::new(&other.place_of_seat, detail)];
        return Err(Problem::with_errors(ProblemKind::InvalidHand, errors));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(seat: Wind, hand: OtherForm<&'static str>) -> OtherSent<&'static str> {
        let place = format!("hand of {seat}");
        OtherSent { seat, hand, place_of_seat: format!("seat of {seat}"), place }
    }

    fn photo(seat: Wind) -> OtherSent<&'static str> {
        sent(seat, OtherForm::Photo("a photo"))
    }

    fn typed(seat: Wind, hand: &str) -> OtherSent<&'static str> {
        sent(seat, OtherForm::Typed(HandInput::Notation(hand.to_owned())))
    }

    fn classical() -> RulesetId {
        "classical-dmjl".parse().expect("shipped")
    }

    /// What South, who won, and the others ask.
    fn ask(others: Vec<OtherSent<&'static str>>) -> Result<Asked<&'static str>, Problem> {
        let context = ContextSetup {
            seat: Some(Wind::South),
            prevalent: Some(Wind::West),
            ..ContextSetup::default()
        };
        Asked::of("the winner's", others, context, classical())
    }

    #[test]
    fn every_photo_is_read_as_the_hand_of_its_seat() {
        let others = vec![photo(Wind::North), typed(Wind::East, "[CCC,1]11m"), photo(Wind::West)];
        let Asked { photos, told } = ask(others).expect("a table");
        let seats: Vec<_> = photos.iter().map(|photo| photo.context.seat).collect();
        assert_eq!(seats, [Some(Wind::South), Some(Wind::North), Some(Wind::West)]);
        let won: Vec<_> = photos.iter().map(|photo| photo.context.has_not_won()).collect();
        assert_eq!(won, [false, true, true]);
        // The wind of the round is everybody's; how South won is not.
        assert!(photos.iter().all(|photo| photo.context.prevalent == Some(Wind::West)));
        assert_eq!(photos[0].place.as_deref(), Some("photo"));
        assert_eq!(told.iter().map(|hand| hand.seat).collect::<Vec<_>>(), [Wind::East]);
        assert_eq!(ask(Vec::new()).expect("a photo alone").photos[0].place, None);
    }

    #[test]
    fn what_cannot_be_is_named_where_it_was_sent() {
        for (others, field) in [
            (vec![photo(Wind::South)], "seat of S"),
            (vec![photo(Wind::East), typed(Wind::East, "")], "seat of E"),
            (vec![typed(Wind::East, "11x")], "hand of E.hand"),
            // Five dragons in typed hands are nobody's misreading.
            (vec![typed(Wind::East, "[CCC,1]"), typed(Wind::West, "CC")], "hand of W.hand"),
            (vec![typed(Wind::East, "||1"), typed(Wind::West, "||1")], ""),
        ] {
            let asked = ask(others.clone());
            match asked {
                Err(problem) => assert_eq!(problem.errors[0].field, field, "{others:?}"),
                // Flowers of which only the number is known can lie with anybody.
                Ok(asked) => assert_eq!((field, asked.told.len()), ("", 2), "{others:?}"),
            }
        }
    }

    #[test]
    fn only_rules_that_score_everybody_have_other_photos_read() {
        for ruleset in RulesetId::all() {
            let context = ContextSetup { seat: Some(Wind::South), ..ContextSetup::default() };
            let asked = Asked::of("", vec![photo(Wind::East)], context, ruleset);
            assert_eq!(asked.is_ok(), ruleset.rules().scores_everybody(), "{ruleset}");
            let typed = Asked::of("", vec![typed(Wind::East, "11m")], context, ruleset);
            assert!(typed.is_ok(), "{ruleset}: typed hands are passed over");
        }
    }
}
