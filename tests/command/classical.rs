//! The classical game through the real binary: a whole table as a sheet, as JSON and as lines,
//! declarations, and error messages.

use std::process::Output;

use crate::scored;
use serde_json::{Value, json};

fn tilesight(args: &[&str], input: &str) -> Output {
    scored::score(&[&["--ruleset", "classical-dmjl"], args].concat(), input)
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("UTF-8")
}

fn json_of(args: &[&str]) -> Value {
    let output = tilesight(&[args, &["--json"]].concat(), "");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

const WON: &str = "[CCC,1][234m][567p]67s99p+8s|EE0000,2";
const SOUTH: &str = "S=[FFF,1]11m99p1289s";
const WEST: &str = "W=999s1p";
const NORTH: &str = "N=";

#[test]
fn a_table_is_printed_hand_by_hand() {
    let output = tilesight(&[WON, "--other", SOUTH, "--other", WEST, "--lang", "de"], "");
    let sheet = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    for line in [
        "Süd, nicht gewonnen  [FFF] 11m99p1289s",
        "West, nicht gewonnen  999s 1p",
        "Drachenpong",
        "Verdeckter Pong von Randziegeln",
        "Ost +288   Süd -96   West -96   Nord -96",
    ] {
        assert!(sheet.contains(line), "{line}\n{sheet}");
    }
}

#[test]
fn a_table_is_settled_in_json_and_in_lines() {
    let others = ["--other", SOUTH, "--other", WEST, "--other", NORTH];
    let score = json_of(&[&[WON], &others[..]].concat());
    let totals: Vec<_> = score["others"].as_array().expect("a list").iter().collect();
    assert_eq!(totals[0]["seat"], "S");
    assert_eq!([&totals[0]["total"], &totals[1]["total"], &totals[2]["total"]], [8, 8, 0]);
    assert_eq!(score["payments"], json!({ "E": 288, "S": -88, "W": -88, "N": -112 }));
    assert_eq!(score["unsettled"], Value::Null);

    let hand = |text: &str| json!({ "seat": &text[..1], "hand": &text[2..] });
    let line = json!({ "hand": WON, "others": [hand(SOUTH), hand(WEST), hand(NORTH)] });
    let output = tilesight(&["--jsonl"], &format!("{line}\n"));
    let answered: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(answered, score);
}

#[test]
fn flags_give_what_tiles_do_not_show() {
    let score = json_of(&[WON, "--declared", "dangerous_game"]);
    assert_eq!(score["payments"], json!({ "E": 288, "S": 0, "W": -288, "N": 0 }));
    assert_eq!(score["unsettled"], json!(["S", "W", "N"]));
    let heaven = ["234m567p345s67s99p+8s|EE1000", "--declared", "heaven,ninth_east_win"];
    assert_eq!(json_of(&heaven)["awards"][0]["code"], "blessing_of_heaven");
    let shown = ["66m123p11p444567s+1p|ES0000", "--completes", "111p"];
    assert_eq!(json_of(&shown)["total"], 28);
    assert_eq!(json_of(&shown[..1])["total"], 32);
}

#[test]
fn errors_name_the_field() {
    for (args, part) in [
        (&[WON, "--other", "S"][..], "expected a seat, `=` and a hand"),
        (&[WON, "--other", "X=11m"], "`X` is not accepted; expected one of `E`, `S`, `W`, `N`"),
        (&[WON, "--other", "E=11m"], "others[0].seat: E has another hand already"),
        (
            &[WON, "--other", SOUTH, "--other", "W=CC"],
            "others[1].hand: with this hand there are 5 copies",
        ),
        (&[WON, "--declared", "hell"], "`hell` can't be declared"),
        (&[WON, "--declared", "heaven"], "context.declared: heaven needs a self-drawn tile"),
        (&[WON, "--completes", "123m"], "in no reading of the hand does 8s complete 123m"),
        (&[WON, "--completes", "EW"], "invalid set `EW`"),
    ] {
        let output = tilesight(args, "");
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        let printed = text(&output.stderr);
        assert!(printed.contains(part), "{args:?}: {printed}");
    }
}
