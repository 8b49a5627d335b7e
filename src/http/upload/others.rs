//! The hands of those who did not win, sent beside the photo of the hand that won.
//!
//! Input: parts `photo_E`, `photo_S`, `photo_W` and `photo_N` of a form, and the list `others` of a form or of JSON,
//! whose entries have a seat and a `hand` or a `photo` in base64. Output: [`OtherSent`]s with their names in that
//! request, so that what is wrong with one can be told. Whether a table can be made of them is not looked
//! at here.

use axum::body::Bytes;
use serde::Deserialize;
use utoipa::ToSchema;

use super::decoded;
use crate::contract::{
    HandInput, OtherDto, OtherForm, OtherSent, objects, place_among_others, too_many_others,
};
use crate::http::failure::Failure;
use crate::tile::Wind;

/// Players who did not win.
pub(super) const MOST: usize = 3;

/// The seat whose photo a part of this name is.
pub(super) fn seat_of(part: &str) -> Option<Wind> {
    let code = part.strip_prefix("photo_")?;
    Wind::ALL.into_iter().find(|seat| seat.to_string() == code)
}

/// A photo that came as a part of its own.
pub(super) fn of_part(seat: Wind, photo: Bytes) -> OtherSent<Bytes> {
    let place = format!("photo_{seat}");
    OtherSent { seat, hand: OtherForm::Photo(photo), place_of_seat: place.clone(), place }
}

/// An entry of the list.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object with `seat` and `hand` or `photo`")]
pub(super) struct OtherJson {
    seat: Wind,
    #[serde(default)]
    hand: Option<HandInput>,
    #[serde(default)]
    photo: Option<String>,
}

/// The list as a part of its own.
#[derive(Debug, Deserialize)]
pub(super) struct OtherList(#[serde(deserialize_with = "objects")] pub(super) Vec<OtherJson>);

/// What an entry of the list may be.
#[derive(ToSchema)]
#[serde(untagged)]
#[allow(dead_code, reason = "describes what is read as `OtherJson`, whose errors name fields")]
pub(in crate::http) enum OtherInRequest {
    Typed(OtherDto),
    Photo(OtherPhoto),
}

/// A photo of the hand of somebody who did not win.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "describes what is read as `OtherJson`")]
pub(in crate::http) struct OtherPhoto {
    /// Whose it is.
    seat: Wind,
    /// The photo in base64, plain or as a data URL.
    #[schema(content_encoding = "base64", content_media_type = "image/*")]
    photo: String,
}

/// The entries of the list.
pub(super) fn of_list(list: Vec<OtherJson>) -> Result<Vec<OtherSent<Bytes>>, Failure> {
    if list.len() > MOST {
        return Err(too_many_others().into());
    }
    list.into_iter()
        .enumerate()
        .map(|(at, other)| of_entry(other, place_among_others(at)))
        .collect()
}

fn of_entry(other: OtherJson, entry: String) -> Result<OtherSent<Bytes>, Failure> {
    let photographed = format!("{entry}.photo");
    let place_of_seat = format!("{entry}.seat");
    let (hand, place) = match (other.hand, other.photo) {
        (Some(hand), None) => (OtherForm::Typed(hand), entry),
        (None, Some(photo)) => (OtherForm::Photo(decoded(&photo, &photographed)?), photographed),
        (Some(_), Some(_)) => {
            let detail = "a hand is typed or photographed, not both";
            return Err(Failure::bad_request(&photographed, detail));
        }
        (None, None) => {
            return Err(Failure::bad_request(&entry, "`hand` or `photo` is missing"));
        }
    };
    Ok(OtherSent { seat: other.seat, hand, place, place_of_seat })
}
