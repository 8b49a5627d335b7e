//! Schemas of objects that are not derived: win contexts, hands as a text or an object, problems.
//!
//! Input: the types of the contract. Output: components of the OpenAPI document. The schemas of the
//! codes in them are in [`codes`](super::codes).

use std::borrow::Cow;

use serde_json::json;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{
    AdditionalProperties, ArrayBuilder, ObjectBuilder, OneOfBuilder, Ref, Schema, SchemaType, Type,
};
use utoipa::{PartialSchema, ToSchema};

use super::context::ContextDto;
use super::hand::HandDto;
use super::hand_input::HandInput;
use super::hand_source::OtherPhotoDto;
use super::others::OtherDto;
use super::problem::{FieldError, Kind as _, Problem, ProblemKind, SeenInPhotoDto};
use crate::context::{ContextSetup, ContextValue, FieldDescriber, FieldEntry, Spelling};
use crate::rules::RulesetId;
use crate::tile::Wind;

/// Maximum size in bytes of a hand in notation that the schema allows. A longer text can't be a
/// hand.
const MAX_TEXT: usize = 400;

/// Fields of a context, all optional.
impl PartialSchema for ContextDto {
    fn schema() -> RefOr<Schema> {
        let mut properties = Properties(ObjectBuilder::new());
        properties.add(ContextDto::RULESET, nullable::<RulesetId>(ContextDto::RULESET_WORDS));
        ContextSetup::describe(&mut properties);
        let description = "The win context and the rule set, every field optional.";
        close_object(properties.0, description)
    }
}

impl ToSchema for ContextDto {
    fn name() -> Cow<'static, str> {
        "Context".into()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push((<RulesetId as ToSchema>::name().into(), RulesetId::schema()));
        ContextSetup::describe(&mut Components(schemas));
    }
}

/// Returns a schema that is a named one or `null`.
fn nullable<T: ToSchema>(description: &str) -> RefOr<Schema> {
    let named =
        Ref::builder().ref_location_from_schema_name(T::name()).description(Some(description));
    OneOfBuilder::new().item(named).item(ObjectBuilder::new().schema_type(Type::Null)).into()
}

/// Properties of a context.
struct Properties(ObjectBuilder);

impl Properties {
    fn add(&mut self, name: &str, schema: RefOr<Schema>) {
        self.0 = std::mem::take(&mut self.0).property(name, schema);
    }
}

impl FieldDescriber for Properties {
    fn field<T: ContextValue>(&mut self, field: &FieldEntry) {
        let schema = match T::SPELLING {
            Spelling::Flag => {
                let type_of_flag = SchemaType::from_iter([Type::Boolean, Type::Null]);
                let flag = ObjectBuilder::new().schema_type(type_of_flag);
                flag.description(Some(field.words())).into()
            }
            _ => nullable::<T>(field.words()),
        };
        self.add(field.name, schema);
    }
}

/// Named schemas that a context refers to.
struct Components<'a>(&'a mut Vec<(String, RefOr<Schema>)>);

impl FieldDescriber for Components<'_> {
    fn field<T: ContextValue>(&mut self, _: &FieldEntry) {
        if T::SPELLING != Spelling::Flag {
            self.0.push((T::name().into(), T::schema()));
            T::schemas(self.0);
        }
    }
}

impl PartialSchema for HandInput {
    fn schema() -> RefOr<Schema> {
        let text = ObjectBuilder::new()
            .schema_type(Type::String)
            .max_length(Some(MAX_TEXT))
            .description(Some("A hand in one line of notation."))
            .examples([json!("[EEE,2]123m456p789s5s5s|SE1000")]);
        let hand = Ref::from_schema_name(HandDto::name());
        let either = OneOfBuilder::new().item(text).item(hand);
        either.description(Some("A hand: one line of notation, or field by field.")).into()
    }
}

impl ToSchema for HandInput {
    fn name() -> Cow<'static, str> {
        "HandInput".into()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push((HandDto::name().into(), HandDto::schema()));
        HandDto::schemas(schemas);
    }
}

