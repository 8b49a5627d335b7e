//! Uploads: conversion of a request in any of three forms to a [`TableRequest`].
//!
//! The forms are `multipart/form-data` with the parts `photo` (repeated for more photos of the same
//! hand), `context` (JSON) and `rulesets`; a raw image as the body, with the win context in the
//! query; or JSON with the photo in base64, or a list of photos. Forms and JSON may also have the
//! hands of other players. The content type determines the form; only its bytes determine the
//! format of a photo. The win context in the query applies to every form. Invariant: at most the
//! limit of bytes is held for each upload permit, and they must arrive before the timeout.

use axum::body::Bytes;
use axum::extract::multipart::{Field, Multipart, MultipartError};
use axum::extract::{DefaultBodyLimit, FromRequest, Request};
use axum::http::StatusCode;
use base64::Engine as _;
use base64::alphabet::STANDARD as STANDARD_ALPHABET;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use serde::Deserialize;
use tilesight_core::contract::{
    ContextDto, FieldError, FocusDto, HandField, HandInput, MAX_OTHERS, Object, OtherDto,
    OtherInRequest, OtherPhotoDto, Problem, ProblemKind, RegionDto, RequestFault, RulesetList,
    ScoreRequest, Scoring, SetChoice, UnknownName, check_number_of_others, check_rulesets,
    object_or_null, read_json, read_value,
};
use tilesight_core::rules::RulesetId;
use tilesight_core::tile::Wind;
use tilesight_vision::MAX_PHOTOS;
use tilesight_vision::contract::{Detail, TableRequest};
use utoipa::ToSchema;

use crate::config::Limits;
use crate::service::answer::failure::Failure;
use crate::service::input::body::{Form, declared_length, incomplete_body, read_aside, receive};
use crate::service::input::fault::ServiceFault;
use crate::service::input::query::{
    self, DETAIL, FOCUS, REGION, RULESETS, SET, merge_values, parse_pairs, parse_scoring,
};

/// Photo in JSON.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PhotoJson {
    /// Photo in base64, plain or as a data URL; or a list of up to eight photos of the same hand,
    /// which are read as one.
    photo: EncodedPhotos,
    /// Win context and rule set.
    #[serde(default, deserialize_with = "object_or_null")]
    #[schema(value_type = Option<ContextDto>)]
    context: ContextDto,
    /// Hands of the players who did not win, where the rules score every player.
    #[serde(default)]
    #[schema(value_type = Vec<OtherPhotoDto>, max_items = 3)]
    others: Vec<Object<OtherJson>>,
    /// Rule sets by which to score side by side.
    #[schema(value_type = Option<RulesetList>)]
    rulesets: Option<Vec<RulesetId>>,
    /// Point in the hand to read, for a photo that shows several hands. Also accepted as text:
    /// `412,300`.
    #[serde(default)]
    focus: Option<FocusDto>,
    /// Part of the photo that contains the hand: the corners of a polygon, or two corners of a box.
    /// Also accepted as text: `96,310 1460,610`.
    #[serde(default)]
    region: Option<RegionDto>,
    /// Own set that the tiles are named with: its name, or `auto` for the set that explains the
    /// photo best. The answer says which was used.
    #[serde(default)]
    set: Option<SetChoice>,
    /// Level of detail of the answer; `full` when absent.
    #[serde(default)]
    detail: Option<Detail>,
}

/// Photo in base64, plain or as a data URL.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(content_encoding = "base64", content_media_type = "image/*")]
struct EncodedPhoto(String);

/// Photo of a hand, or several photos of it.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(untagged, expecting = "expected a photo in base64, or a list of photos")]
enum EncodedPhotos {
    One(EncodedPhoto),
    Several(Vec<EncodedPhoto>),
}

