//! Rendered hands of sixteen tiles through the real program, from the photo to what each player
//! pays: over HTTP and by the command.
//!
//! The photos are those of `datasets/games`: claimed sets with flowers above them, and a drawn hand
//! with a concealed kong. The payments are worked out from `docs/taiwan.md`: base 100, 20 for each
//! tai, and 2n + 1 tai with a dealer who stayed on n times. Photos need ONNX Runtime and the
//! models; without them the tests fail and print the command to run.

use std::path::Path;

use crate::service::{Service, tilesight};
use serde_json::{Value, json};

/// A photo, how its hand was won, and what follows from that.
struct Case {
    photo: &'static str,
    context: &'static str,
    /// Flags of the command that say the same.
    flags: &'static [&'static str],
    tai: u32,
    dealer_tai: u32,
    /// Lines with their tai.
    awards: &'static [(&'static str, u32)],
    /// Payments of East, South, West and North.
    payments: [i64; 4],
}

const CASES: [Case; 2] = [
    // South owns the seasons and flowers of number 2. East deals, discarded, and stayed on twice:
    // 3 + 5 tai.
    Case {
        photo: "datasets/games/taiwan-claimed.jpg",
        context: r#"{ "ruleset": "tw-common", "seat": "S", "prevalent": "E", "win": "discard",
                      "from": "left", "dealer": "E", "dealer_streak": 2 }"#,
        flags: &[
            "--seat=S",
            "--prevalent=E",
            "--win=discard",
            "--from=left",
            "--dealer=E",
            "--dealer-streak=2",
        ],
        tai: 3,
        dealer_tai: 5,
        awards: &[("dragon", 1), ("prevalent_wind", 1), ("own_flower", 1)],
        payments: [-260, 260, 0, 0],
    },
    // West owns number 3. South deals and stayed on once: he owes three tai more than the others.
    Case {
        photo: "datasets/games/taiwan-drawn.jpg",
        context: r#"{ "ruleset": "tw-common", "seat": "W", "prevalent": "E", "win": "self_drawn",
                      "dealer": "S", "dealer_streak": 1 }"#,
        flags: &[
            "--seat=W",
            "--prevalent=E",
            "--win=self_drawn",
            "--dealer=S",
            "--dealer-streak=1",
        ],
        tai: 6,
        dealer_tai: 3,
        awards: &[("fully_concealed_hand", 3), ("three_concealed_pungs", 2), ("own_flower", 1)],
        payments: [-220, -280, 720, -220],
    },
];

impl Case {
    /// Fails unless a reading has the score of the rendered hand, and asks about nothing but bonus
    /// tiles.
    fn assert_settled(&self, reading: &Value) {
        let score = &reading["score"];
        assert_eq!(score["legal"], true, "{}: {reading}", self.photo);
        assert_eq!(score["ruleset"], "tw-common");
        assert_eq!(
            (&score["tai"], &score["dealer_tai"]),
            (&json!(self.tai), &json!(self.dealer_tai))
        );
        let awards = score["awards"].as_array().expect("awards").iter();
        let lines: Vec<(&str, &Value)> =
            awards.map(|award| (award["code"].as_str().expect("a code"), &award["tai"])).collect();
        let tai: Vec<Value> = self.awards.iter().map(|(_, tai)| json!(tai)).collect();
        let expected: Vec<(&str, &Value)> =
            self.awards.iter().zip(&tai).map(|((code, _), tai)| (*code, tai)).collect();
        assert_eq!(lines, expected, "{}", self.photo);
        let paid =
            ["E", "S", "W", "N"].map(|seat| score["payments"][seat].as_i64().expect("points"));
        assert_eq!(paid, self.payments, "{}", self.photo);
        let doubts = reading["doubts"].as_array().expect("doubts").iter();
        let open = doubts.filter(|doubt| doubt["affects_score"] == true);
        let mut asked = open.flat_map(|doubt| doubt["tiles"].as_array().expect("tiles"));
        assert!(
            asked.all(|number| is_bonus(reading, number)),
            "{}: {}",
            self.photo,
            reading["doubts"]
        );
    }

    fn bytes(&self) -> Vec<u8> {
        let photo = Path::new(env!("CARGO_MANIFEST_DIR")).join(self.photo);
        std::fs::read(photo).expect("the photos are committed")
    }
}

/// Returns whether the tile with a number in a reading is read as a flower or a season.
fn is_bonus(reading: &Value, number: &Value) -> bool {
    let place = usize::try_from(number.as_u64().expect("a number")).expect("a place");
    let code = reading["tiles"][place]["tile"].as_str();
    code.is_some_and(|code| code.starts_with(['f', 's']))
}

#[test]
fn a_photo_of_sixteen_tiles_is_settled_over_http() {
    let service = Service::start();
    for case in &CASES {
        let photo = case.bytes();
        let parts: [(&str, &[u8]); 2] = [("photo", &photo), ("context", case.context.as_bytes())];
        let answer = service.client().post_form("/v1/hands", &parts);
        assert_eq!(answer.status, 200, "{answer:?}");
        case.assert_settled(&answer.json()["reading"]);
    }
    // By the usual rules it is said to be of this game, and has no score.
    let answer = service.client().post("/v1/hands", "image/jpeg", &CASES[0].bytes()).json();
    let doubts = answer["reading"]["doubts"].as_array().expect("doubts");
    assert!(doubts.iter().any(|doubt| doubt["game"] == "taiwan"), "{doubts:?}");
    assert!(answer["reading"]["score"].is_null(), "{answer}");
}

#[test]
fn a_photo_of_sixteen_tiles_is_settled_by_the_command() {
    for case in &CASES {
        let flags = [&["read", case.photo, "--ruleset=tw-common"], case.flags].concat();
        let output = tilesight().args(&flags).arg("--json").output().expect("it runs");
        let answer: Value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|error| panic!("{error}: {output:?}"));
        case.assert_settled(&answer["reading"]);
        let printed = tilesight().args(&flags).output().expect("it runs");
        let text = String::from_utf8(printed.stdout).expect("UTF-8");
        let [east, south, west, north] = case.payments;
        let line =
            format!("Payments  East {east:+}   South {south:+}   West {west:+}   North {north:+}");
        assert!(text.contains(&line), "{line:?} is not in\n{text}");
    }
}
