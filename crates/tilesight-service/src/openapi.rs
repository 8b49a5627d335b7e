//! OpenAPI document, assembled from the handlers and the types of the contract.
//!
//! Output: the document as JSON at `/openapi.json`. No route can be served without a description:
//! both come from one line of [`router`](crate::router). Invariant: the document has every
//! status that an endpoint can return, each error as `application/problem+json`; only the refusals
//! of an incomplete request (414, 431) have no body.

mod open_names;
mod photo;
mod refusals;
mod requests;
pub(crate) mod samples;
mod sets;

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use axum::Extension;
use axum::body::Bytes;
use axum::http::HeaderValue;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::IntoResponse;
use serde_json::{Map, Value};
use tilesight_core::context::{ContextSetup, ContextValue, FieldDescriber, FieldEntry, Spelling};
use tilesight_core::contract::{ContextDto, Kind as _, Problem, RulesetList};
use tilesight_core::rules::{Book, RulesetId};
use utoipa::openapi::path::{Operation, Parameter, ParameterBuilder, ParameterIn, ParameterStyle};
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme};
use utoipa::openapi::{
    Components, ContentBuilder, HeaderBuilder, ObjectBuilder, OpenApi as Document, Ref, RefOr,
    Required, Response, ResponseBuilder, Type,
};
use utoipa::{IntoParams, IntoResponses, Modify, OpenApi, PartialSchema, ToSchema};

pub(crate) use self::photo::PhotoInQuery;
use self::sets::KeyRefusals;
pub(crate) use self::sets::{
    BodyRefusals, FeedbackDeletionRefusals, FeedbackRefusals, GameChangeRefusals,
    GameCreationRefusals, GameListRefusals, GameRefusals, JobCreationRefusals, JobListRefusals,
    JobPhotoRefusals, JobRefusals, LinkChangeRefusals, LinkRefusals, LinkStreamRefusals, NoRoom,
    NoSuchRound, OwnSetRefusals, PictureRefusals, QueryRefusals, RulesetRefusals,
    SeriesChangeRefusals, SeriesCreationRefusals, SeriesLinkRefusals, SeriesListRefusals,
    SeriesRefusals, Unavailable,
};
use crate::answer::problem::ServiceProblemKind;

const DESCRIPTION: &str = "Reads a photo of a winning mahjong hand and scores it. Nothing that is sent \
    is kept, except what is given as feedback, as a job, into a game or a series. Fields may be added to answers; those there are keep their \
    names and meaning. A field that is not listed is refused in what is sent. A method that a path does not have \
    is answered with 405, a problem whose `Allow` header lists those that it has.";

/// Parts of the document beside its paths.
#[derive(OpenApi)]
#[openapi(
    info(title = "Tilesight", description = DESCRIPTION, license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0")),
    servers((url = "/", description = "This service")),
    components(schemas(Problem)),
    modifiers(&KeyScheme),
    tags(
        (name = "hands", description = "Photos and typed hands in, readings and scores out."),
        (name = "rules", description = "What hands can be scored by."),
        (name = "jobs", description = "Many photos at once, read in the background. What is kept of them has a stated lifetime."),
        (name = "games", description = "An evening: players, deals, a score sheet that several phones write at."),
        (name = "series", description = "A league or a tournament: players, rounds, seating, standings and records."),
        (name = "feedback", description = "Corrections, given to teach the models."),
        (name = "operation", description = "For the operator of the service."),
    ),
)]
pub(crate) struct ServiceApi;

/// Modifier that adds the security scheme of the keys.
struct KeyScheme;

const KEY: &str = "key";

impl Modify for KeyScheme {
    fn modify(&self, document: &mut Document) {
        let scheme = HttpBuilder::new()
            .scheme(HttpAuthScheme::Bearer)
            .description(Some("Only where the service was started with keys."))
            .build();
        let components = document.components.get_or_insert_with(Components::new);
        components.add_security_scheme(KEY, SecurityScheme::Http(scheme));
    }
}

