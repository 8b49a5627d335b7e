//! Uploads: conversion of a request in any of three forms to a [`TableRequest`].
//!
//! The forms are `multipart/form-data` with the parts `photo` (repeated for more photos of the same
//! hand), `context` (JSON) and `rulesets`; a raw image as the body, with the win context in the
//! query; or JSON with the photo in base64, or a list of photos. Forms and JSON may also have the
//! hands of other players. The content type determines the form; only its bytes determine the
//! format of a photo. The win context in the query applies to every form. Invariant: at most the
//! limit of bytes is held for each upload permit, and they must arrive before the timeout.

mod form;

use axum::body::Bytes;
use axum::extract::Request;
use base64::Engine as _;
use base64::alphabet::STANDARD as STANDARD_ALPHABET;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use tilesight_core::contract::{
    HandField, HandInput, MAX_OTHERS, Object, OtherInRequest, OtherPhotoDto, PhotoFields,
    RequestFault, check_number_of_others, check_rulesets, merge_values, read_json,
};
use tilesight_core::photo_json;
use tilesight_core::tile::Wind;
use tilesight_vision::MAX_PHOTOS;
use tilesight_vision::contract::{Detail, TableRequest, too_many_photos};
use utoipa::ToSchema;

pub(crate) use self::form::PhotoForm;
use crate::Limits;
use crate::answer::failure::Failure;
use crate::answer::fault::ServiceFault;
use crate::guard::admission::Turns;
use crate::input::body::{Form, declared_length, limit_body, read_on_worker, receive_bytes};
use crate::input::form::receive_form;
use crate::input::query::{DETAIL, DetailInQuery, Parameters, parse_pairs, parse_photo_fields};

photo_json! {
    /// Photo in JSON.
    #[derive(Debug, Deserialize, ToSchema)]
    #[serde(deny_unknown_fields)]
    pub(crate) struct PhotoJson {
        /// Photo in base64, plain or as a data URL; or a list of up to eight photos of the same
        /// hand, which are read as one.
        photo: EncodedPhotos,
        /// Hands of the players who did not win, where the rules score every player.
        #[serde(default)]
        #[schema(value_type = Vec<OtherPhotoDto>, max_items = 3)]
        others: Vec<Object<OtherJson>>,
        /// Level of detail of the answer; `full` when absent.
        #[serde(default)]
        detail: Option<Detail>,
    }
}

/// Photo in base64, plain or as a data URL.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(content_encoding = "base64", content_media_type = "image/*")]
struct EncodedPhoto(String);

/// Photo of a hand, or several photos of it.
#[derive(Debug, ToSchema)]
#[serde(untagged)]
enum EncodedPhotos {
    One(EncodedPhoto),
    Several(Vec<EncodedPhoto>),
}

/// Accepted forms of the photos in JSON.
#[derive(Deserialize)]
#[serde(untagged)]
enum PhotosForm {
    One(EncodedPhoto),
    Several(Vec<EncodedPhoto>),
}

impl<'de> Deserialize<'de> for EncodedPhotos {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<EncodedPhotos, D::Error> {
        match PhotosForm::deserialize(deserializer) {
            Ok(PhotosForm::One(photo)) => Ok(EncodedPhotos::One(photo)),
            Ok(PhotosForm::Several(list)) => Ok(EncodedPhotos::Several(list)),
            Err(_) => Err(D::Error::custom(RequestFault::NotPhotos)),
        }
    }
}

impl EncodedPhotos {
    fn decode(&self) -> Result<Vec<Bytes>, Failure> {
        let list = match self {
            EncodedPhotos::One(photo) => return Ok(vec![decode_photo(&photo.0, "photo")?]),
            EncodedPhotos::Several(list) => list,
        };
        if list.len() > MAX_PHOTOS {
            return Err(too_many_photos().into());
        }
        list.iter()
            .enumerate()
            .map(|(at, photo)| decode_photo(&photo.0, &HandField::OfHand(at).photo()))
            .collect()
    }
}

/// Photo that is the whole body.
#[derive(ToSchema)]
#[schema(value_type = String, format = Binary)]
pub(crate) struct Photo(pub(crate) Bytes);

impl Photo {
    pub(crate) async fn receive(request: Request, limits: &Limits) -> Result<Photo, Failure> {
        receive_bytes(request, limits).await.map(Photo)
    }
}

/// Head of a request with an upload.
#[derive(Debug)]
pub(crate) struct UploadHead {
    form: Result<Form, Failure>,
    /// Factor by which the limits of one body are multiplied. A body that declares its length may
    /// bring a photo of every player, because places for all of it can be taken.
    pub(crate) bodies: usize,
    /// Limits of the whole body: bytes and time.
    pub(crate) limits: Limits,
}

impl UploadHead {
    /// Reads the head of a request.
    pub(crate) fn from_request(request: &Request, limits: &Limits) -> UploadHead {
        let form = Form::from_headers(request.headers());
        let bodies = match form {
            Ok(Form::Multipart | Form::Json) => {
                let length = declared_length(request.headers()).unwrap_or(0);
                length.div_ceil(limits.body_bytes.max(1)).clamp(1, MAX_OTHERS + 1)
            }
            _ => 1,
        };
        let body = limits.body.saturating_mul(u32::try_from(bodies).unwrap_or(u32::MAX));
        let body_bytes = limits.body_bytes.saturating_mul(bodies);
        UploadHead { form, bodies, limits: Limits { body_bytes, body, ..limits.clone() } }
    }

