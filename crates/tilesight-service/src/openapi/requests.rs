//! Sample requests in the document: bodies that the service accepts unchanged, for every endpoint
//! that takes JSON or a form.
//!
//! Input: the list in `requests.json`. Output: `examples` beside the schemas of the bodies.
//! Invariants: in a form `@hand.webp` stands for the file of the photo, in JSON the photo is in
//! base64; readings are those of the sample answers. A test sends each of them.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde::Deserialize;
use serde_json::{Value, json};

use super::pointer;
use super::samples::SAMPLES;

/// Smallest photo that can be read: 320 pixels wide.
pub(super) const PHOTO: &[u8] = include_bytes!("samples/hand.webp");
/// Placeholder for the photo.
const PHOTO_NAME: &str = "@hand.webp";
const FORM: &str = "multipart/form-data";
const LIST: &str = include_str!("requests.json");

/// Sample body, and its place in the document.
#[derive(Debug, Deserialize)]
struct RequestSample {
    path: String,
    method: String,
    /// Media types of which this body is a sample.
    media: Vec<String>,
    name: String,
    summary: String,
    value: Value,
}

/// Adds the samples to the document.
pub(super) fn add(document: &mut Value) {
    let samples: Vec<RequestSample> = serde_json::from_str(LIST).expect("a test reads the list");
    for RequestSample { path, method, media, name, summary, value } in samples {
        for media in media {
            let value = if media == FORM { with_readings(&value) } else { with_photo(&value) };
            let place = pointer(&["paths", &path, &method, "requestBody", "content", &media]);
            if let Some(Value::Object(content)) = document.pointer_mut(&place) {
                let examples = content.entry("examples").or_insert_with(|| json!({}));
                examples[&name] = json!({ "summary": summary, "value": value });
            }
        }
    }
}

/// Returns the body with the readings that it names.
fn with_readings(value: &Value) -> Value {
    replaced(value, &reading)
}

/// Returns the body with its photos in base64.
fn with_photo(value: &Value) -> Value {
    let photo = BASE64.encode(PHOTO);
    replaced(value, &|text| if text == PHOTO_NAME { Some(json!(photo)) } else { reading(text) })
}

/// Returns the reading of the sample answer that a text names.
fn reading(text: &str) -> Option<Value> {
    let name = text.strip_prefix('@')?;
    let sample = SAMPLES.iter().find(|sample| sample.name == name)?;
    let mut answer: Value = serde_json::from_str(sample.text).ok()?;
    Some(match answer.get_mut("reading") {
        Some(reading) => reading.take(),
        None => answer,
    })
}

