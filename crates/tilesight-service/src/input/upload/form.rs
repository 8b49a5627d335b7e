//! Form with photos: what is read is what OpenAPI describes.
//!
//! Output: a [`TableRequest`]. The fields of `contract/photo_fields.rs` are parts too.

use std::borrow::Cow;

use axum::body::Bytes;
use serde_json::json;
use tilesight_core::contract::{
    ContextDto, HandField, OtherDto, OtherInRequest, PhotoField, PhotoFieldDescriber, PhotoFields,
    RequestFault, ScoreRequest, Scoring, read_json, read_value,
};
use tilesight_core::rules::RulesetId;
use tilesight_core::tile::Wind;
use tilesight_vision::MAX_PHOTOS;
use tilesight_vision::contract::{Detail, TableRequest, too_many_photos};
use utoipa::openapi::schema::{Object, Schema};
use utoipa::openapi::{ObjectBuilder, RefOr, Type};
use utoipa::{PartialSchema, ToSchema};

use super::{others_of_list, table_of};
use crate::answer::failure::Failure;
use crate::input::form::{MultipartForm, Part};
use crate::input::query::{DETAIL, RULESETS, parse_rulesets, parse_value};

/// Names of the parts besides those of [`PhotoFields`] and the photos of the other players.
const PHOTO: &str = "photo";
const OTHERS: &str = "others";
const CONTEXT: &str = "context";

/// Form with the photos of a table.
#[derive(Debug, Default)]
pub(crate) struct PhotoForm {
    parts: PhotoParts,
    fields: PhotoFields,
}

impl PartialSchema for PhotoForm {
    fn schema() -> RefOr<Schema> {
        let mut form = PhotoParts::schema();
        if let RefOr::T(Schema::Object(parts)) = &mut form {
            PhotoFields::describe(&mut TextParts(parts));
        }
        form
    }
}

impl ToSchema for PhotoForm {
    fn name() -> Cow<'static, str> {
        "PhotoForm".into()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        PhotoParts::schemas(schemas);
    }
}

/// Parts of a form that are texts.
struct TextParts<'a>(&'a mut Object);

impl PhotoFieldDescriber for TextParts<'_> {
    fn field<T: ToSchema>(&mut self, field: &PhotoField) {
        let text = ObjectBuilder::new()
            .schema_type(Type::String)
            .description(Some(field.words()))
            .examples([json!(field.example)]);
        self.0.properties.insert(field.name.to_owned(), text.into());
    }
}

/// Photo in a form.
#[derive(Debug, Default, ToSchema)]
#[serde(deny_unknown_fields)]
struct PhotoParts {
    /// Photos of the hand, each a part of its own: one, or up to eight of the same hand, which are
    /// read as one.
    #[schema(value_type = Vec<String>, format = Binary, min_items = 1, max_items = 8)]
    photo: Vec<Bytes>,
    /// Photo of the hand of East, who did not win, where the rules score every player.
    #[schema(value_type = String, format = Binary, required = false)]
    #[serde(rename = "photo_E")]
    photo_e: Option<Bytes>,
    /// Photo of South's hand.
    #[schema(value_type = String, format = Binary, required = false)]
    #[serde(rename = "photo_S")]
    photo_s: Option<Bytes>,
    /// Photo of West's hand.
    #[schema(value_type = String, format = Binary, required = false)]
    #[serde(rename = "photo_W")]
    photo_w: Option<Bytes>,
    /// Photo of North's hand.
    #[schema(value_type = String, format = Binary, required = false)]
    #[serde(rename = "photo_N")]
    photo_n: Option<Bytes>,
    /// Typed hands of the players who did not win, as JSON.
    #[schema(value_type = Vec<OtherDto>, required = false, max_items = 3)]
    others: Vec<OtherInRequest<Bytes>>,
    /// Win context and rule set as JSON.
    #[schema(required = false)]
    context: ContextDto,
    /// Rule sets by which to score side by side, as JSON or separated by commas.
    #[schema(value_type = String, required = false, example = "mcr-wmo,mcr-mil")]
    rulesets: Option<Vec<RulesetId>>,
    /// Level of detail of the answer; `full` when absent.
    #[schema(value_type = Detail, required = false)]
    detail: Option<Detail>,
}

impl MultipartForm for PhotoForm {
    const REPEATED: &[&str] = &[PHOTO];

    async fn read(&mut self, part: Part<'_>) -> Result<(), Failure> {
        let parts = &mut self.parts;
        let name = part.name().to_owned();
        match name.as_str() {
            PHOTO if parts.photo.len() == MAX_PHOTOS => return Err(too_many_photos().into()),
            PHOTO => parts.photo.push(part.photo().await?),
            "photo_E" => parts.photo_e = Some(part.photo().await?),
            "photo_S" => parts.photo_s = Some(part.photo().await?),
            "photo_W" => parts.photo_w = Some(part.photo().await?),
            "photo_N" => parts.photo_n = Some(part.photo().await?),
            OTHERS => {
                let list = part.bytes(ScoreRequest::MAX_BYTES).await?;
                parts.others = others_of_list(read_value(&list, OTHERS)?)?;
            }
            CONTEXT => {
                let context = part.bytes(ScoreRequest::MAX_BYTES).await?;
                parts.context = read_json(&context, CONTEXT)?;
            }
            RULESETS => {
                let list = part.text(ScoreRequest::MAX_BYTES).await?;
                parts.rulesets = Some(parse_rulesets(&list)?);
            }
            DETAIL => {
                let level = part.text(ScoreRequest::MAX_BYTES).await?;
                parts.detail = Some(parse_value(DETAIL, &level)?);
            }
            field if PhotoFields::FIELDS.iter().any(|known| known.name == field) => {
                let text = part.text(ScoreRequest::MAX_BYTES).await?;
                self.fields.set_text(field, &text)?;
            }
            _ => return Err(part.unknown(&names())),
        }
        Ok(())
    }
}

/// Returns the names of the parts, in the order in which a refusal lists them.
fn names() -> Vec<String> {
    let seats = Wind::ALL.iter().map(|&seat| HandField::Part(seat).photo());
    let fields = PhotoFields::FIELDS.iter().map(|field| field.name);
    let others = [OTHERS, CONTEXT, RULESETS].into_iter().chain(fields).chain([DETAIL]);
    let photo = std::iter::once(PHOTO.to_owned());
    photo.chain(seats).chain(others.map(str::to_owned)).collect()
}

impl PhotoForm {
    /// Returns the request, and the level of detail of its answer.
    pub(super) fn into_request(self) -> Result<(TableRequest<Bytes>, Option<Detail>), Failure> {
        let PhotoForm { parts, mut fields } = self;
        fields.scoring = Scoring { context: parts.context, rulesets: parts.rulesets };
        let photos = [
            (Wind::East, parts.photo_e),
            (Wind::South, parts.photo_s),
            (Wind::West, parts.photo_w),
            (Wind::North, parts.photo_n),
        ];
        let photographed = photos.into_iter().filter_map(|(seat, photo)| {
            Some(OtherInRequest::photo(HandField::Part(seat), seat, photo?))
        });
        let others = photographed.chain(parts.others).collect();
        let table = table_of(parts.photo, fields, others, &RequestFault::PartMissing)?;
        Ok((table, parts.detail))
    }
}