    /// Receives the photos in the body of the request, within the limits, and the level of detail
    /// of their answer.
    pub(crate) async fn receive(
        self,
        mut request: Request,
        turns: &Turns,
    ) -> Result<(TableRequest<Bytes>, Detail), Failure> {
        let UploadHead { form, limits, .. } = self;
        let form = form?;
        let mut pairs = parse_pairs(request.uri())?;
        let DetailInQuery { detail } = Parameters::take(&mut pairs)?;
        let in_query = parse_photo_fields(pairs, &[DETAIL])?;
        limit_body(&mut request, limits.body_bytes);
        let (mut table, wanted) = match form {
            Form::Multipart => receive_form::<PhotoForm>(request, &limits).await?.into_request()?,
            Form::Json => {
                let body = receive_bytes(request, &limits).await?;
                read_on_worker(turns, body, from_json).await?
            }
            Form::Raw => {
                let Photo(photo) = Photo::receive(request, &limits).await?;
                (TableRequest::from_photo(photo), None)
            }
            Form::Other => {
                return Err(Failure::UnsupportedBody {
                    expected: "multipart/form-data, application/json, image/* or application/octet-stream",
                });
            }
        };
        let detail = merge_values(DETAIL, wanted, detail)?.unwrap_or_default();
        table.fields = table.fields.merge(in_query)?;
        let table = table.try_map_photos(|photo, place| {
            let place = place.unwrap_or(HandField::Winner);
            if photo.is_empty() {
                return Err(Failure::invalid(&place.photo(), &RequestFault::EmptyPhoto));
            }
            Ok(photo)
        })?;
        Ok((table, detail))
    }
}

/// Returns the request of the photos of a hand.
fn table_of(
    photos: Vec<Bytes>,
    fields: PhotoFields,
    others: Vec<OtherInRequest<Bytes>>,
    missing: &RequestFault,
) -> Result<TableRequest<Bytes>, Failure> {
    let mut photos = photos.into_iter();
    match photos.next() {
        Some(photo) => Ok(TableRequest { photo, more: photos.collect(), fields, others }),
        None => Err(Failure::invalid("photo", missing)),
    }
}

fn from_json(body: &[u8]) -> Result<(TableRequest<Bytes>, Option<Detail>), Failure> {
    let mut request: PhotoJson = read_json(body, "")?;
    let fields = request.photo_fields();
    check_rulesets(fields.scoring.rulesets.as_deref())?;
    let photos = request.photo.decode()?;
    let others = others_of_list(request.others)?;
    let table = table_of(photos, fields, others, &RequestFault::EmptyPhoto)?;
    Ok((table, request.detail))
}

/// Entry of the list; its schema is that of `Other<HandSource<_>>`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object with `seat` and `hand` or `photo`")]
pub(crate) struct OtherJson {
    seat: Wind,
    #[serde(default)]
    hand: Option<HandInput>,
    #[serde(default)]
    photo: Option<String>,
}

/// Reads the entries of the list.
pub(crate) fn others_of_list(
    list: Vec<Object<OtherJson>>,
) -> Result<Vec<OtherInRequest<Bytes>>, Failure> {
    check_number_of_others(list.len())?;
    let entries = list.into_iter().enumerate();
    entries.map(|(at, Object(other))| other_of_entry(other, HandField::Entry(at))).collect()
}

fn other_of_entry(other: OtherJson, place: HandField) -> Result<OtherInRequest<Bytes>, Failure> {
    match (other.hand, other.photo) {
        (Some(hand), None) => Ok(OtherInRequest::from_typed(place, other.seat, hand)),
        (None, Some(photo)) => {
            let photo = decode_photo(&photo, &place.photo())?;
            Ok(OtherInRequest::photo(place, other.seat, photo))
        }
        (Some(_), Some(_)) => Err(Failure::invalid(&place.photo(), &ServiceFault::HandAndPhoto)),
        (None, None) => Err(Failure::invalid(&place.typed_name(), &ServiceFault::HandOrPhoto)),
    }
}

/// Base64 decoder that ignores padding, which many encoders omit.
const LENIENT_BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD_ALPHABET,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Returns the photo in a text of base64: in the standard or the URL-safe alphabet (RFC 4648), with
/// or without padding and line ends, or as a data URL. `field` names it in errors.
pub(crate) fn decode_photo(text: &str, field: &str) -> Result<Bytes, Failure> {
    // Browsers make data URLs of files; the text before the comma is not trusted.
    let encoded = match text.split_once(";base64,") {
        Some((prefix, encoded)) if prefix.starts_with("data:") => encoded,
        _ => text,
    };
    let standard: Vec<u8> = encoded
        .bytes()
        .filter(|byte| !byte.is_ascii_whitespace())
        .map(|byte| match byte {
            b'-' => b'+',
            b'_' => b'/',
            byte => byte,
        })
        .collect();
    let photo = LENIENT_BASE64.decode(standard);
    photo.map(Bytes::from).map_err(|_| Failure::invalid(field, &RequestFault::NotBase64))
}

#[cfg(test)]
mod tests;
