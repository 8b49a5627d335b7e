//! Description of a photo's request in a query and in a form.
//!
//! Input: the table of fields in `contract/photo_fields.rs`. Output: parameters of a query, and the
//! schema of a form whose other parts are declared here.

use std::borrow::Cow;

use axum::body::Bytes;
use serde_json::json;
use tilesight_core::contract::{
    ContextDto, OtherDto, PhotoField, PhotoFieldDescriber, PhotoFields,
};
use tilesight_vision::contract::Detail;
use utoipa::openapi::path::{Parameter, ParameterIn};
use utoipa::openapi::schema::{Object, Schema};
use utoipa::openapi::{ObjectBuilder, RefOr, Type};
use utoipa::{IntoParams, PartialSchema, ToSchema};

use super::{ContextInQuery, in_query};

/// Parameters of a query with everything that a request says about a photo.
pub(crate) struct PhotoInQuery;

impl IntoParams for PhotoInQuery {
    fn into_params(place: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        let mut parameters = Parameters(ContextInQuery::into_params(place));
        PhotoFields::describe(&mut parameters);
        parameters.0
    }
}

/// Parameters of a query so far.
struct Parameters(Vec<Parameter>);

impl PhotoFieldDescriber for Parameters {
    fn field<T: ToSchema>(&mut self, field: &PhotoField) {
        let text = ObjectBuilder::new().schema_type(Type::String).build();
        let parameter = in_query(field.name, field.words()).schema(Some(text));
        self.0.push(parameter.example(Some(json!(field.example))).build());
    }
}

/// Photo in a form.
pub(crate) struct PhotoForm;

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
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "describes the form")]
struct PhotoParts {
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
    /// Level of detail of the answer; `full` when absent.
    #[schema(required = false)]
    detail: Detail,
}