impl EncodedPhotos {
    /// Decodes the photos, and returns the first one and the others.
    fn decode(&self) -> Result<(Bytes, Vec<Bytes>), Failure> {
        let list = match self {
            EncodedPhotos::One(photo) => return Ok((decode_photo(&photo.0, "photo")?, Vec::new())),
            EncodedPhotos::Several(list) => list,
        };
        if list.len() > MAX_PHOTOS {
            return Err(too_many_photos());
        }
        let photos = list.iter().enumerate();
        let photos =
            photos.map(|(at, photo)| decode_photo(&photo.0, &HandField::OfHand(at).photo()));
        let mut photos: Vec<Bytes> = photos.collect::<Result<_, _>>()?;
        if photos.is_empty() {
            return Err(Failure::invalid("photo", &RequestFault::EmptyPhoto));
        }
        Ok((photos.remove(0), photos))
    }
}

fn too_many_photos() -> Failure {
    Failure::invalid("photo", &RequestFault::TooManyPhotos { limit: MAX_PHOTOS })
}

/// Photo in a form.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "describes the form")]
pub(crate) struct PhotoForm {
    /// Photos of the hand, each a part of its own: one, or up to eight of the same hand, which are
    /// read as one.
    #[schema(value_type = Vec<String>, format = Binary, min_items = 1, max_items = 8)]
    photo: Vec<Bytes>,
    /// Photo of the hand of East, who did not win, where the rules score every player.
    #[schema(value_type = String, format = Binary, required = false)]
    #[serde(rename = "photo_E")]
    photo_e: Bytes,
    /// Photo of South's hand.
    #[schema(value_type = String, format = Binary, required = false)]
    #[serde(rename = "photo_S")]
    photo_s: Bytes,
    /// Photo of West's hand.
    #[schema(value_type = String, format = Binary, required = false)]
    #[serde(rename = "photo_W")]
    photo_w: Bytes,
    /// Photo of North's hand.
    #[schema(value_type = String, format = Binary, required = false)]
    #[serde(rename = "photo_N")]
    photo_n: Bytes,
    /// Typed hands of the players who did not win, as JSON.
    #[schema(required = false, max_items = 3)]
    others: Vec<OtherDto>,
    /// Win context and rule set as JSON.
    #[schema(required = false)]
    context: ContextDto,
    /// Rule sets by which to score side by side, as JSON or separated by commas.
    #[schema(required = false, example = "mcr-wmo,mcr-mil")]
    rulesets: String,
    /// Point in the hand to read, for a photo that shows several hands: pixels of the upright
    /// photo, as in `reading.hands_in_view`.
    #[schema(required = false, example = "412,300")]
    focus: String,
    /// Part of the photo that contains the hand, in pixels of the upright photo: 3 to 32 corners of
    /// a polygon, or 2 corners of a box. Tiles whose centers lie outside are ignored.
    #[schema(required = false, example = "96,310 1460,610")]
    region: String,
    /// Own set that the tiles are named with: its name, or `auto`.
    #[schema(required = false, example = "auto")]
    set: SetChoice,
    /// Level of detail of the answer; `full` when absent.
    #[schema(required = false)]
    detail: Detail,
}

/// Photo that is the whole body.
#[derive(ToSchema)]
#[schema(value_type = String, format = Binary)]
#[allow(dead_code, reason = "describes the body")]
pub(crate) struct Photo(Bytes);

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
    ) -> Result<(TableRequest<Bytes>, Detail), Failure> {
        let UploadHead { form, limits, .. } = self;
        let form = form?;
        let mut pairs = parse_pairs(request.uri())?;
        let focus = query::take_value(&mut pairs, FOCUS)?;
        let region = query::take_value(&mut pairs, REGION)?;
        let set = query::take_value(&mut pairs, SET)?;
        let detail = query::take_value(&mut pairs, DETAIL)?;
        let in_query = parse_scoring(pairs, &[FOCUS, REGION, SET, DETAIL])?;
        let max_bytes = limits.body_bytes;
        DefaultBodyLimit::max(max_bytes).apply(&mut request);
        let read = async |request| read_photos(form, request, &limits).await;
        let (table, wanted) = receive(request, &limits, max_bytes, read).await?;
        if let Some(place) = empty_photo(&table) {
            return Err(Failure::invalid(&place.photo(), &RequestFault::EmptyPhoto));
        }
        let focus = merge_values(FOCUS, table.focus, focus)?;
        let region = merge_values(REGION, table.region, region)?;
        let set = merge_values(SET, table.set, set)?;
        let detail = merge_values(DETAIL, wanted, detail)?.unwrap_or_default();
        let scoring = table.scoring.merge(in_query)?;
        Ok((TableRequest { scoring, focus, region, set, ..table }, detail))
    }
}