/// Completes the document once it has all routes.
pub(crate) fn complete(mut document: Document, book: &Book) -> Value {
    for (path, item) in &mut document.paths.paths {
        let health = matches!(path.as_str(), "/livez" | "/readyz");
        let open = health
            || path.starts_with("/v1/shared-games/")
            || path.starts_with("/v1/shared-series/");
        let operations = [&mut item.get, &mut item.post, &mut item.put, &mut item.delete];
        for operation in operations.into_iter().flatten() {
            refusals::add(operation, health, open);
            finish(operation, open);
            refusals::add_bare(operation);
        }
    }
    let mut json = serde_json::to_value(document).expect("no map keys but texts");
    without_defaults(&mut json);
    with_own_kinds(&mut json);
    with_overlap(&mut json);
    with_named_variants(&mut json);
    samples::add(&mut json);
    requests::add(&mut json);
    if *book != Book::shipped() {
        with_installed(&mut json, book);
    }
    open_names::open(&mut json);
    json
}

/// Returns the JSON pointer to a place in the document.
fn pointer(names: &[&str]) -> String {
    let names = names.iter().map(|name| name.replace('~', "~0").replace('/', "~1"));
    names.map(|name| format!("/{name}")).collect()
}

/// Gives each variant of a tagged union a schema of its own, such as `PlayWin`. Generators drop a
/// union with inline variants, and every endpoint that uses it.
fn with_named_variants(document: &mut Value) {
    let Some(Value::Object(schemas)) = document.pointer_mut("/components/schemas") else { return };
    let mut named = Vec::new();
    for (name, schema) in schemas.iter_mut() {
        let variants = schema.get_mut("oneOf").and_then(Value::as_array_mut);
        for variant in variants.into_iter().flatten() {
            let Some(kind) = kind_of(variant) else { continue };
            // The service refuses unknown fields.
            if let Some(variant) = variant.as_object_mut().filter(|one| !one.contains_key("allOf"))
            {
                variant.entry("additionalProperties").or_insert(Value::Bool(false));
            }
            let own = format!("{name}{}", pascal_case(&kind));
            let reference = serde_json::json!({ "$ref": format!("#/components/schemas/{own}") });
            named.push((own, std::mem::replace(variant, reference)));
        }
    }
    named.iter_mut().for_each(|(_, variant)| join_parts(variant, schemas));
    schemas.extend(named);
}

/// Merges the parts of a composed variant into one object. A part that allows no other fields would
/// refuse the tag beside it.
fn join_parts(variant: &mut Value, schemas: &Map<String, Value>) {
    let Some(variant) = variant.as_object_mut() else { return };
    let Some(Value::Array(parts)) = variant.remove("allOf") else { return };
    let mut properties = Map::new();
    let mut required = Vec::new();
    for part in &parts {
        let name = part.get("$ref").and_then(|reference| reference.as_str()?.rsplit('/').next());
        let part = name.and_then(|name| schemas.get(name)).unwrap_or(part);
        properties.extend(part["properties"].as_object().cloned().unwrap_or_default());
        required.extend(part["required"].as_array().cloned().unwrap_or_default());
    }
    variant.insert("type".to_owned(), "object".into());
    variant.insert("properties".to_owned(), properties.into());
    variant.insert("required".to_owned(), required.into());
    variant.insert("additionalProperties".to_owned(), Value::Bool(false));
}

/// Returns the tag of an inline variant: the only value of its field `kind`.
fn kind_of(variant: &Value) -> Option<String> {
    let parts = variant.get("allOf").and_then(Value::as_array).into_iter().flatten();
    let mut tags =
        parts.chain([variant]).filter_map(|part| part.pointer("/properties/kind/enum/0")?.as_str());
    tags.next().map(str::to_owned)
}

fn pascal_case(snake_case: &str) -> String {
    let words = snake_case.split('_').map(|word| {
        let (first, rest) = word.split_at_checked(1).unwrap_or((word, ""));
        first.to_ascii_uppercase() + rest
    });
    words.collect()
}

