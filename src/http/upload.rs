//! Uploads: conversion of a request in any of three forms to an [`Upload`].
//!
//! The forms are `multipart/form-data` with the parts `photo` (repeated for more photos of the same
//! hand), `context` (JSON) and `rulesets`; a raw image as the body, with the win context in the
//! query; or JSON with the photo in base64, or a list of photos. Forms and JSON may also have the
//! hands of other players. The content type determines the form; only its bytes determine the
//! format of a photo. The win context in the query applies to every form. Invariant: at most the
//! limit of bytes is held for each place that was taken, and they must arrive before the timeout.

mod others;

use axum::body::Bytes;
use axum::extract::multipart::{Field, Multipart, MultipartError};
use axum::extract::{DefaultBodyLimit, FromRequest, Request};
use axum::http::StatusCode;
use base64::Engine as _;
use base64::alphabet::STANDARD as STANDARD_ALPHABET;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use serde::Deserialize;
use utoipa::ToSchema;

use super::body::{Form, length, receive, whole};
use super::failure::Failure;
use super::fault::ServiceFault;
use super::input::{self, DETAIL, FOCUS, REGION, RULESETS, pairs_in, same, scoring_in};
use crate::config::Limits;
use tilesight_core::contract::{
    ContextDto, FieldError, FocusDto, MAX_OTHERS, Object, OtherDto, OtherInRequest, OtherPhotoDto,
    Place, Problem, ProblemKind, RegionDto, RequestFault, RulesetList, ScoreRequest, Scoring,
    UnknownName, check_rulesets, object_or_null, read_json, read_value,
};
use tilesight_core::rules::RulesetId;
use tilesight_vision::MAX_PHOTOS;
use tilesight_vision::contract::{Detail, TableRequest};

pub(super) use others::{OtherJson, of_list};

/// Photo in JSON.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PhotoJson {
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
    fn decoded(&self) -> Result<(Bytes, Vec<Bytes>), Failure> {
        let list = match self {
            EncodedPhotos::One(photo) => return Ok((decoded(&photo.0, "photo")?, Vec::new())),
            EncodedPhotos::Several(list) => list,
        };
        if list.len() > MAX_PHOTOS {
            return Err(too_many_photos());
        }
        let photos = list.iter().enumerate();
        let photos = photos.map(|(at, photo)| decoded(&photo.0, &Place::OfHand(at).photo()));
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
pub(super) struct PhotoForm {
    /// Photo of the hand; may be repeated for up to eight photos of the same hand, which are read
    /// as one.
    #[schema(value_type = String, format = Binary)]
    photo: Bytes,
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
    /// Level of detail of the answer; `full` when absent.
    #[schema(required = false)]
    detail: Detail,
}

/// Photo that is the whole body.
#[derive(ToSchema)]
#[schema(value_type = String, format = Binary)]
#[allow(dead_code, reason = "describes the body")]
pub(super) struct Photo(Bytes);

/// Photos, and the level of detail of their answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Upload {
    /// Photos and how they are scored.
    pub(super) table: TableRequest<Bytes>,
    /// Level of detail of the answer.
    pub(super) detail: Detail,
}

/// Head of a request with an upload.
#[derive(Debug)]
pub(super) struct UploadHead {
    form: Result<Form, Failure>,
    /// Factor by which the limits of one body are multiplied. A body that declares its length may
    /// bring a photo of every player, because places for all of it can be taken.
    pub(super) bodies: usize,
    /// Limits of the whole body: bytes and time.
    pub(super) limits: Limits,
}