/// Reads the photos in the body of a request, and the level of detail that it asks for.
async fn read_photos(
    form: Form,
    request: Request,
    limits: &Limits,
) -> Result<(TableRequest<Bytes>, Option<Detail>), Failure> {
    if form == Form::Multipart {
        return from_multipart(request, limits).await;
    }
    let body = Bytes::from_request(request, &()).await;
    let body = body.map_err(|rejection| incomplete_body(&rejection, limits.body_bytes))?;
    if form == Form::Json {
        read_aside(body, from_json).await
    } else {
        Ok((with_photo(body), None))
    }
}

/// Returns the request of a photo without anything beside it.
fn with_photo(photo: Bytes) -> TableRequest<Bytes> {
    let (more, others, scoring) = (Vec::new(), Vec::new(), Scoring::default());
    TableRequest { photo, more, focus: None, region: None, set: None, others, scoring }
}

/// Returns the place of the first photo without content.
fn empty_photo(table: &TableRequest<Bytes>) -> Option<HandField> {
    let others = table.others.iter().map(|other| (other.place, other.as_photo()));
    let more = table.more.iter().enumerate();
    let more = more.map(|(at, photo)| (HandField::OfHand(at + 1), Some(photo)));
    let winner = std::iter::once((HandField::Winner, Some(&table.photo)));
    let mut photos = winner.chain(more).chain(others);
    photos.find_map(|(place, photo)| photo.filter(|photo| photo.is_empty()).map(|_| place))
}

fn from_json(body: &[u8]) -> Result<(TableRequest<Bytes>, Option<Detail>), Failure> {
    let typed: PhotoJson = read_json(body, "")?;
    check_rulesets(typed.rulesets.as_deref())?;
    let (photo, more) = typed.photo.decode()?;
    let others = others_of_list(typed.others)?;
    let scoring = Scoring { context: typed.context, rulesets: typed.rulesets };
    let PhotoJson { focus, region, set, detail, .. } = typed;
    Ok((TableRequest { photo, more, focus, region, set, others, scoring }, detail))
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
    let standard = encoded.bytes().filter(|byte| !byte.is_ascii_whitespace());
    let standard = standard.map(|byte| match byte {
        b'-' => b'+',
        b'_' => b'/',
        byte => byte,
    });
    let photo = LENIENT_BASE64.decode(standard.collect::<Vec<u8>>());
    photo.map(Bytes::from).map_err(|_| Failure::invalid(field, &RequestFault::NotBase64))
}

/// Returns the parts of a form.
pub(crate) async fn open_form(request: Request) -> Result<Multipart, Failure> {
    Multipart::from_request(request, &())
        .await
        .map_err(|_| Failure::invalid("body", &ServiceFault::NoBoundary))
}