/// Returns the value with some texts replaced.
fn replaced(value: &Value, other: &dyn Fn(&str) -> Option<Value>) -> Value {
    match value {
        Value::String(text) => other(text).unwrap_or_else(|| value.clone()),
        Value::Array(items) => items.iter().map(|item| replaced(item, other)).collect(),
        Value::Object(fields) => {
            fields.iter().map(|(name, value)| (name.clone(), replaced(value, other))).collect()
        }
        _ => value.clone(),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use axum::body::Body;
    use axum::extract::Request;
    use axum::http::header::{CONTENT_TYPE, IF_MATCH};
    use tempfile::TempDir;
    use tilesight_jobs::evenings::EveningStore;
    use tilesight_jobs::series::SeriesStore;
    use tilesight_jobs::{EmbeddedStore, ForeignTasks, Settings};
    use tilesight_vision::Reader;
    use tilesight_vision::networks::fake::PaintedModel;

    use super::*;
    use crate::JobLimits;
    use crate::routes::feedback::Store;
    use crate::routes::games::Games;
    use crate::routes::series::AllSeries;
    use crate::testing::{Answer, DOCUMENT, limits, photo, post_json, send};
    use crate::{JobMaintenance, Jobs, Seal, Service};

    /// Photo whose winning tile is in doubt, as in the sample answers.
    const DOUBTFUL: &str = "2m 3m 4m 5m 6m 7m 2p 3p 4p 6s 7s 8s 5s 5s";
    /// Seven pairs, which score the same whichever tile won, so that a game accepts them at once.
    const SURE: &str = "2m 2m 4m 4m 6p 6p 2p 2p 6s 6s 7s 7s 5s 5s";
    const DAY: Duration = Duration::from_secs(86_400);

    /// Service that stores jobs, games and feedback.
    struct House {
        service: Service,
        _folder: TempDir,
    }

    impl House {
        fn new() -> House {
            let folder = tempfile::tempdir().unwrap();
            let feedback = Store::open(&folder.path().join("feedback"), DAY, 10).unwrap();
            let store = Arc::new(EmbeddedStore::open(folder.path()).unwrap());
            let games = Games::new(EveningStore::new(Arc::<EmbeddedStore>::clone(&store)));
            let series = AllSeries::new(SeriesStore::new(Arc::<EmbeddedStore>::clone(&store)));
            let jobs = Jobs::new(store.backend(), JobLimits::default(), folder.path());
            let seal = Seal::read_or_make(&folder.path().join("seal.key")).unwrap();
            let service = Service::builder(limits())
                .feedback(Arc::new(feedback))
                .games(Arc::new(games))
                .series(Arc::new(series))
                .jobs(Arc::new(jobs.with_seal(seal)))
                .build();
            service.ready(reader());
            House { service, _folder: folder }
        }

        /// Returns the path with the id of an existing resource.
        async fn address(&self, path: &str) -> String {
            let path = path.replace("{index}", "0");
            if path.contains("/jobs/") {
                path.replace("{id}", &self.job().await)
            } else if path.contains("/games/") {
                path.replace("{id}", &self.game().await)
            } else if path.contains("/series/") {
                path.replace("{id}", &self.series().await)
            } else {
                path
            }
        }

        /// Creates a game with one entry.
        async fn game(&self) -> String {
            let players = r#"{ "players": ["Anna", "Bo", "Clara", "Dorte"] }"#;
            let game = post_json(&self.service, "/v1/games", players).await;
            let id = game.json["id"].as_str().expect("an id").to_owned();
            let path = format!("/v1/games/{id}/changes");
            let draw = json!({ "action": { "kind": "add", "play": { "kind": "draw" } } });
            let body = draw.to_string().into();
            let changed = self.send("POST", &path, "application/json", body).await;
            assert_eq!(changed.status, 201, "{changed:?}");
            id
        }

        /// Creates a series with one round.
        async fn series(&self) -> String {
            let names = r#"["Anna", "Bo", "Clara", "Dorte", "Eva", "Finn", "Gerd", "Hal"]"#;
            let new = format!(r#"{{ "title": "League", "players": {names} }}"#);
            let series = post_json(&self.service, "/v1/series", &new).await;
            let id = series.json["id"].as_str().expect("an id").to_owned();
            let seat = json!({ "action": { "kind": "seat" } }).to_string().into();
            let path = format!("/v1/series/{id}/changes");
            let changed = self.send("POST", &path, "application/json", seat).await;
            assert_eq!(changed.status, 201, "{changed:?}");
            id
        }

        /// Creates a job whose only photo is read.
        async fn job(&self) -> String {
            let keeper = JobMaintenance::new(&self.service).expect("it takes jobs");
            let settings = Settings::new("test".parse().unwrap(), ForeignTasks::Read);
            let keeping = tokio::spawn(keeper.run(reader(), settings));
            let line = json!({ "photo": BASE64.encode(photo(DOUBTFUL)) }).to_string();
            let kind = "application/jsonl";
            let created = self.send("POST", "/v1/jobs", kind, line.into_bytes()).await;
            let id = created.json["id"].as_str().expect("an id").to_owned();
            let events = Request::get(format!("/v1/jobs/{id}/events")).body(Body::empty());
            assert_eq!(send(&self.service, events.unwrap()).await.status, 200, "until its end");
            keeping.abort();
            id
        }

        async fn send(&self, method: &str, path: &str, kind: &str, body: Vec<u8>) -> Answer {
            let request = Request::builder().method(method).uri(path).header(CONTENT_TYPE, kind);
            let request = request.header(IF_MATCH, "*").body(body.into()).expect("a request");
            send(&self.service, request).await
        }
    }

    fn reader() -> Arc<Reader> {
        Arc::new(Reader::with_model(PaintedModel::default()))
    }

    /// Returns a photo that a model without networks can read in place of the document's.
    fn painted(path: &str) -> Vec<u8> {
        photo(if path.starts_with("/v1/games") { SURE } else { DOUBTFUL })
    }

    /// Returns the body of a form with an example's fields.
    fn form(fields: &Value, photo: &[u8]) -> Vec<u8> {
        let mut body = Vec::new();
        let mut add = |name: &str, value: &Value| {
            let is_photo = value.as_str() == Some(PHOTO_NAME);
            let file = if is_photo { "; filename=\"hand.webp\"" } else { "" };
            let head = format!("form-data; name=\"{name}\"{file}");
            body.extend(format!("--edge\r\nContent-Disposition: {head}\r\n\r\n").into_bytes());
            match value {
                Value::String(_) if is_photo => body.extend(photo),
                Value::String(text) => body.extend(text.as_bytes()),
                other => body.extend(other.to_string().into_bytes()),
            }
            body.extend(b"\r\n");
        };
        for (name, value) in fields.as_object().expect("fields") {
            match value {
                Value::Array(items) => items.iter().for_each(|item| add(name, item)),
                one => add(name, one),
            }
        }
        body.extend(b"--edge--\r\n");
        body
    }

    /// Returns every body that the document describes: method, path, media type and description.
    fn bodies(document: &Value) -> Vec<(String, String, String, Value)> {
        let mut found = Vec::new();
        for (path, item) in document["paths"].as_object().expect("paths") {
            for (method, operation) in item.as_object().expect("operations") {
                let content = operation["requestBody"]["content"].as_object();
                for (media, body) in content.into_iter().flatten() {
                    let method = method.to_uppercase();
                    found.push((method, path.clone(), media.clone(), body.clone()));
                }
            }
        }
        found
    }

    #[test]
    fn every_body_of_fields_has_an_example() {
        let bodies = bodies(&DOCUMENT);
        let (photos, fields): (Vec<_>, Vec<_>) = bodies.iter().partition(|(.., body)| {
            body["schema"]["$ref"].as_str() == Some("#/components/schemas/Photo")
        });
        assert!(photos.len() > 10 && fields.len() > 10, "{photos:?} {fields:?}");
        for (method, path, media, body) in fields {
            let examples = body["examples"].as_object();
            assert!(examples.is_some_and(|all| !all.is_empty()), "{method} {path} {media}");
        }
        let listed: Vec<RequestSample> = serde_json::from_str(LIST).expect("a list");
        let listed: usize = listed.iter().map(|sample| sample.media.len()).sum();
        let shown = bodies.iter().filter_map(|(.., body)| body["examples"].as_object());
        assert_eq!(shown.map(serde_json::Map::len).sum::<usize>(), listed, "each has its place");
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn every_example_is_accepted() {
        for (method, path, media, body) in bodies(&DOCUMENT) {
            for (name, example) in body["examples"].as_object().into_iter().flatten() {
                let house = House::new();
                let photo = painted(&path);
                let (kind, sent) = if media == FORM {
                    ("multipart/form-data; boundary=edge", form(&example["value"], &photo))
                } else {
                    let text = example["value"].to_string();
                    let text = text.replace(&BASE64.encode(PHOTO), &BASE64.encode(photo));
                    (media.as_str(), text.into_bytes())
                };
                let address = house.address(&path).await;
                let answer = house.send(&method, &address, kind, sent).await;
                let case = format!("{method} {path} {media} {name}");
                assert!(answer.status.is_success(), "{case}: {answer:?}");
                if path.ends_with("/hands") && path.contains("games") {
                    assert_eq!(answer.status, 201, "{case}: {answer:?}");
                }
            }
        }
    }
}