/// Adds the installed rule sets: the schemas of the contract have only the shipped ones.
fn with_installed(document: &mut Value, book: &Book) {
    let ids: Vec<RulesetId> = book.ids().collect();
    if let Some(names) = document.pointer_mut("/components/schemas/RulesetId/enum") {
        *names = serde_json::json!(ids);
    }
    let one = serde_json::json!({ "$ref": "#/components/schemas/RulesetId" });
    with_room(document, &one, ids.len());
}

/// Sets the maximum length of every list of such items to `max`.
fn with_room(part: &mut Value, items: &Value, max: usize) {
    match part {
        Value::Object(fields) => {
            if fields.get("items") == Some(items) && fields.contains_key("maxItems") {
                fields.insert("maxItems".to_owned(), max.into());
            }
            fields.values_mut().for_each(|field| with_room(field, items, max));
        }
        Value::Array(all) => all.iter_mut().for_each(|one| with_room(one, items, max)),
        _ => {}
    }
}

/// Places in the document with answers whose full and compact forms can be equal.
const ALIKE: [&str; 3] = [
    "/paths/~1v1~1readings~1answers/post/responses/200/content/application~1json/schema",
    "/paths/~1v1~1games~1{id}~1hands/post/responses/200/content/application~1json/schema",
    "/paths/~1v1~1games~1{id}~1hands/post/responses/201/content/application~1json/schema",
];

/// Replaces `oneOf` with `anyOf` where schemas overlap: a full reading without a score and without
/// open doubts is also a valid compact one, and so is an answer without a reading.
fn with_overlap(document: &mut Value) {
    for place in ALIKE {
        if let Some(Value::Object(schema)) = document.pointer_mut(place)
            && let Some(either) = schema.remove("oneOf")
        {
            schema.insert("anyOf".to_owned(), either);
        }
    }
}

/// Lists all kinds of problems: the contract describes only its own, and the service has more.
fn with_own_kinds(document: &mut Value) {
    let uris = ServiceProblemKind::ALL.iter().map(|kind| kind.facts().uri).collect();
    if let Some(kinds) = document.pointer_mut("/components/schemas/Problem/properties/type/enum") {
        *kinds = uris;
    }
}

/// Removes the defaults of fields. `required` already says which fields are optional, and
/// generators of clients make a field with a default mandatory.
fn without_defaults(document: &mut Value) {
    let Some(Value::Object(schemas)) = document.pointer_mut("/components/schemas") else { return };
    for schema in schemas.values_mut() {
        let Some(Value::Object(fields)) = schema.get_mut("properties") else { continue };
        for field in fields.values_mut().filter_map(Value::as_object_mut) {
            field.remove("default");
        }
    }
}

/// Adds the security requirement and the common headers. Keys are optional: a service without keys
/// requires none.
fn finish(operation: &mut Operation, open: bool) {
    let key = SecurityRequirement::new::<_, [&str; 0], &str>(KEY, []);
    operation.security =
        Some(if open { Vec::new() } else { vec![SecurityRequirement::default(), key] });
    if !open {
        add(operation, KeyRefusals::responses());
    }
    for response in operation.responses.responses.values_mut() {
        if let RefOr::T(response) = response {
            add_header(response, "x-request-id", "The request's id, as in the log.");
            if !open {
                add_header(
                    response,
                    "ratelimit",
                    "With a key: `\"key\";r=`, the requests that are left, and `;t=`, the seconds until all of them are there again.",
                );
                add_header(
                    response,
                    "ratelimit-policy",
                    "With a key: `\"key\";q=`, the requests that it may send in `;w=` seconds.",
                );
            }
        }
    }
}

fn add_header(response: &mut Response, name: &str, description: &str) {
    let header = HeaderBuilder::new().description(Some(description)).build();
    response.headers.insert(name.to_owned(), header.into());
}