impl UploadHead {
    /// Reads the head of a request.
    pub(super) fn from_request(request: &Request, limits: &Limits) -> UploadHead {
        let form = Form::from_headers(request.headers());
        let bodies = match form {
            Ok(Form::Multipart | Form::Json) => {
                let length = length(request.headers()).unwrap_or(0);
                length.div_ceil(limits.body_bytes.max(1)).clamp(1, MAX_OTHERS + 1)
            }
            _ => 1,
        };
        let body = limits.body.saturating_mul(u32::try_from(bodies).unwrap_or(u32::MAX));
        let body_bytes = limits.body_bytes.saturating_mul(bodies);
        UploadHead { form, bodies, limits: Limits { body_bytes, body, ..limits.clone() } }
    }

    /// Receives the upload in the body of the request, within the limits.
    pub(super) async fn receive(self, mut request: Request) -> Result<Upload, Failure> {
        let UploadHead { form, limits, .. } = self;
        let form = form?;
        let mut pairs = pairs_in(request.uri())?;
        let focus = input::take_value(&mut pairs, FOCUS)?;
        let region = input::take_value(&mut pairs, REGION)?;
        let detail = input::take_value(&mut pairs, DETAIL)?;
        let in_query = scoring_in(pairs, &[FOCUS, REGION, DETAIL])?;
        let most = limits.body_bytes;
        DefaultBodyLimit::max(most).apply(&mut request);
        let receiving = async |request| match form {
            Form::Multipart => from_multipart(request, &limits).await,
            Form::Json => from_json(&whole(request, most).await?),
            Form::Raw => {
                let (photo, scoring) = (whole(request, most).await?, Scoring::default());
                let (more, focus, region, others) = (Vec::new(), None, None, Vec::new());
                Ok((TableRequest { photo, more, focus, region, others, scoring }, None))
            }
        };
        let (table, wanted) = receive(request, &limits, most, receiving).await?;
        if let Some(place) = empty_photo(&table) {
            return Err(Failure::invalid(&place.photo(), &RequestFault::EmptyPhoto));
        }
        let focus = same(FOCUS, table.focus, focus)?;
        let region = same(REGION, table.region, region)?;
        let detail = same(DETAIL, wanted, detail)?.unwrap_or_default();
        let scoring = table.scoring.merge(in_query)?;
        Ok(Upload { table: TableRequest { scoring, focus, region, ..table }, detail })
    }
}

/// Returns the place of the first photo without content.
fn empty_photo(table: &TableRequest<Bytes>) -> Option<Place> {
    let others = table.others.iter().map(|other| (other.place, other.as_photo()));
    let more = table.more.iter().enumerate();
    let more = more.map(|(at, photo)| (Place::OfHand(at + 1), Some(photo)));
    let winner = std::iter::once((Place::Winner, Some(&table.photo)));
    let mut photos = winner.chain(more).chain(others);
    photos.find_map(|(place, photo)| photo.filter(|photo| photo.is_empty()).map(|_| place))
}

/// Content of a body: the photos, and the level of detail of the answer.
type BodyContent = (TableRequest<Bytes>, Option<Detail>);

fn from_json(body: &[u8]) -> Result<BodyContent, Failure> {
    let typed: PhotoJson = read_json(body, "")?;
    check_rulesets(typed.rulesets.as_deref())?;
    let (photo, more) = typed.photo.decoded()?;
    let others = others::of_list(typed.others)?;
    let scoring = Scoring { context: typed.context, rulesets: typed.rulesets };
    let PhotoJson { focus, region, detail, .. } = typed;
    Ok((TableRequest { photo, more, focus, region, others, scoring }, detail))
}

