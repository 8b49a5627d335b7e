//! Hands of a request, each typed or photographed, and the field that holds each.
//!
//! Input: photos in the form that a front end has (bytes, base64, a path). Output: names of fields
//! for the errors about them.

use serde::{Deserialize, Serialize};

use super::{HandInput, Kind, OtherDto, Problem};
use crate::hand::Other;
use crate::tile::Wind;

/// Hand as it was sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HandSource<P> {
    /// A photo of the hand.
    Photo(P),
    /// A typed hand.
    Typed(HandInput),
}

/// Assigns to each hand its place in a form: a part for each photo, and a list of typed hands.
#[must_use]
pub fn as_in_form<P>(others: Vec<Other<HandSource<P>>>) -> Vec<OtherInRequest<P>> {
    let mut typed = 0..;
    let placed = others.into_iter().map(|other| {
        let place = match &other.hand {
            HandSource::Photo(_) => HandField::Part(other.seat),
            HandSource::Typed(_) => HandField::Entry(typed.next().unwrap_or_default()),
        };
        OtherInRequest { place, other }
    });
    placed.collect()
}

/// The hand of another player in JSON, typed or as a photo in base64.
pub type OtherPhotoDto = Other<HandSource<String>>;

/// Position of a hand in a request, for error messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HandField {
    /// The photo of the hand that won.
    Winner,
    /// Further photo of the winning hand, by its index.
    OfHand(usize),
    /// An entry of the list `others`.
    Entry(usize),
    /// A part of a form, named by its seat.
    Part(Wind),
    /// A flag of the command, by its seat.
    Flag(Wind),
    /// Part of a game's form that is named by the number of a player.
    Player(usize),
    /// An entry of the list of a game's win, named by its player.
    OfWin(usize),
}

impl HandField {
    /// Returns the name of the typed hand.
    #[must_use]
    pub fn typed_name(self) -> String {
        match self {
            HandField::Winner => "photo".to_owned(),
            HandField::OfHand(at) => format!("photo[{at}]"),
            HandField::Entry(at) => format!("others[{at}]"),
            HandField::Part(seat) => format!("photo_{seat}"),
            HandField::Flag(seat) => format!("--other {seat}"),
            HandField::Player(number) => format!("photo_{number}"),
            HandField::OfWin(at) => format!("win.others[{at}]"),
        }
    }

    /// Returns the name of the photo.
    #[must_use]
    pub fn photo(self) -> String {
        match self {
            HandField::Entry(_) => format!("{}.photo", self.typed_name()),
            _ => self.typed_name(),
        }
    }

    /// Returns the name of the seat.
    #[must_use]
    pub fn seat(self) -> String {
        match self {
            HandField::Entry(_) => format!("{}.seat", self.typed_name()),
            HandField::OfWin(_) => format!("{}.player", self.typed_name()),
            _ => self.typed_name(),
        }
    }
}

impl<K: Kind> Problem<K> {
    /// Returns this problem as one of the photo at a place, which is absent if the request has no
    /// other photo.
    #[must_use]
    pub fn about_photo(self, place: Option<HandField>) -> Problem<K> {
        match place {
            Some(place) => self.about(&place.photo()),
            None => self,
        }
    }
}

/// The hand of another player in a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OtherInRequest<P> {
    /// Place in the request.
    pub place: HandField,
    /// The hand and its seat.
    pub other: Other<HandSource<P>>,
}

impl<P> OtherInRequest<P> {
    /// Creates an entry for a seat whose hand is a photo.
    pub fn photo(place: HandField, seat: Wind, photo: P) -> OtherInRequest<P> {
        OtherInRequest { place, other: Other { seat, hand: HandSource::Photo(photo) } }
    }

    /// Creates an entry for a seat whose hand is typed.
    #[must_use]
    pub fn from_typed(place: HandField, seat: Wind, hand: HandInput) -> OtherInRequest<P> {
        OtherInRequest { place, other: Other { seat, hand: HandSource::Typed(hand) } }
    }

    /// Returns the photo of the hand, if it has one.
    pub fn as_photo(&self) -> Option<&P> {
        match &self.other.hand {
            HandSource::Photo(photo) => Some(photo),
            HandSource::Typed(_) => None,
        }
    }

    /// Converts the photo of the hand, if it has one. `convert` gets the photo and its place.
    ///
    /// # Errors
    /// Any error of `convert`.
    pub fn try_map_photo<Q, E>(
        self,
        convert: impl FnOnce(P, HandField) -> Result<Q, E>,
    ) -> Result<OtherInRequest<Q>, E> {
        let OtherInRequest { place, other: Other { seat, hand } } = self;
        let hand = match hand {
            HandSource::Photo(photo) => HandSource::Photo(convert(photo, place)?),
            HandSource::Typed(hand) => HandSource::Typed(hand),
        };
        Ok(OtherInRequest { place, other: Other { seat, hand } })
    }

    /// Returns the hand with its seat, if it is typed.
    #[must_use]
    pub fn as_typed(&self) -> Option<OtherDto> {
        match &self.other.hand {
            HandSource::Photo(_) => None,
            HandSource::Typed(hand) => Some(Other { seat: self.other.seat, hand: hand.clone() }),
        }
    }
}