fn add(operation: &mut Operation, more: BTreeMap<String, RefOr<Response>>) {
    operation.responses.responses.extend(more);
}

/// Returns a response that is a problem.
fn problem(description: &str) -> ResponseBuilder {
    let content = ContentBuilder::new().schema(Some(Ref::from_schema_name(Problem::name())));
    ResponseBuilder::new()
        .description(description)
        .content("application/problem+json", content.build())
}

/// Returns a response that is a temporary problem.
fn later(description: &str) -> ResponseBuilder {
    let seconds = ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(1));
    let header = HeaderBuilder::new().schema(Some(seconds)).description(Some("Seconds to wait."));
    problem(description).header("Retry-After", header.build())
}

fn all<const N: usize>(
    responses: [(u16, ResponseBuilder); N],
) -> BTreeMap<String, RefOr<Response>> {
    responses.into_iter().map(|(status, one)| (status.to_string(), one.build().into())).collect()
}

/// Parameters of a query with the win context, `ruleset` and `rulesets`.
pub(crate) struct ContextInQuery;

impl IntoParams for ContextInQuery {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        let id = Ref::from_schema_name(<RulesetId as ToSchema>::name());
        let ruleset = in_query(ContextDto::RULESET, ContextDto::RULESET_WORDS).schema(Some(id));
        let mut parameters = Parameters(vec![ruleset.build()]);
        ContextSetup::describe(&mut parameters);
        let rulesets =
            in_query("rulesets", "Rule sets to score by side by side, with commas between them.");
        parameters.0.push(list(rulesets.schema(Some(RulesetList::schema()))).build());
        parameters.0
    }
}

/// Parameters of a query so far.
struct Parameters(Vec<Parameter>);

impl FieldDescriber for Parameters {
    fn field<T: ContextValue>(&mut self, field: &FieldEntry) {
        let parameter = in_query(field.name, field.words());
        self.0.push(match T::SPELLING {
            Spelling::OneOf(_) => parameter.schema(Some(Ref::from_schema_name(T::name()))).build(),
            Spelling::Flag | Spelling::Text | Spelling::Number { .. } => {
                parameter.schema(Some(T::schema())).build()
            }
            Spelling::SomeOf(_) | Spelling::Tiles => {
                list(parameter.schema(Some(T::schema()))).build()
            }
        });
    }
}

/// Returns an optional parameter of a query.
fn in_query(name: &str, description: &str) -> ParameterBuilder {
    let parameter = ParameterBuilder::new().name(name).parameter_in(ParameterIn::Query);
    parameter.description(Some(description)).required(Required::False)
}

/// Makes a parameter a list with commas between its values.
fn list(parameter: ParameterBuilder) -> ParameterBuilder {
    parameter.style(Some(ParameterStyle::Form)).explode(Some(false))
}

/// Returns this document.
#[utoipa::path(get, path = "/openapi.json", tag = "operation", operation_id = "describe",
    responses((status = 200, description = "This document.", body = Value)))]
pub(crate) async fn json(Extension(document): Extension<CachedDocument>) -> impl IntoResponse {
    let headers = [
        (CONTENT_TYPE, HeaderValue::from_static("application/json")),
        (CACHE_CONTROL, HeaderValue::from_static("no-cache")),
    ];
    (headers, document.text())
}

/// Document as it is served. It is written once, on the first request for it.
#[derive(Debug, Clone)]
pub(crate) struct CachedDocument {
    write: fn(&Book) -> Value,
    book: Arc<Book>,
    text: Arc<OnceLock<Bytes>>,
}

impl CachedDocument {
    /// Returns a document that `write` creates for these rule sets.
    pub(crate) fn new(write: fn(&Book) -> Value, book: Arc<Book>) -> CachedDocument {
        CachedDocument { write, book, text: Arc::default() }
    }