/// Fills a request from the parts of a form. Only twelve names are known; each is accepted once,
/// the photo up to [`MAX_PHOTOS`] times. So the number of parts needs no other limit.
async fn from_multipart(
    request: Request,
    limits: &Limits,
) -> Result<(TableRequest<Bytes>, Option<Detail>), Failure> {
    let mut form = open_form(request).await?;
    let (mut photos, mut seen) = (Vec::new(), Vec::new());
    let (mut table, mut detail) = (with_photo(Bytes::new()), None);
    let mut listed = Vec::new();
    while let Some(field) = form.next_field().await.map_err(|error| form_failure(&error, limits))? {
        let name = field.name().unwrap_or_default().to_owned();
        check_part(&name, photos.len(), &seen)?;
        if name == "photo" {
            photos.push(read_photo_part(field, limits).await?);
            continue;
        }
        if let Some(seat) = seat_of(&name) {
            let photo = read_photo_part(field, limits).await?;
            table.others.push(OtherInRequest::photo(HandField::Part(seat), seat, photo));
        } else {
            let bytes = read_small_part(&name, field, ScoreRequest::MAX_BYTES, limits).await?;
            let text = String::from_utf8_lossy(&bytes);
            match name.as_str() {
                "context" => table.scoring.context = read_json(&bytes, &name)?,
                "others" => listed = others_of_list(read_value(&bytes, &name)?)?,
                FOCUS => table.focus = Some(query::parse_value(&name, &text)?),
                REGION => table.region = Some(query::parse_value(&name, &text)?),
                SET => table.set = Some(query::parse_value(&name, &text)?),
                DETAIL => detail = Some(query::parse_value(&name, &text)?),
                _ => table.scoring.rulesets = Some(query::parse_rulesets(&text)?),
            }
        }
        seen.push(name);
    }
    if photos.is_empty() {
        return Err(Failure::invalid("photo", &RequestFault::PartMissing));
    }
    table.photo = photos.remove(0);
    table.more = photos;
    table.others.extend(listed);
    Ok((table, detail))
}

/// Names of the parts that a form may have, each at most once except for the photo.
const PARTS: [&str; 12] = [
    "photo", "photo_E", "photo_S", "photo_W", "photo_N", "others", "context", RULESETS, FOCUS,
    REGION, SET, DETAIL,
];

/// Maximum length of an unknown part's name that an error repeats as a field: twice the longest
/// known name.
const MAX_NAME_LENGTH: usize = 16;

/// Returns the failure for a part of a form that has none of the known names. A part without a
/// name, or with a name that nobody typed, is a fault of the body.
pub(crate) fn unknown_part_failure(name: &str, known: &[&str]) -> Failure {
    if (1..=MAX_NAME_LENGTH).contains(&name.chars().count()) {
        return Failure::invalid(name, &UnknownName::part(name, known));
    }
    Failure::invalid("body", &UnknownName::part("…", known))
}

/// Refuses a part of an unknown name, a repeated one, and more photos than a hand may have.
fn check_part(name: &str, photos: usize, seen: &[String]) -> Result<(), Failure> {
    if name == "photo" {
        return if photos < MAX_PHOTOS { Ok(()) } else { Err(too_many_photos()) };
    }
    if !PARTS.contains(&name) {
        return Err(unknown_part_failure(name, &PARTS));
    }
    let twice = seen.iter().any(|seen| seen == name);
    if twice { Err(Failure::invalid(name, &RequestFault::GivenTwice)) } else { Ok(()) }
}

/// Returns the seat whose photo a part of this name contains.
pub(crate) fn seat_of(part: &str) -> Option<Wind> {
    let code = part.strip_prefix("photo_")?;
    Wind::ALL.into_iter().find(|seat| seat.to_string() == code)
}

/// Receives the bytes of a part.
pub(crate) async fn read_photo_part(field: Field<'_>, limits: &Limits) -> Result<Bytes, Failure> {
    field.bytes().await.map_err(|error| form_failure(&error, limits))
}

/// Receives a part other than a photo, with a limit of its own.
pub(crate) async fn read_small_part(
    name: &str,
    mut field: Field<'_>,
    max_bytes: usize,
    limits: &Limits,
) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    while let Some(chunk) = field.chunk().await.map_err(|error| form_failure(&error, limits))? {
        if bytes.len() + chunk.len() > max_bytes {
            let error =
                FieldError::from_message(name, &RequestFault::PartTooLarge { limit: max_bytes });
            return Err(Problem::with_errors(ProblemKind::TooLarge, vec![error]).into());
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}

/// Converts the error of a form that can't be read.
pub(crate) fn form_failure(error: &MultipartError, limits: &Limits) -> Failure {
    if error.status() == StatusCode::PAYLOAD_TOO_LARGE {
        return Failure::TooLarge { limit: limits.body_bytes };
    }
    Failure::invalid("body", &ServiceFault::BrokenForm)
}

#[cfg(test)]
mod tests;
