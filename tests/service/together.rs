//! Several photos of one hand in one request, through the real program.
//!
//! The photos are parts of one sample, each without some tiles of the hand. They need ONNX Runtime
//! and the models; without them the tests fail and print the command to run.

use std::io::Cursor;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use image::{ImageFormat, RgbImage, imageops};
use serde_json::{Value, json};

use crate::client::Answer;
use crate::service::Service;

fn sample(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/samples");
    std::fs::read(folder.join(name).with_extension("jpg")).expect("the samples are committed")
}

fn jpeg(photo: &RgbImage) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    photo.write_to(&mut bytes, ImageFormat::Jpeg).expect("encodes");
    bytes.into_inner()
}

/// Returns the left part of the demo photo, and the right part upside down.
fn parts_of_demo() -> [Vec<u8>; 2] {
    let photo = image::load_from_memory(&sample("demo")).expect("a photo").into_rgb8();
    let (width, height) = photo.dimensions();
    let part = |from: u32, to: u32| imageops::crop_imm(&photo, from, 0, to - from, height);
    let left = part(0, width - width / 5).to_image();
    let right = imageops::rotate180(&part(width / 5, width).to_image());
    [jpeg(&left), jpeg(&right)]
}

fn post(service: &Service, query: &str, parts: &[(&str, &[u8])]) -> Answer {
    service.client().post_form(&format!("/v1/hands{query}"), parts)
}

fn source_photos(answer: &Value) -> Vec<u64> {
    let tiles = answer["reading"]["tiles"].as_array().expect("tiles").iter();
    tiles.map(|tile| tile["photo"].as_u64().expect("a photo")).collect()
}

#[test]
fn photos_of_one_hand_are_answered_as_one() {
    let service = Service::start();
    let [left, right] = parts_of_demo();
    let whole = post(&service, "", &[("photo", &sample("demo"))]).json();
    assert!(whole["reading"].get("photos").is_none(), "a photo alone is answered as ever");
    let both: [(&str, &[u8]); 2] = [("photo", &left), ("photo", &right)];
    let answer = post(&service, "", &both);
    assert_eq!(answer.status, 200, "{answer:?}");
    let answer = answer.json();
    assert_eq!(answer["reading"]["hand"]["notation"], whole["reading"]["hand"]["notation"]);
    let named = source_photos(&answer);
    assert!(named.contains(&0) && named.contains(&1), "{named:?}");
    let photos = answer["reading"]["photos"].as_array().expect("two photos");
    assert!(photos.iter().all(|photo| photo["used"] == true && photo["tiles"].as_u64() > Some(9)));
    assert_eq!(photos.iter().filter(|photo| photo["base"] == true).count(), 1);
    for tile in answer["reading"]["tiles"].as_array().expect("tiles") {
        let views = tile["views"].as_array().expect("the photos that show it");
        assert!(views.iter().any(|view| view["photo"] == tile["photo"]), "{tile}");
        for view in views {
            let photo = &photos[view["photo"].as_u64().expect("a photo") as usize];
            let side = |name: &str| photo[name].as_f64().expect("pixels");
            let corners: [[f64; 2]; 4] =
                serde_json::from_value(view["polygon"].clone()).expect("four corners");
            assert!(corners.iter().all(|[x, y]| *x <= side("width") && *y <= side("height")));
        }
    }
    let list = json!({ "photo": [BASE64.encode(&left), BASE64.encode(&right)] });
    let list = list.to_string();
    let typed = service.client().post("/v1/hands", "application/json", list.as_bytes()).json();
    assert_eq!(typed["reading"], answer["reading"], "the same as JSON");
    assert!(answer["timings_ms"]["together"].is_number(), "{}", answer["timings_ms"]);
    let compact = post(&service, "?detail=compact", &both).json();
    assert_eq!(compact["photos"], answer["reading"]["photos"]);
    // The places of both photos are free again.
    let free = service.metric("tilesight_queue_places_free");
    assert!(free >= 1.0, "every place was given back");
}

#[test]
fn photos_that_cannot_be_read_as_one_are_said() {
    let service = Service::start();
    let (demo, other) = (sample("demo"), sample("900001"));
    let answer = post(&service, "", &[("photo", &demo), ("photo", &other)]);
    assert_eq!(answer.status, 200, "{answer:?}");
    let photos = answer.json()["reading"]["photos"].clone();
    let left_out = photos.as_array().expect("two").iter().find(|photo| photo["used"] == false);
    let left_out = left_out.expect("one is left out");
    assert_eq!(left_out["left_out"], "other_tiles");
    let reason = left_out["reason"].as_str().expect("a reason");
    assert!(reason.contains("not those of the other photo"), "{reason}");
    let refused = |parts: &[(&str, &[u8])]| {
        let answer = post(&service, "", parts);
        (answer.status, answer.json()["errors"][0]["field"].clone())
    };
    let bad: &[u8] = b"no photo";
    assert_eq!(refused(&[("photo", demo.as_slice()), ("photo", bad)]), (415, json!("photo[1]")));
    assert_eq!(refused(&[("photo", demo.as_slice()); 9]), (400, json!("photo")));
}
