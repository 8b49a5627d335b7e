//! Fuzzing: for any input the parsers and the decoder obey their laws: no panic, no long
//! computation, and a parsed value has the same meaning after it is printed and parsed again.
//! Seconds in `make test`, hours with `make fuzz`.

use std::sync::Arc;

use axum::body::{Body, to_bytes};
use axum::http::Request;
use image::ImageFormat;
use tilesight_core::contract::{Problem, ScoreRequest, hand_of_reading};
use tilesight_core::notation::Notation;
use tilesight_core::rules::Book;
use tilesight_service::Limits;
use tilesight_service::{Service, app};
use tilesight_vision::contract::AnswersRequest;
use tilesight_vision::networks::fake::PaintedModel;
use tilesight_vision::{DecodeLimits, Photo, Reader};
use tower::ServiceExt as _;

use crate::files;
use crate::fuzzing::{Target, found, fuzz};

const HANDS: [&str; 8] = [
    "123456789m11pFFF|SS1000",
    "[EEE,2]123m456p789s5s5s|SE1000|2a",
    "[234m,2][EEE,3][5555p,6][CCCC]6s6s||1af",
    "1133557799m22p5s5s",
    "19m19p19sESWNCFPP",
    "147m258p369sESWNC",
    "11123456789995m|SE1100,2|a",
    "111222333444m55p",
];

fn seeds() -> Vec<Vec<u8>> {
    let hands = HANDS.iter().map(|text| text.as_bytes().to_vec());
    hands.chain(found("notation")).collect()
}

/// Returns the text of a problem without its quotations, to identify a kind of behavior.
fn way(problem: &Problem) -> String {
    let plain: String = problem.detail.chars().filter(|c| !c.is_ascii_digit()).take(60).collect();
    format!("{:?} {plain}", problem.kind)
}

#[test]
fn notation() {
    let words: [&[u8]; 16] = [
        b"[",
        b"]",
        b",",
        b"|",
        b"123m",
        b"E",
        b"CCC",
        b"5555p",
        b"+",
        b"?",
        b"0s",
        b"||",
        b"SE1000",
        b"f1",
        "一万".as_bytes(),
        b" ",
    ];
    fuzz(&Target { name: "notation", seeds: seeds(), words: &words, inputs: 100_000 }, |input| {
        let Ok(text) = std::str::from_utf8(input) else { return "no UTF-8".to_owned() };
        match text.parse::<Notation>() {
            Ok(read) => {
                let written = read.to_string();
                // The order of concealed tiles has no meaning.
                let sorted = |mut one: Notation| {
                    one.hand.concealed.sort_unstable();
                    one
                };
                let again = written.parse::<Notation>().map(sorted);
                assert_eq!(again, Ok(sorted(read.clone())), "{written}");
                format!(
                    "{} {:?}",
                    read.hand.melds.len(),
                    read.hand.into_hand().map_err(|error| error.faults.len()).err()
                )
            }
            Err(error) => way(&Problem::from_notation(text, &error)),
        }
    });
}

#[test]
fn json() {
    let object = r#"{"hand":{"concealed":["2m","3m","4m","5m","6m","7m","2p","3p","4p","6s","7s","5s","5s"],
        "winning_tile":"8s","melds":[{"kind":"pung","tiles":["E","E","E"],"from":"left","claimed":"E"}],"flowers":["f1","?"]},
        "context":{"seat":"S","win":"self_drawn","last_wall_tile":true,"ruleset":"mcr-mil"}}"#;
    let hands =
        HANDS.map(|text| format!(r#"{{"hand":"{text}","context":{{"seat":"S"}}}}"#).into_bytes());
    let corrected = r#"{"reading":{"hand":{"notation":"123456789m11pFF6s"},"score":{"total":8,"awards":[{"code":"all_chows","count":1}]}},"hand":"123456789m11pFFF"}"#;
    let table = r#"{"hand":"[CCC,1][234m][567p]67s99p+8s","others":[{"seat":"S","hand":"[FFF,1]11m"},{"seat":"W","hand":{"concealed":["9s"]}}],
        "context":{"ruleset":"classical-dmjl","declared":["original_call"],"completes":"678s"}}"#;
    let more = [object, corrected, table].map(|text| text.as_bytes().to_vec());
    let words: [&[u8]; 16] = [
        b"null",
        b"{}",
        b"[",
        b"]",
        b"\"1m\"",
        b"\"E\"",
        b"1e999",
        b"-1",
        b"\"\\ud800\"",
        b"\"melds\":",
        b"\"kong\"",
        b"\"concealed\":",
        b",",
        b"\"added\":true",
        b"[[[[[[[[[[[[[[[[",
        b"\"notation\":\"11m\"",
    ];
    let seeds = hands.into_iter().chain(more).chain(found("json")).collect();
    fuzz(&Target { name: "json", seeds, words: &words, inputs: 40_000 }, |input| {
        if let Ok(corrected) = AnswersRequest::from_json(input) {
            // Valid or not, it must terminate.
            let _ = hand_of_reading(&corrected.reading.hand);
        }
        let request = match ScoreRequest::from_json(input) {
            Ok(request) => request,
            Err(problem) => return way(&problem),
        };
        match request.prepare(&Book::shipped()) {
            Err(problem) => way(&problem),
            Ok(prepared) => {
                let counted = prepared.ruleset.rules().points(&prepared.hand, &prepared.context);
                let explained = prepared.ruleset.score(&prepared.hand, &prepared.context);
                assert_eq!(
                    counted.as_ref().ok(),
                    explained.as_ref().ok().map(|score| &score.total)
                );
                // Four hands together, if the rules score all of them: it terminates, and payments
                // sum to zero.
                if let Ok(scored) = prepared.clone().score() {
                    let seats = scored.score().payments.iter();
                    assert_eq!(seats.map(|(_, points)| i64::from(points)).sum::<i64>(), 0);
                }
                for ruleset in Book::shipped().profiles() {
                    if let Ok(score) = ruleset.score(&prepared.hand, &prepared.context) {
                        let payments = serde_json::to_value(
                            tilesight_core::contract::ScoreDto::new(
                                &score,
                                &[],
                                Default::default(),
                            )
                            .payments,
                        );
                        let payments = payments.expect("JSON");
                        let sum: i64 = ["E", "S", "W", "N"]
                            .iter()
                            .filter_map(|seat| payments[seat].as_i64())
                            .sum();
                        assert_eq!(sum, 0, "payments sum to zero");
                    }
                }
                format!("{:?}", explained.map(|score| score.awards.len()))
            }
        }
    });
}

