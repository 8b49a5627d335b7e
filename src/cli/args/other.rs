//! The flag `--other SEAT=HAND`: the hand of a player who did not win.
//!
//! Input: a seat, `=`, and a hand in the notation or, for commands that read photos, the name of a
//! photo. Invariant: a text that is a valid hand is taken as a hand, even if a file has that name.

use std::path::{Path, PathBuf};

use tilesight_core::contract::HandInput;
use tilesight_core::contract::{HandField, OtherInRequest};
use tilesight_core::hand::Other;
use tilesight_core::notation::Notation;
use tilesight_core::tile::Wind;

use super::context::parse_named;

/// Parses a seat and a typed hand.
pub(in crate::cli) fn parse_typed(text: &str) -> Result<Other<HandInput>, String> {
    let Other { seat, hand } = split(text, "expected a seat, `=` and a hand")?;
    Ok(Other { seat, hand: HandInput::Notation(hand.to_owned()) })
}

/// Parses a seat and a typed hand or the name of a photo.
pub(in crate::cli) fn parse_typed_or_photo(text: &str) -> Result<OtherInRequest<PathBuf>, String> {
    let Other { seat, hand } = split(text, "expected a seat, `=` and a photo or a hand")?;
    let place = HandField::Flag(seat);
    let hand = hand.trim();
    match hand.parse::<Notation>() {
        Ok(_) => Ok(OtherInRequest::from_typed(place, seat, HandInput::Notation(hand.to_owned()))),
        Err(error) if !Path::new(hand).exists() => {
            Err(format!("`{hand}` is neither a file nor a hand: {error}"))
        }
        Err(_) => Ok(OtherInRequest::photo(place, seat, PathBuf::from(hand))),
    }
}

fn split<'a>(text: &'a str, expected: &str) -> Result<Other<&'a str>, String> {
    let (seat, hand) = text.split_once('=').ok_or(expected)?;
    let seat = parse_named::<Wind>(seat.trim())?;
    Ok(Other { seat, hand })
}