    fn text(&self) -> Bytes {
        self.text.get_or_init(|| (self.write)(&self.book).to_string().into()).clone()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;

    use serde_json::Value;
    use tilesight_core::contract::ContextDto;

    use crate::testing::DOCUMENT;

    const SNAPSHOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/openapi.json");

    /// Clients are generated from the document, so a review should show every change of it.
    #[test]
    fn the_document_is_the_one_that_was_looked_at() {
        let mut now = DOCUMENT.clone();
        now["info"]["version"] = "any".into();
        let now = serde_json::to_string_pretty(&now).expect("JSON") + "\n";
        if std::env::var_os("UPDATE").is_some() {
            fs::write(SNAPSHOT, &now).expect("the snapshot can be written");
        }
        let before = fs::read_to_string(SNAPSHOT).unwrap_or_default();
        assert!(now == before, "the document changed: look at it with UPDATE=1 and git diff");
    }

    #[test]
    fn the_query_has_the_fields_of_the_context() {
        let context = serde_json::to_value(ContextDto::default()).expect("JSON");
        let mut fields: BTreeSet<_> =
            context.as_object().expect("an object").keys().cloned().collect();
        fields.insert("rulesets".to_owned());
        for path in ["/v1/hands", "/v1/score", "/v1/readings/answers"] {
            let parameters = DOCUMENT["paths"][path]["post"]["parameters"].clone();
            let named = parameters.as_array().expect("a list").iter();
            let named = named.filter(|one| one["in"] == "query");
            let named: BTreeSet<_> =
                named.filter_map(|one| one["name"].as_str().map(String::from)).collect();
            let mut fields = fields.clone();
            match path {
                "/v1/hands" => {
                    fields.extend(["focus", "region", "set", "detail"].map(str::to_owned));
                }
                "/v1/readings/answers" => fields.extend(["detail".to_owned()]),
                _ => {}
            }
            assert_eq!(named, fields, "{path}");
        }
    }

    #[test]
    fn every_reference_leads_somewhere() {
        fn references(value: &Value, found: &mut BTreeSet<String>) {
            match value {
                Value::Object(fields) => {
                    found.extend(fields.get("$ref").and_then(Value::as_str).map(String::from));
                    fields.values().for_each(|value| references(value, found));
                }
                Value::Array(items) => items.iter().for_each(|value| references(value, found)),
                _ => {}
            }
        }
        let mut found = BTreeSet::new();
        references(&DOCUMENT, &mut found);
        assert!(found.len() > 20, "{found:?}");
        for reference in found {
            assert!(DOCUMENT.pointer(&reference[1..]).is_some(), "{reference}");
        }
    }

    /// A schema that allows no other fields refuses those of the parts beside it.
    #[test]
    fn parts_of_combined_schemas_allow_other_fields() {
        let schemas = DOCUMENT["components"]["schemas"].as_object().expect("schemas");
        for (name, schema) in schemas {
            for part in schema["allOf"].as_array().into_iter().flatten() {
                let reference = part["$ref"].as_str().map(|reference| &reference[1..]);
                let part = reference.and_then(|at| DOCUMENT.pointer(at)).unwrap_or(part);
                assert_ne!(part["additionalProperties"], false, "{name}");
            }
        }
        let win = &schemas["PlayWin"];
        assert!(win["properties"]["kind"].is_object() && win["properties"]["winner"].is_object());
        assert_eq!(win["additionalProperties"], false);
    }

    #[test]
    fn every_error_is_a_problem() {
        for (path, item) in DOCUMENT["paths"].as_object().expect("paths") {
            for (method, operation) in item.as_object().expect("operations") {
                assert!(operation["operationId"].is_string(), "{method} {path}");
                for (status, response) in operation["responses"].as_object().expect("responses") {
                    let content = response["content"].as_object();
                    let problem = content
                        .is_some_and(|content| content.contains_key("application/problem+json"));
                    let bare = matches!(status.as_str(), "414" | "431");
                    let expected = status.as_str() >= "400" && !bare;
                    assert_eq!(problem, expected, "{method} {path} {status}");
                }
            }
        }
    }
}
