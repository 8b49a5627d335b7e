//! The example that reads a photo, run as `main` runs it.

#[expect(dead_code, reason = "the test calls what `main` calls")]
#[path = "../../examples/read_photo.rs"]
mod read_photo;

use std::path::Path;

#[test]
fn read_photo_prints_the_hand_and_its_points() {
    let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/samples/demo.jpg");
    let text = read_photo::run(&demo).expect("the models are installed");
    assert!(text.contains("1123456789m222s1m"), "{text}");
    assert!(text.ends_with(" points"), "{text}");
}
