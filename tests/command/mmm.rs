//! Mahjong Masters Million through the real binary: its table in every unit, JSON, the stream of
//! lines, and rejected input.

use std::process::Output;

use crate::scored;
use serde_json::{Value, json};

/// Three pungs of dragons that three players fed.
const DRAGONS: &str = "[CCC,2][FFF,1][PPP,3]123m2s2s|EW0000,1";

fn score(args: &[&str], input: &str) -> Output {
    scored::score(&[args, &["--ruleset", "mmm"]].concat(), input)
}

fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).expect("UTF-8")
}

fn json_of(args: &[&str]) -> Value {
    let output = score(&[args, &["--json"]].concat(), "");
    serde_json::from_str(stdout(&output)).expect("JSON")
}

#[test]
fn half_steps_and_doublings_are_printed_with_their_unit() {
    let output = score(&["[CCC,2]222p999s456m7m7m|ES1000"], "");
    let expected = "\
Hand            [CCC,2]4567m222p999s7m
Read as         [CCC] 456m 222p 999s 77m*
Seat wind       South
Prevalent wind  East
Won by          self-draw
Rules           mmm

        Line                        Points  Formed by
   1.1  Concealed pung                   4  222p
   1.1  Open pung of officers            4  CCC
   1.1  Concealed pung of officers       6  999s
   1.1  Self-draw                       10
 1.2.8  Dragons                     1 dbl.  CCC
1.2.31  Extra score, half           ½ dbl.
        ──────────────────────────────────
        Total                           28  24 points, 1½ doublings; the minimum of 1 dbl. is met

Payments  East -14   South +28   West -7   North -7
";
    assert_eq!(stdout(&output), expected);
}

#[test]
fn the_assumed_feeder_is_printed() {
    let output = score(&[DRAGONS], "");
    let table = stdout(&output);
    assert!(table.contains("Payments  East +0   South +0   West +600   North -600\n"), "{table}");
    assert!(table.contains("Assumed   last set fed from the right\n"), "{table}");
    assert!(table.contains("12 points, 15 doublings, capped"), "{table}");

    let supposed = json_of(&[DRAGONS]);
    assert_eq!(supposed["assumed"], json!(["feeder"]));
    assert_eq!(supposed["assumed_feeder"], "right");
    let given = json_of(&[DRAGONS, "--feeder", "across"]);
    assert_eq!(given["assumed"], json!([]));
    assert_eq!(given.get("assumed_feeder"), None);
    assert_eq!(given["payments"], json!({ "E": -600, "S": 0, "W": 600, "N": 0 }));
    assert_eq!(
        given["doubling"],
        json!({ "points": 12, "doublings": 15, "limits": 0, "capped": true })
    );
}

#[test]
fn a_hand_below_the_minimum_names_the_missing_points() {
    let missed = json_of(&["[345p,1]123m678s234sCC|EW0000"]);
    let given = |field: &str| missed[field].clone();
    assert_eq!(
        (given("total"), given("legal"), given("missing")),
        (json!(0), json!(false), json!(1))
    );
    assert_eq!(given("minimum_unit"), "doublings");
    let output = score(&["[345p,1]123m678s234sCC|EW0000", "--lang", "da"], "");
    let table = stdout(&output);
    assert!(
        table.contains("ikke en gyldig vinderhånd: minimum er 1 ford., der mangler 1 ford."),
        "{table}"
    );
}

#[test]
fn invalid_input_is_rejected_by_field() {
    for (args, code, field) in [
        (&[DRAGONS, "--feeder", "nobody"][..], 2, "context.feeder"),
        (&["[CCC,2]123m567p2s2s678s|EW0000", "--feeder", "left"][..], 2, "context.feeder"),
        (&["123m456m789m234p5p5p|EE1000|2"][..], 2, "hand.flowers"),
    ] {
        let output = score(&[args, &["--json"]].concat(), "");
        let answer: Value = serde_json::from_str(stdout(&output)).expect("JSON");
        assert_eq!(output.status.code(), Some(code), "{args:?}");
        assert_eq!(answer["error"]["errors"][0]["field"], field, "{args:?}");
    }
}

#[test]
fn a_stream_gives_the_feeder_of_each_line() {
    let line = |feeder: &str| {
        let request = json!({ "hand": DRAGONS, "context": { "feeder": feeder } });
        format!("{request}\n")
    };
    let input = [line("left"), line("right"), line("nobody")].concat();
    let output = score(&["--jsonl"], &input);
    let answers: Vec<Value> =
        stdout(&output).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(answers[0]["payments"]["S"], -600);
    assert_eq!(answers[1]["payments"]["N"], -600);
    assert_eq!(answers[2]["error"]["errors"][0]["field"], "context.feeder");
}
