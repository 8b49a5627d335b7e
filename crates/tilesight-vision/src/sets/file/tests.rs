use image::{Rgb, RgbImage};
use proptest::prelude::*;
use serde_json::{Value, json};
use tilesight_core::tile::Face;

use super::*;

fn label(code: &str) -> FaceLabel {
    code.parse().expect(code)
}

fn face(code: &str, axis: usize) -> (LearnedFace, RgbImage) {
    let prototype = |turn| {
        let embedding: Vec<f32> =
            (0..16).map(|i| f32::from(i == (axis + usize::from(turn)) % 16)).collect();
        Prototype::from_weighted(turn, &[(&embedding, 2)]).expect("a direction")
    };
    let prototypes = (0..4).map(prototype).collect();
    let picture = RgbImage::from_pixel(64, 80, Rgb([axis as u8 * 20, 200, 90]));
    (LearnedFace { label: label(code), tiles: 2, prototypes }, picture)
}

fn set() -> OwnSet {
    let colours = SetColours { body: [240, 235, 220], ink: [20, 40, 30], back: Some([10, 90, 40]) };
    let faces = vec![face("back", 3), face("1m", 0), face("extra:joker", 7), face("f2", 5)];
    let name = "Home".parse().expect("a name");
    OwnSet::new(name, "a".repeat(64), colours, faces).expect("a set")
}

fn json_of(set: &OwnSet) -> Value {
    serde_json::from_slice(&set.to_bytes()).expect("JSON")
}

/// Returns the error of a file in which something is changed.
fn error_of(change: impl FnOnce(&mut Value)) -> String {
    let mut file = json_of(&set());
    change(&mut file);
    OwnSet::from_bytes(file.to_string().as_bytes()).expect_err("refused").to_string()
}

#[test]
fn a_set_survives_its_file() {
    let set = set();
    let labels: Vec<String> = set.faces().iter().map(|face| face.label().to_string()).collect();
    assert_eq!(labels, ["1m", "f2", "back", "extra:joker"]);
    let again = OwnSet::from_bytes(&set.to_bytes()).expect("its own file");
    assert_eq!(again, set);
    assert_eq!((again.id(), again.to_bytes()), (set.id(), set.to_bytes()));
    let renamed = set.clone().with_name("Club".parse().expect("a name"));
    assert_ne!(renamed.id(), set.id());
    assert!(set.to_bytes().starts_with(b"{\"format\":\"tilesight-set\""), "for `set --out`");
}

#[test]
fn a_set_of_all_faces_has_a_small_file() {
    let codes = (0..42)
        .map(|slot| Face::printed().map(|face| face.to_string()).nth(slot).expect("42 prints"));
    let codes = codes.chain(["back".to_owned()]).chain((0..12).map(|n| format!("extra:{n}")));
    // Noise is what a JPEG packs worst.
    let mut random = fastrand::Rng::with_seed(3);
    let faces = codes.map(|code| {
        let values = || -> Vec<f32> { (0..204).map(|i| (i as f32 * 0.7).sin()).collect() };
        let prototype = |turn| Prototype::from_weighted(turn, &[(&values(), 9)]).expect("fits");
        let noise = |_: u32, _: u32| Rgb([random.u8(..), random.u8(..), random.u8(..)]);
        let picture = RgbImage::from_fn(64, 80, noise);
        let face = LearnedFace {
            label: label(&code),
            tiles: 9,
            prototypes: (0..4).map(prototype).collect(),
        };
        (face, picture)
    });
    let faces: Vec<_> = faces.collect();
    assert_eq!(faces.len(), MAX_FACES);
    let colours = SetColours { body: [0; 3], ink: [0; 3], back: None };
    let flat = |(face, _): (LearnedFace, RgbImage)| (face, RgbImage::new(64, 80));
    let name: SetName = "x".parse().expect("a name");
    let quiet: Vec<_> = faces.clone().into_iter().map(flat).collect();
    let set = OwnSet::new(name.clone(), "b".repeat(64), colours, quiet).expect("a set");
    assert!(set.to_bytes().len() < MAX_SET_BYTES);
    let error = OwnSet::new(name, "b".repeat(64), colours, faces).expect_err("noise");
    assert!(matches!(error, SetError::TooLarge { .. }), "{error}");
}

#[test]
fn an_invalid_set_file_is_refused_with_the_reason() {
    let read = |bytes: &[u8]| OwnSet::from_bytes(bytes).expect_err("refused").to_string();
    for bytes in [&b""[..], b"\x89PNG", b"null", b"[1]", b"{}", b"{\"format\":7}", &[b'['; 140_000]]
    {
        assert_eq!(
            read(bytes),
            SetError::NotASet.to_string(),
            "{:?}",
            &bytes[..bytes.len().min(9)]
        );
    }
    let file = set().to_bytes();
    let cut = read(&file[..file.len() - 9]);
    assert!(cut.contains("`1:"), "{cut}");
    let huge = vec![b' '; MAX_SET_BYTES + 1];
    assert!(read(&huge).contains("150000"), "{}", read(&huge));
    assert!(error_of(|file| file["version"] = json!(2)).contains("version 2"));
    assert!(error_of(|file| file["format"] = json!("other")).contains("not the file of a set"));
    assert!(error_of(|file| file["faces"] = json!([])).contains("no tile has a name"));
}

