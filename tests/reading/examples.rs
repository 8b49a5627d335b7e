//! Runs the example that reads a photo as `main` runs it, and reads the photo in the API document's
//! examples.

#[expect(dead_code, reason = "the test calls what `main` calls")]
#[path = "../../examples/read_photo.rs"]
mod read_photo;

use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::Value;
use tilesight_core::context::ContextSetup;
use tilesight_core::notation::Notation;
use tilesight_core::rules::Book;
use tilesight_vision::Status;

use crate::common::reader;

#[test]
fn read_photo_prints_the_hand_and_its_points() {
    let demo =
        Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join("datasets/samples/demo.jpg");
    let text = read_photo::run(&demo).expect("the models are installed");
    assert!(text.contains("1123456789m222s1m"), "{text}");
    assert!(text.ends_with(" points"), "{text}");
}

/// The API document has one small photo in its example requests.
#[test]
fn the_photo_of_the_api_document_is_a_hand() {
    let document: Value =
        serde_json::from_str(include_str!("../golden/openapi.json")).expect("JSON");
    let body = &document["paths"]["/v1/hands"]["post"]["requestBody"]["content"];
    let photo = &body["application/json"]["examples"]["one_photo"]["value"]["photo"];
    let photo = BASE64.decode(photo.as_str().expect("a text")).expect("base64");
    let reading = reader().read(&photo, &ContextSetup::default(), Book::shipped().usual());
    let reading = reading.expect("a photo");
    assert_eq!(reading.status, Status::Ok, "{reading:?}");
    assert_eq!(Notation::from_hand(reading.hand).to_string(), "1123456789m222s1m");
}