/// A typed hand of another player.
impl PartialSchema for OtherDto {
    fn schema() -> RefOr<Schema> {
        let hand =
            "The hand: of any length, for a player may have too few tiles, and a photo show fewer.";
        let object = ObjectBuilder::new()
            .property("seat", describe::<Wind>("The player's seat."))
            .property("hand", describe::<HandInput>(hand))
            .required("seat")
            .required("hand");
        close_object(object, "The hand of a player who did not win.")
    }
}

impl ToSchema for OtherDto {
    fn name() -> Cow<'static, str> {
        "Other".into()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push((Wind::name().into(), Wind::schema()));
        schemas.push((HandInput::name().into(), HandInput::schema()));
        HandInput::schemas(schemas);
    }
}

/// Name of the schema of another player's photo.
const OTHER_PHOTO: &str = "OtherPhoto";

/// The hand of another player, typed or as a photo in base64.
impl PartialSchema for OtherPhotoDto {
    fn schema() -> RefOr<Schema> {
        let typed = Ref::from_schema_name(OtherDto::name());
        let either = OneOfBuilder::new().item(typed).item(Ref::from_schema_name(OTHER_PHOTO));
        either.description(Some("The hand of another player: typed, or a photo.")).into()
    }
}

impl ToSchema for OtherPhotoDto {
    fn name() -> Cow<'static, str> {
        "OtherInRequest".into()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        let photo = ObjectBuilder::new()
            .schema_type(Type::String)
            .content_encoding("base64")
            .content_media_type("image/*")
            .description(Some("The photo in base64, plain or as a data URL."));
        let object = ObjectBuilder::new()
            .property("seat", describe::<Wind>("The player's seat."))
            .property("photo", photo)
            .required("seat")
            .required("photo");
        let closed = close_object(object, "A photo of the hand of a player who did not win.");
        schemas.push((OTHER_PHOTO.to_owned(), closed));
        schemas.push((OtherDto::name().into(), OtherDto::schema()));
        OtherDto::schemas(schemas);
    }
}

/// Returns a named schema with its own description.
fn describe<T: ToSchema>(description: &str) -> RefOr<Schema> {
    let named = Ref::builder().ref_location_from_schema_name(T::name());
    RefOr::Ref(named.description(Some(description)).build())
}

/// Returns an object that allows no other fields.
fn close_object(object: ObjectBuilder, description: &str) -> RefOr<Schema> {
    object
        .description(Some(description))
        .additional_properties(Some(AdditionalProperties::FreeForm(false)))
        .into()
}

fn describe_text(description: &str) -> ObjectBuilder {
    ObjectBuilder::new().schema_type(Type::String).description(Some(description))
}

/// Description of the field that a problem has only as an answer of the service.
const REQUEST_ID: &str = "The id of the request, as in the header `x-request-id` and in the log. \
    A problem that is part of an answer, such as that of one photo of a job, has none.";

/// Description of the field that the problem of a photo without a hand has.
const SEEN: &str = "The tiles that a photo without a hand shows; absent from other problems.";

impl PartialSchema for Problem {
    fn schema() -> RefOr<Schema> {
        let count = ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(0));
        let status =
            ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(400)).maximum(Some(599));
        let uris = ProblemKind::ALL.iter().map(|kind| kind.uri());
        let fields = ArrayBuilder::new().items(Ref::from_schema_name(FieldError::name()));
        let uri = describe_text("A name that stays the same.").enum_values(Some(uris));
        let problem = ObjectBuilder::new()
            .property("type", uri)
            .property("title", describe_text("A short summary for people."))
            .property("status", status.description(Some("The HTTP status.")))
            .property("detail", describe_text("What happened this time."))
            .property("errors", fields.description(Some("The fields that are wrong.")))
            .property("unlisted", count.description(Some("How many more fields are wrong.")))
            .property("seen", describe::<SeenInPhotoDto>(SEEN))
            .property("request_id", describe_text(REQUEST_ID))
            .description(Some("What went wrong, as RFC 9457 writes it."));
        let required = ["type", "title", "status", "detail"];
        required.into_iter().fold(problem, ObjectBuilder::required).into()
    }
}

impl ToSchema for Problem {
    fn name() -> Cow<'static, str> {
        "Problem".into()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push((FieldError::name().into(), FieldError::schema()));
        FieldError::schemas(schemas);
        schemas.push((SeenInPhotoDto::name().into(), SeenInPhotoDto::schema()));
        SeenInPhotoDto::schemas(schemas);
    }
}