#[test]
fn every_field_is_checked_and_named() {
    let null = || Value::Null;
    let cases: [(&str, Value, &str); 24] = [
        ("/name", json!("auto"), "name"),
        ("/name", json!("a\u{202e}b"), "name"),
        ("/classifier", json!("A".repeat(64)), "classifier"),
        ("/classifier", json!("abc"), "classifier"),
        ("/colours/body", json!([1, 2]), "colours.body"),
        ("/colours/body/0", json!(256), "colours.body[0]"),
        ("/faces/0/face", json!("0x"), "faces[0].face"),
        ("/faces/0/face", json!("f2"), "faces[1].face"),
        ("/faces/1/face", json!("1m"), "faces[1].face"),
        ("/faces/0/tiles", json!(0), "faces[0].tiles"),
        ("/faces/0/tiles", json!(-1), "faces[0].tiles"),
        ("/faces/0/prototypes", json!([]), "faces[0].prototypes"),
        ("/faces/0/prototypes/3/turn", json!(4), "faces[0].prototypes[3]"),
        ("/faces/0/prototypes/1/turn", json!(0), "faces[0].prototypes"),
        ("/faces/0/prototypes/0/mean", json!("!"), "faces[0].prototypes[0]"),
        ("/faces/0/prototypes/0/mean", json!("AAAAAAAAAAAAAAAAAAAAAA=="), "faces[0].prototypes[0]"),
        ("/faces/0/prototypes/0/mean", json!("fwAAAAAAAAAAAAAAAAAAAAAA"), "faces"),
        ("/faces/0/prototypes/0/mean", json!("f".repeat(80_000)), "faces[0].prototypes[0]"),
        ("/faces/0/prototypes/0/spread", null(), "faces[0].prototypes[0].spread"),
        ("/faces/0/prototypes/0/spread", json!(1e300), "faces[0].prototypes[0]"),
        ("/faces/0/prototypes/0/spread", json!(-0.5), "faces[0].prototypes[0]"),
        ("/faces/0/prototypes/0/count", json!(10_001), "faces[0].prototypes[0]"),
        ("/thumbnails", json!("AAAA"), "thumbnails"),
        ("/thumbnails", json!("?"), "thumbnails"),
    ];
    for (pointer, value, place) in cases {
        let error = error_of(|file| {
            *file.pointer_mut(pointer).expect(pointer) = value.clone();
        });
        assert!(error.contains(&format!("`{place}`")), "{pointer} {value}: {error}");
    }
    let error = error_of(|file| file["more"] = json!(1));
    assert!(error.contains("`more`"), "{error}");
    // JSON has neither NaN nor numbers beyond all bounds.
    let text = String::from_utf8(set().to_bytes()).expect("text");
    for number in ["NaN", "1e999", "Infinity"] {
        let forged = text.replacen("\"spread\":0.0", &format!("\"spread\":{number}"), 1);
        assert_ne!(forged, text);
        assert!(OwnSet::from_bytes(forged.as_bytes()).is_err(), "{number}");
    }
}

#[test]
fn a_picture_that_claims_to_be_huge_is_not_decoded() {
    let set = set();
    let mut jpeg = set.picture().to_vec();
    let start = jpeg.windows(2).position(|pair| pair == [0xff, 0xc0]).expect("a frame") + 5;
    jpeg[start..start + 4].copy_from_slice(&[0xff, 0xff, 0xff, 0xff]);
    let error = error_of(|file| file["thumbnails"] = json!(STANDARD.encode(&jpeg)));
    assert!(error.contains("thumbnails"), "{error}");
}

proptest! {
    #[test]
    fn any_bytes_are_refused_or_a_set(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        prop_assert!(OwnSet::from_bytes(&bytes).is_err());
    }

    #[test]
    fn a_set_with_changed_bytes_is_refused_or_whole(
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        cut in proptest::option::of(any::<prop::sample::Index>()),
    ) {
        let mut file = set().to_bytes();
        for (at, byte) in changes {
            let at = at.index(file.len());
            file[at] = byte;
        }
        if let Some(cut) = cut {
            file.truncate(cut.index(file.len()));
        }
        if let Ok(set) = OwnSet::from_bytes(&file) {
            // What is read can be written, and has the same identity then.
            let again = OwnSet::from_bytes(&set.to_bytes()).expect("its own file");
            prop_assert_eq!(again.id(), set.id());
            for prototype in set.faces().iter().flat_map(LearnedFace::prototypes) {
                let norm: f32 = prototype.mean().iter().map(|value| value * value).sum();
                prop_assert!((norm - 1.0).abs() < 1e-3 && prototype.spread().is_finite());
            }
        }
    }
}