/// Base64 decoder that ignores padding, which many encoders omit.
const LENIENT_BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD_ALPHABET,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Returns the photo in a text of base64: in the standard or the URL-safe alphabet (RFC 4648), with
/// or without padding and line ends, or as a data URL. `field` names it in errors.
pub(super) fn decoded(text: &str, field: &str) -> Result<Bytes, Failure> {
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
pub(super) async fn parts(request: Request) -> Result<Multipart, Failure> {
    Multipart::from_request(request, &())
        .await
        .map_err(|_| Failure::invalid("body", &ServiceFault::NoBoundary))
}

/// Content of a form so far.
#[derive(Default)]
struct Parts {
    /// Photos of the winner's hand.
    of_hand: Vec<Bytes>,
    photos: Vec<OtherInRequest<Bytes>>,
    others: Option<Vec<OtherInRequest<Bytes>>>,
    context: Option<ContextDto>,
    rulesets: Option<Vec<RulesetId>>,
    focus: Option<FocusDto>,
    region: Option<RegionDto>,
    detail: Option<Detail>,
}

async fn from_multipart(request: Request, limits: &Limits) -> Result<BodyContent, Failure> {
    let mut form = parts(request).await?;
    let mut parts = Parts::default();
    // Only eleven names are known; each is accepted once, the photo up to [`MAX_PHOTOS`] times. So
    // the number of parts needs no other limit.
    while let Some(field) = form.next_field().await.map_err(|error| broken_form(&error, limits))? {
        let name = field.name().unwrap_or_default().to_owned();
        parts.check(&name)?;
        parts.take(&name, field, limits).await?;
    }
    let mut photos = parts.of_hand.into_iter();
    let photo = photos.next();
    let photo = photo.ok_or_else(|| Failure::invalid("photo", &RequestFault::PartMissing))?;
    let more = photos.collect();
    let others = parts.photos.into_iter().chain(parts.others.unwrap_or_default()).collect();
    let context = parts.context.unwrap_or_default();
    let scoring = Scoring { context, rulesets: parts.rulesets };
    let Parts { focus, region, detail, .. } = parts;
    Ok((TableRequest { photo, more, focus, region, others, scoring }, detail))
}

/// Names of the parts that a form may have, each at most once except for the photo.
const PARTS: [&str; 11] = [
    "photo", "photo_E", "photo_S", "photo_W", "photo_N", "others", "context", RULESETS, FOCUS,
    REGION, DETAIL,
];

/// Maximum length of an unknown part's name that an error repeats as a field: twice the longest
/// known name.
const LONGEST_NAME: usize = 16;

/// Returns the failure for a part of a form that has none of the known names. A part without a
/// name, or with a name that nobody typed, is a fault of the body.
pub(super) fn unknown_part(name: &str, known: &[&str]) -> Failure {
    if (1..=LONGEST_NAME).contains(&name.chars().count()) {
        return Failure::invalid(name, &UnknownName::part(name, known));
    }
    Failure::invalid("body", &UnknownName::part("…", known))
}

impl Parts {
    /// Refuses unknown names, and repeated ones.
    fn check(&self, name: &str) -> Result<(), Failure> {
        if name == "photo" {
            let is_room = self.of_hand.len() < MAX_PHOTOS;
            return if is_room { Ok(()) } else { Err(too_many_photos()) };
        }
        let twice = match (name, others::seat_of(name)) {
            ("others", _) => self.others.is_some(),
            ("context", _) => self.context.is_some(),
            (RULESETS, _) => self.rulesets.is_some(),
            (FOCUS, _) => self.focus.is_some(),
            (REGION, _) => self.region.is_some(),
            (DETAIL, _) => self.detail.is_some(),
            (_, Some(seat)) => self.photos.iter().any(|photo| photo.other.seat == seat),
            _ => {
                return Err(unknown_part(name, &PARTS));
            }
        };
        if twice { Err(Failure::invalid(name, &RequestFault::GivenTwice)) } else { Ok(()) }
    }

    async fn take(&mut self, name: &str, field: Field<'_>, limits: &Limits) -> Result<(), Failure> {
        if name == "photo" {
            self.of_hand.push(part(field, limits).await?);
        } else if let Some(seat) = others::seat_of(name) {
            self.photos.push(others::of_part(seat, part(field, limits).await?));
        } else {
            let text = small_part(name, field, ScoreRequest::MAX_BYTES, limits).await?;
            self.take_text(name, &text)?;
        }
        Ok(())
    }

    /// Takes a part other than a photo.
    fn take_text(&mut self, name: &str, bytes: &[u8]) -> Result<(), Failure> {
        let text = String::from_utf8_lossy(bytes);
        match name {
            "context" => self.context = Some(read_json(bytes, name)?),
            "others" => self.others = Some(others::of_list(read_value(bytes, name)?)?),
            FOCUS => self.focus = Some(input::value_of(name, &text)?),
            REGION => self.region = Some(input::value_of(name, &text)?),
            DETAIL => self.detail = Some(input::value_of(name, &text)?),
            _ => self.rulesets = Some(input::rulesets_in(&text)?),
        }
        Ok(())
    }
}

/// Receives the bytes of a part.
pub(super) async fn part(field: Field<'_>, limits: &Limits) -> Result<Bytes, Failure> {
    field.bytes().await.map_err(|error| broken_form(&error, limits))
}

/// Receives a part other than a photo, with a limit of its own.
pub(super) async fn small_part(
    name: &str,
    mut field: Field<'_>,
    most: usize,
    limits: &Limits,
) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    while let Some(chunk) = field.chunk().await.map_err(|error| broken_form(&error, limits))? {
        if bytes.len() + chunk.len() > most {
            let error = FieldError::from_message(name, &RequestFault::PartTooLarge { limit: most });
            return Err(Problem::with_errors(ProblemKind::TooLarge, vec![error]).into());
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}

/// Converts the error of a form that can't be read.
pub(super) fn broken_form(error: &MultipartError, limits: &Limits) -> Failure {
    if error.status() == StatusCode::PAYLOAD_TOO_LARGE {
        return Failure::TooLarge { limit: limits.body_bytes };
    }
    Failure::invalid("body", &ServiceFault::BrokenForm)
}

#[cfg(test)]
mod tests {
    use axum::body::Body;
    use axum::http::header::{CONTENT_ENCODING, CONTENT_TYPE};
    use base64::Engine as _;
    use base64::engine::general_purpose::{STANDARD as BASE64, URL_SAFE_NO_PAD};
    use tilesight_core::tile::Wind;
    use tower::{Layer as _, ServiceExt as _, service_fn};

    use super::*;
    use crate::http::testing::limits;

    #[test]
    fn what_is_no_photo_is_refused_in_all_languages() {
        let error = serde_json::from_str::<EncodedPhotos>("7").expect_err("a number");
        assert_eq!(error.to_string(), RequestFault::NotPhotos.to_string());
    }

    const PHOTO: &[u8] = b"\xff\xd8 not looked at here";
    const FORM: &str = "multipart/form-data; boundary=edge";

    /// Returns the result of [`UploadHead::receive`] for a request, with the limit on bodies that
    /// the service sets.
    async fn receive(
        content_type: &str,
        uri: &str,
        body: impl Into<Body>,
    ) -> Result<TableRequest<Bytes>, Failure> {
        receive_upload(content_type, uri, body).await.map(|upload| upload.table)
    }

    /// Like [`receive`], with the level of detail of the answer.
    async fn receive_upload(
        content_type: &str,
        uri: &str,
        body: impl Into<Body>,
    ) -> Result<Upload, Failure> {
        let receiving = service_fn(async |request| {
            let head = UploadHead::from_request(&request, &limits());
            Ok::<_, std::convert::Infallible>(head.receive(request).await)
        });
        let request =
            Request::post(uri).header(CONTENT_TYPE, content_type).body(body.into()).unwrap();
        let layered = DefaultBodyLimit::max(limits().body_bytes).layer(receiving);
        layered.oneshot(request).await.unwrap()
    }

    /// Returns a form of parts with their names and contents.
    fn form(parts: &[(&str, &[u8])]) -> Vec<u8> {
        let mut body = Vec::new();
        for (name, content) in parts {
            let head = format!(
                "--edge\r\nContent-Disposition: form-data; name=\"{name}\"; filename=\"x\"\r\n\r\n"
            );
            body.extend(head.as_bytes());
            body.extend(*content);
            body.extend(b"\r\n");
        }
        body.extend(b"--edge--\r\n");
        body
    }

    fn problem_field(failure: &Failure) -> &str {
        match failure {
            Failure::Problem(problem) => &problem.errors[0].field,
            other => panic!("{other:?}"),
        }
    }

    #[tokio::test]
    async fn all_forms_carry_the_same() {
        let json =
            format!(r#"{{ "photo": "{}", "context": {{ "seat": "W" }} }}"#, BASE64.encode(PHOTO));
        let url = format!(
            r#"{{ "photo": "data:image/jpeg;base64,{}", "context": {{ "seat": "W" }} }}"#,
            BASE64.encode(PHOTO)
        );
        let uploads = [
            receive("image/jpeg", "/?seat=W", PHOTO).await,
            receive("application/octet-stream", "/?seat=W", PHOTO).await,
            receive("IMAGE/PNG; x=y", "/?seat=W", PHOTO).await,
            receive("application/json; charset=utf-8", "/", json).await,
            receive("application/json", "/", url).await,
            receive(FORM, "/", form(&[("photo", PHOTO), ("context", br#"{ "seat": "W" }"#)])).await,
            receive(FORM, "/", form(&[("context", br#"{ "seat": "W" }"#), ("photo", PHOTO)])).await,
        ];
        for (place, upload) in uploads.into_iter().enumerate() {
            let upload = upload.unwrap_or_else(|failure| panic!("form {place}: {failure:?}"));
            assert_eq!(
                (&upload.photo[..], upload.scoring.context.setup.seat),
                (PHOTO, Some(Wind::West)),
                "form {place}"
            );
        }
        let alone = receive(FORM, "/", form(&[("photo", PHOTO)])).await.unwrap();
        assert_eq!(alone.scoring, Scoring::default());
    }

    #[tokio::test]
    async fn several_photos_come_in_forms_and_in_json() {
        let second: &[u8] = b"\xff\xd8 another one";
        let json = |photos: &[&[u8]]| {
            let photos: Vec<String> = photos.iter().map(|photo| BASE64.encode(photo)).collect();
            serde_json::json!({ "photo": photos }).to_string()
        };
        let uploads = [
            receive("application/json", "/", json(&[PHOTO, second])).await,
            receive(FORM, "/", form(&[("photo", PHOTO), ("photo", second)])).await,
        ];
        for upload in uploads {
            let upload = upload.unwrap_or_else(|failure| panic!("{failure:?}"));
            assert_eq!((&upload.photo[..], upload.more), (PHOTO, vec![Bytes::from(second)]));
        }
        let alone = receive("application/json", "/", json(&[PHOTO])).await.unwrap();
        assert!(alone.more.is_empty());
        for (body, field) in [
            (json(&[PHOTO; 9]), "photo"),
            (json(&[]), "photo"),
            (json(&[PHOTO, b""]), "photo[1]"),
            (r#"{ "photo": ["/9g=", "?"] }"#.to_owned(), "photo[1]"),
            (r#"{ "photo": ["/9g=", 7] }"#.to_owned(), "photo"),
            (r#"{ "photo": 7 }"#.to_owned(), "photo"),
        ] {
            let failure = receive("application/json", "/", body).await.unwrap_err();
            assert_eq!(problem_field(&failure), field);
        }
    }

    #[tokio::test]
    async fn a_point_comes_in_every_form() {
        let json =
            |focus: &str| format!(r#"{{ "photo": "{}", "focus": {focus} }}"#, BASE64.encode(PHOTO));
        let in_form = || form(&[("photo", PHOTO), ("focus", b"412,300")]);
        let uploads = [
            receive("image/jpeg", "/?focus=412,300", PHOTO).await,
            receive("image/jpeg", "/?focus=412%2C300", PHOTO).await,
            receive("application/json", "/", json(r#"{ "x": 412, "y": 300 }"#)).await,
            receive("application/json", "/", json("\"412,300\"")).await,
            receive(FORM, "/", in_form()).await,
            receive(FORM, "/?focus=412,300", in_form()).await,
        ];
        for (place, upload) in uploads.into_iter().enumerate() {
            let upload = upload.unwrap_or_else(|failure| panic!("form {place}: {failure:?}"));
            assert_eq!(upload.focus, Some(FocusDto { x: 412, y: 300 }), "form {place}");
        }
        assert_eq!(receive(FORM, "/", form(&[("photo", PHOTO)])).await.unwrap().focus, None);
        for (uri, body) in [
            ("/?focus=1,1", in_form()),
            ("/?focus=here", form(&[("photo", PHOTO)])),
            ("/?focus=1,1&focus=1,1", form(&[("photo", PHOTO)])),
        ] {
            let failure = receive(FORM, uri, body).await.expect_err(uri);
            assert_eq!(problem_field(&failure), "focus", "{uri}");
        }
    }

    #[tokio::test]
    async fn the_detail_of_the_answer_comes_in_every_form() {
        let json = |detail: &str| {
            format!(r#"{{ "photo": "{}", "detail": {detail} }}"#, BASE64.encode(PHOTO))
        };
        let in_form = || form(&[("photo", PHOTO), ("detail", b"compact")]);
        let plain = form(&[("photo", PHOTO)]);
        for (upload, expected) in [
            (receive_upload("image/jpeg", "/?detail=compact", PHOTO).await, Detail::Compact),
            (receive_upload("image/jpeg", "/?detail=full", PHOTO).await, Detail::Full),
            (receive_upload("image/jpeg", "/", PHOTO).await, Detail::Full),
            (receive_upload("application/json", "/", json("\"compact\"")).await, Detail::Compact),
            (receive_upload("application/json", "/", json("null")).await, Detail::Full),
            (receive_upload(FORM, "/", in_form()).await, Detail::Compact),
            (receive_upload(FORM, "/?detail=compact", in_form()).await, Detail::Compact),
            (receive_upload(FORM, "/?detail=compact", plain.clone()).await, Detail::Compact),
        ] {
            assert_eq!(upload.map(|upload| upload.detail), Ok(expected));
        }
        for (content_type, uri, body) in [
            (FORM, "/?detail=full", in_form()),
            (FORM, "/?detail=short", plain.clone()),
            (FORM, "/?detail=full&detail=full", plain),
            (FORM, "/", form(&[("photo", PHOTO), ("detail", b"all")])),
            ("application/json", "/", json("\"all\"").into_bytes()),
        ] {
            let failure = receive_upload(content_type, uri, body).await.expect_err(uri);
            assert_eq!(problem_field(&failure), "detail", "{uri}");
        }
    }

    #[tokio::test]
    async fn what_is_wrong_is_named() {
        let context = |json: &'static [u8]| form(&[("photo", PHOTO), ("context", json)]);
        let cases = [
            ("no photo", FORM, form(&[("context", b"{}")]), "photo"),
            ("an empty photo", FORM, form(&[("photo", b"")]), "photo"),
            ("nine photos", FORM, form(&[("photo", PHOTO); 9]), "photo"),
            ("an empty second photo", FORM, form(&[("photo", PHOTO), ("photo", b"")]), "photo[1]"),
            (
                "no such rule set",
                FORM,
                form(&[("photo", PHOTO), ("rulesets", b"X")]),
                "rulesets[0]",
            ),
            ("two contexts", FORM, form(&[("context", b"{}"), ("context", b"{}")]), "context"),
            ("another part", FORM, form(&[("photo", PHOTO), ("file", PHOTO)]), "file"),
            ("a part without a name", FORM, form(&[("photo", PHOTO), ("", PHOTO)]), "body"),
            ("no boundary", "multipart/form-data", form(&[("photo", PHOTO)]), "body"),
            ("a form cut off", FORM, form(&[("photo", PHOTO)])[..90].to_vec(), "body"),
            ("no point", FORM, form(&[("photo", PHOTO), ("focus", b"left")]), "focus"),
            ("two points", FORM, form(&[("focus", b"1,2"), ("focus", b"1,2")]), "focus"),
            ("no region", FORM, form(&[("photo", PHOTO), ("region", b"1,2")]), "region"),
            (
                "two regions",
                FORM,
                form(&[("region", b"1,2 3,4"), ("region", b"1,2 3,4")]),
                "region",
            ),
            ("half a context", FORM, context(b"{"), "context"),
            ("a context of another shape", FORM, context(b"[1]"), "context"),
            ("a context in a list", FORM, context(b"[\"mcr-wmo\"]"), "context"),
            ("a context too large", FORM, context(&[b' '; 70_000]), "context"),
            ("a misspelt field", FORM, context(br#"{ "sheat": "E" }"#), "context.sheat"),
            ("an unknown wind", FORM, context(br#"{ "seat": "Q" }"#), "context.seat"),
            ("no base64", "application/json", br#"{ "photo": "***" }"#.to_vec(), "photo"),
            (
                "a photo of another shape",
                "application/json",
                br#"{ "photo": 7 }"#.to_vec(),
                "photo",
            ),
            ("no body", "image/png", Vec::new(), "photo"),
        ];
        for (name, content_type, body, field) in cases {
            let failure = receive(content_type, "/", body).await.expect_err(name);
            assert_eq!(problem_field(&failure), field, "{name}: {failure:?}");
        }
    }

    #[tokio::test]
    async fn forms_are_bounded() {
        let many: Vec<_> = (0..1000).map(|_| ("context", &b"{}"[..])).collect();
        let long = "x".repeat(50_000);
        let head = format!("--edge\r\nContent-Disposition: form-data; name=\"{long}");
        let cases = [
            ("a thousand parts", form(&many), "context"),
            ("a name of 50 KB", form(&[(&long, PHOTO)]), "body"),
            ("a head that never ends", head.into_bytes(), "body"),
            ("no parts", b"--edge--\r\n".to_vec(), "photo"),
            ("only a boundary", b"--edge".to_vec(), "body"),
            ("a part without a name", b"--edge\r\n\r\nx\r\n--edge--\r\n".to_vec(), "body"),
        ];
        for (name, body, field) in cases {
            let failure = receive(FORM, "/", body).await.expect_err(name);
            assert_eq!(problem_field(&failure), field, "{name}: {failure:?}");
            assert!(!format!("{failure:?}").contains("xxxx"), "{name} is not repeated");
        }
        let large = form(&[("photo", &vec![0; limits().body_bytes])]);
        let failure = receive(FORM, "/", large).await.expect_err("too large");
        assert!(matches!(failure, Failure::TooLarge { .. }), "{failure:?}");
    }

    #[tokio::test]
    async fn the_query_counts_in_every_form() {
        let json = |context: &str| {
            let photo = BASE64.encode(PHOTO);
            format!(r#"{{ "photo": "{photo}", "context": {context} }}"#).into_bytes()
        };
        let part = |context: &[u8]| form(&[("photo", PHOTO), ("context", context)]);
        for (content_type, alone, same, other) in [
            ("application/json", json("null"), json(r#"{"seat":"W"}"#), json(r#"{"seat":"N"}"#)),
            (FORM, form(&[("photo", PHOTO)]), part(br#"{"seat":"W"}"#), part(br#"{"seat":"N"}"#)),
        ] {
            for body in [alone.clone(), same] {
                let upload = receive(content_type, "/?seat=W", body).await.expect(content_type);
                assert_eq!(upload.scoring.context.setup.seat, Some(Wind::West), "{content_type}");
            }
            let failure = receive(content_type, "/?seat=W", other).await.expect_err(content_type);
            assert_eq!(problem_field(&failure), "context.seat", "{content_type}");
            let failure = receive(content_type, "/?sheat=W", alone).await.expect_err(content_type);
            assert_eq!(problem_field(&failure), "context.sheat", "{content_type}");
        }
    }

    #[tokio::test]
    async fn an_encoded_body_is_refused() {
        for (codings, taken) in
            [(&["identity"][..], true), (&["gzip"], false), (&["identity", "br"], false)]
        {
            let mut request = Request::post("/").header(CONTENT_TYPE, "image/jpeg");
            for coding in codings {
                request = request.header(CONTENT_ENCODING, *coding);
            }
            let request = request.body(Body::from(PHOTO)).unwrap();
            let upload = UploadHead::from_request(&request, &limits()).receive(request).await;
            assert_eq!(upload.err(), (!taken).then_some(Failure::EncodedBody), "{codings:?}");
        }
    }

    #[tokio::test]
    async fn other_types_are_refused() {
        for other in ["text/plain", "", "multipart/mixed; boundary=edge", "video/mp4", "imagejpeg"]
        {
            let failure = receive(other, "/", PHOTO).await.expect_err(other);
            assert!(matches!(failure, Failure::UnsupportedBody { .. }), "{other}: {failure:?}");
        }
    }

    #[tokio::test]
    async fn no_form_may_be_too_large() {
        let huge = vec![b'A'; limits().body_bytes + 1];
        let json = [br#"{ "photo": ""#.as_slice(), &huge, b"\" }"].concat();
        for (content_type, body) in [
            ("image/png", huge.clone()),
            (FORM, form(&[("photo", &huge)])),
            ("application/json", json),
        ] {
            let failure = receive(content_type, "/", body).await.expect_err(content_type);
            assert_eq!(failure, Failure::TooLarge { limit: limits().body_bytes }, "{content_type}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_body_that_never_comes_is_given_up() {
        struct Never;
        impl axum::body::HttpBody for Never {
            type Data = Bytes;
            type Error = std::convert::Infallible;

            fn poll_frame(
                self: std::pin::Pin<&mut Self>,
                _: &mut std::task::Context<'_>,
            ) -> std::task::Poll<Option<Result<hyper::body::Frame<Bytes>, Self::Error>>>
            {
                std::task::Poll::Pending
            }
        }
        for content_type in ["image/png", FORM, "application/json"] {
            let failure =
                receive(content_type, "/", Body::new(Never)).await.expect_err(content_type);
            assert_eq!(failure, Failure::SlowBody, "{content_type}");
        }
    }

    #[test]
    fn base64_comes_in_every_form() {
        let bytes: Vec<u8> = (0..=255).cycle().take(1000).collect();
        let standard = BASE64.encode(&bytes);
        let lines: Vec<&str> =
            standard.as_bytes().chunks(76).map(|line| std::str::from_utf8(line).unwrap()).collect();
        let forms = [
            standard.clone(),
            lines.join("\r\n"),
            format!("{}\n", lines.join("\n")),
            URL_SAFE_NO_PAD.encode(&bytes),
            standard.trim_end_matches('=').to_owned(),
            format!("data:image/jpeg;base64,{standard}"),
        ];
        for form in forms {
            assert_eq!(decoded(&form, "photo").unwrap(), bytes, "{form}");
        }
        for wrong in ["%%%", "AAAAA", "AB=C"] {
            let Err(Failure::Problem(problem)) = decoded(wrong, "photo") else { panic!("{wrong}") };
            assert_eq!(problem.errors[0].field, "photo");
            assert!(!problem.errors[0].detail.contains("offset"), "{}", problem.errors[0].detail);
        }
    }
}