#[test]
fn pictures() {
    let formats = [ImageFormat::Jpeg, ImageFormat::Png, ImageFormat::WebP];
    let mut seeds: Vec<_> =
        formats.map(|format| files::encoded(&files::picture(40), format)).into();
    seeds.push(files::jpeg_with_exif(
        &files::picture(40).to_rgb8(),
        b"II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0".to_vec(),
    ));
    seeds.extend(found("pictures"));
    let words: [&[u8]; 12] = [
        b"\xff\xd8",
        b"\xff\xd9",
        b"\xff\xda",
        b"\xff\xc0",
        b"\xff\xc2",
        b"\xff\xe1\0\x10Exif\0\0",
        b"IDAT",
        b"IEND",
        b"\0\0\0\0",
        b"\xff\xff\xff\xff",
        b"VP8X",
        b"RIFF",
    ];
    let limits = DecodeLimits { bytes: 1 << 20, pixels: 250_000, ..DecodeLimits::default() };
    fuzz(&Target { name: "pictures", seeds, words: &words, inputs: 60_000 }, |input| {
        match Photo::decode(input, &limits) {
            Ok(photo) => {
                let (width, height) = photo.size();
                assert!(u64::from(width) * u64::from(height) <= limits.pixels, "{width}x{height}");
                "read".to_owned()
            }
            Err(error) => {
                error.to_string().chars().filter(|c| !c.is_ascii_digit()).take(80).collect()
            }
        }
    });
}

#[test]
fn multipart() {
    let service = Service::builder(Limits::default()).build();
    service.ready(Arc::new(Reader::with_model(PaintedModel::default())));
    // Building the router describes every route, which takes longer than answering.
    let app = app(service);
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let part = |name: &str, content: &[u8]| {
        let head = format!("--edge\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n");
        [head.as_bytes(), content, b"\r\n"].concat()
    };
    let photo = files::encoded(&files::picture(24), ImageFormat::Png);
    let end = b"--edge--\r\n".to_vec();
    let seeds = vec![
        [part("photo", &photo), part("context", br#"{"seat":"S"}"#), end.clone()].concat(),
        [part("rulesets", b"mcr-wmo,mcr-mil"), part("photo", b"x"), end.clone()].concat(),
        [part("context", b"{}"), end].concat(),
    ];
    let words: [&[u8]; 14] = [
        b"--edge",
        b"--edge--",
        b"\r\n",
        b"\r\n\r\n",
        b"Content-Disposition: form-data; name=\"",
        b"photo",
        b"context",
        b"rulesets",
        b"\"",
        b"; filename=\"../../x\"",
        b"Content-Type: image/png\r\n",
        b"Content-Transfer-Encoding: base64\r\n",
        b"\0",
        b"mcr-wmo",
    ];
    fuzz(&Target { name: "multipart", seeds, words: &words, inputs: 3_000 }, |input| {
        let request = Request::post("/v1/hands")
            .header("host", "localhost")
            .header("content-type", "multipart/form-data; boundary=edge");
        let request = request.body(Body::from(input.to_vec())).expect("a request");
        runtime.block_on(async {
            let answer = app.clone().oneshot(request).await.expect("the service is infallible");
            let status = answer.status().as_u16();
            assert!((200..500).contains(&status), "{status}");
            let body = to_bytes(answer.into_body(), 1 << 20).await.expect("a small answer");
            let reply: serde_json::Value = serde_json::from_slice(&body).expect("JSON");
            let plain = reply["detail"]
                .as_str()
                .unwrap_or_default()
                .chars()
                .filter(|c| !c.is_ascii_digit());
            format!("{status} {}", plain.take(60).collect::<String>())
        })
    });
}
