//! Hands of the players who did not win, sent beside the photo of the hand that won.
//!
//! Input: parts `photo_E`, `photo_S`, `photo_W` and `photo_N` of a form, and the list `others` of a
//! form or of JSON, whose entries have a seat and a `hand` or a `photo` in base64. Output:
//! [`OtherInRequest`]s with their places, so that errors can name them.
//! [`TableRequest::plan`](tilesight_vision::contract::TableRequest::plan) checks whether they fit
//! one table.

use axum::body::Bytes;
use serde::Deserialize;
use tilesight_core::contract::{HandInput, Object, OtherInRequest, Place, check_number_of_others};
use tilesight_core::tile::Wind;

use super::decoded;
use crate::http::failure::Failure;
use crate::http::fault::ServiceFault;

/// Returns the seat whose photo a part of this name contains.
pub(super) fn seat_of(part: &str) -> Option<Wind> {
    let code = part.strip_prefix("photo_")?;
    Wind::ALL.into_iter().find(|seat| seat.to_string() == code)
}

/// Returns a photo that was sent as a part of its own.
pub(super) fn of_part(seat: Wind, photo: Bytes) -> OtherInRequest<Bytes> {
    OtherInRequest::photo(Place::Part(seat), seat, photo)
}

/// Entry of the list; its schema is that of `Other<HandSource<_>>`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object with `seat` and `hand` or `photo`")]
pub(in crate::http) struct OtherJson {
    seat: Wind,
    #[serde(default)]
    hand: Option<HandInput>,
    #[serde(default)]
    photo: Option<String>,
}

/// Reads the entries of the list.
pub(in crate::http) fn of_list(
    list: Vec<Object<OtherJson>>,
) -> Result<Vec<OtherInRequest<Bytes>>, Failure> {
    check_number_of_others(list.len())?;
    let entries = list.into_iter().enumerate();
    entries.map(|(at, Object(other))| of_entry(other, Place::Entry(at))).collect()
}

fn of_entry(other: OtherJson, place: Place) -> Result<OtherInRequest<Bytes>, Failure> {
    match (other.hand, other.photo) {
        (Some(hand), None) => Ok(OtherInRequest::typed(place, other.seat, hand)),
        (None, Some(photo)) => {
            let photo = decoded(&photo, &place.photo())?;
            Ok(OtherInRequest::photo(place, other.seat, photo))
        }
        (Some(_), Some(_)) => Err(Failure::invalid(&place.photo(), &ServiceFault::HandAndPhoto)),
        (None, None) => Err(Failure::invalid(&place.typed(), &ServiceFault::HandOrPhoto)),
    }
}

#[cfg(test)]
mod tests {
    use tilesight_core::explain::Lang;

    use super::*;

    #[test]
    fn a_hand_is_typed_or_a_photo_in_every_language() {
        for (json, german) in [
            (r#"[{ "seat": "S" }]"#, "others[0]: `hand` oder `photo` fehlt"),
            (
                r#"[{ "seat": "S", "hand": "11m", "photo": "" }]"#,
                "others[0].photo: eine Hand ist entweder getippt (`hand`) oder ein Foto (`photo`), nicht beides",
            ),
        ] {
            let list = serde_json::from_str(json).expect(json);
            let Err(Failure::Problem(problem)) = of_list(list) else { panic!("{json} was taken") };
            assert_eq!(problem.translate(Lang::De).detail.to_string(), german);
        }
    }
}
