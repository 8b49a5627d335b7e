//! Description of a photo's request in a query.
//!
//! Input: the table of fields in `contract/photo_fields.rs`. Output: parameters of a query.

use serde_json::json;
use tilesight_core::contract::{PhotoField, PhotoFieldDescriber, PhotoFields};
use utoipa::openapi::path::{Parameter, ParameterIn};
use utoipa::openapi::{ObjectBuilder, Type};
use utoipa::{IntoParams, ToSchema};

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
