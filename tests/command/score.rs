//! `tilesight score` through the real binary: the table, JSON, the stream of lines, and its error
//! messages.

use std::process::{Command, Output};

use crate::scored::score as tilesight;
use serde_json::{Value, json};

const BIG_FOUR_WINDS: &str = "[EEE,2][SSSS,1]WWWNN55pN|EE1000";

fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).expect("UTF-8")
}

fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).expect("UTF-8")
}

/// Returns the JSON for arguments that must score.
fn scored(args: &[&str]) -> Value {
    let output = tilesight(&[args, &["--json"]].concat(), "");
    assert_eq!(output.status.code(), Some(0), "{args:?}: {}{}", stdout(&output), stderr(&output));
    serde_json::from_str(stdout(&output)).expect("JSON")
}

/// Returns the exit code and the faulty fields for arguments that must fail.
fn refused(args: &[&str]) -> (Option<i32>, Vec<String>) {
    let output = tilesight(&[args, &["--json"]].concat(), "");
    let answer: Value = serde_json::from_str(stdout(&output)).expect("JSON");
    let errors = answer["error"]["errors"].as_array().cloned().unwrap_or_default();
    let fields = errors.iter().map(|error| error["field"].as_str().unwrap_or("").to_owned());
    (output.status.code(), fields.collect())
}

#[test]
fn a_hand_is_printed_as_a_table() {
    let output = tilesight(&[BIG_FOUR_WINDS], "");
    let expected = "\
Hand            [EEE,2][SSSS,1]55pWWWNNN
Read as         [EEE] [SSSS] WWW NNN* 55p
Seat wind       East
Prevalent wind  East
Won by          self-draw
Rules           mcr-wmo

     Fan                  Points  Formed by
  1  Big Four Winds           88  EEE SSSS WWW NNN
 50  Half Flush                6  the whole hand
 66  Two Concealed Pungs       2  WWW NNN
 74  Melded Kong               1  SSSS
 80  Self-Drawn                1
     ───────────────────────────
     Total                    98  the minimum of 8 is met
";
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).starts_with(expected), "{}", stdout(&output));
    assert!(
        stdout(&output).ends_with("\nPayments  East +318   South -106   West -106   North -106\n"),
        "{}",
        stdout(&output)
    );
}

#[test]
fn a_table_speaks_five_languages() {
    for (lang, name) in [
        ("en", "Big Four Winds"),
        ("de", "Vier große Winde"),
        ("da", "Fire store vinde"),
        ("sv", "Fyra stora vindar"),
        ("zh", "大四喜"),
    ] {
        let output = tilesight(&[BIG_FOUR_WINDS, "--lang", lang, "--explain"], "");
        assert!(stdout(&output).contains(name), "{lang}: {}", stdout(&output));
    }
}

#[test]
fn json_has_the_fields_of_the_contract() {
    let hand = "[EEE,2][SSSS,1]WWWNN55pN";
    let score = scored(&[hand, "--win", "self_drawn", "--prevalent", "S", "--lang", "de"]);
    assert_eq!(score["ruleset"], "mcr-wmo");
    assert_eq!(score["total"], 98);
    assert_eq!(
        (&score["value"], &score["minimum"], &score["legal"]),
        (&json!(98), &json!(8), &json!(true))
    );
    assert_eq!(score["assumed"], json!(["seat"]));
    assert_eq!(score["payments"], json!({ "E": 318, "S": -106, "W": -106, "N": -106 }));
    let award = &score["awards"][0];
    assert_eq!(award["code"], "big_four_winds");
    assert_eq!(
        (&award["number"], &award["points"], &award["count"]),
        (&json!(1), &json!(88), &json!(1))
    );
    assert_eq!(award["name"], "Vier große Winde");
    assert_eq!(award["sets"][0][0]["tiles"], json!(["E", "E", "E"]));
    let excluded = score["excluded"].as_array().expect("a list");
    assert!(excluded.iter().any(|one| one["code"] == "all_pungs" && one["by"] == "big_four_winds"));
    let sum: u64 = score["awards"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|award| award["points"].as_u64().unwrap_or(0) * award["count"].as_u64().unwrap_or(0))
        .sum();
    assert_eq!(sum, 98);
}

#[test]
fn a_bad_line_does_not_stop_the_stream() {
    let good = json!({ "hand": BIG_FOUR_WINDS }).to_string();
    let object = json!({
        "hand": { "concealed": ["1m", "9m", "1p", "9p", "1s", "9s", "E", "S", "W", "N", "C", "F", "P"],
                  "winning_tile": "P", "flowers": ["f1", "?"] },
        "context": { "win": "discard", "from": "across", "seat": "S" } });
    let input = format!("{good}\n{{\"hand\": \"123\"}}\nnot json\n\n{object}\n{good}");
    let output = tilesight(&["--jsonl"], &input);
    assert_eq!(output.status.code(), Some(1));
    let answers: Vec<Value> =
        stdout(&output).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let totals: Vec<_> = answers.iter().map(|answer| answer["total"].as_u64()).collect();
    assert_eq!(totals, [Some(98), None, None, Some(90), Some(98)]);
    assert_eq!(answers[1]["error"]["errors"][0]["character"], 4);
    assert_eq!(answers[2]["error"]["type"], "urn:tilesight:problem:malformed-request");
    assert_eq!(answers[3]["payments"], json!({ "E": -8, "S": 114, "W": -8, "N": -98 }));
}

#[test]
fn contradictions_are_rejected_by_field() {
    let plain = "123456789m123p5s5s";
    let cases: [(&[&str], &[&str]); 7] = [
        (&[plain, "--win", "kong_replacement"], &["context.win"]),
        (&[plain, "--win", "self_drawn", "--from", "left"], &["context.from"]),
        (&[plain, "--last-of-kind"], &["context.last_of_kind"]),
        (&["123456789m+?|??0001"], &["hand.concealed", "hand.winning_tile"]),
        (&["123456m789s1233p3p|??0001"], &["context.win"]),
        (&["123456789m123p5s5s|EE1000", "--seat", "W"], &["context.seat"]),
        (&["111123456789m5s1m"], &["hand.concealed"]),
    ];
    for (args, fields) in cases {
        assert_eq!(
            refused(args),
            (Some(2), fields.iter().map(|&f| f.to_owned()).collect()),
            "{args:?}"
        );
    }
}

#[test]
fn tiles_that_do_not_win_have_their_own_exit_code() {
    let output = tilesight(&["123456789m1357p5s"], "");
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("do not form a winning hand"), "{}", stderr(&output));
}

#[test]
fn errors_are_in_the_language_asked_for() {
    let output = tilesight(&["123456789m1357p5s", "--lang", "de"], "");
    assert_eq!(stderr(&output), "error: die Ziegel bilden keine Siegerhand\n");
    let output = tilesight(&["123x", "--lang", "sv"], "");
    assert!(stderr(&output).contains("tecken 4: hittade `x`"), "{}", stderr(&output));
}

#[test]
fn a_hand_below_the_minimum_is_scored_and_marked() {
    let hand = "[123m,1][789p,1][EEE,3]456s99m9m";
    let output = tilesight(&["[123m,1][789p,1][555s,3]456m9s9s", "--from", "right"], "");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).contains("no legal win: the minimum is 8"), "{}", stdout(&output));
    let score = scored(&["[123m,1][789p,1][555s,3]456m9s9s"]);
    assert_eq!(score["legal"], false);
    assert_eq!(
        score["missing"].as_u64(),
        score["towards_minimum"].as_u64().map(|points| 8 - points)
    );
    assert_eq!(refused(&[hand]).0, Some(2), "fifteen tiles");
}

#[test]
fn a_text_that_cannot_be_read_gets_a_caret() {
    let output = tilesight(&["[EEE,2][346m]11p"], "");
    assert_eq!(output.status.code(), Some(2));
    let expected = "    [EEE,2][346m]11p\n           ^\n    understood up to there: [EEE,2]\n";
    assert!(stderr(&output).ends_with(expected), "{}", stderr(&output));
    assert!(stdout(&output).is_empty());
}

#[test]
fn the_context_can_come_from_a_file() {
    let path = std::env::temp_dir().join(format!("tilesight-context-{}.json", std::process::id()));
    let file = path.to_str().expect("UTF-8");
    let args = ["123456789m123p5s5s", "--context", file];
    let write = |text: &str| std::fs::write(&path, text).expect("a temporary file");
    write(r#"{ "seat": "S", "win": "self_drawn", "ruleset": "mcr-mil" }"#);
    let score = scored(&args);
    assert_eq!((&score["ruleset"], &score["assumed"]), (&json!("mcr-mil"), &json!(["prevalent"])));
    assert_eq!(
        refused(&[&args[..], &["--seat", "E"]].concat()),
        (Some(2), vec!["context.seat".to_owned()])
    );
    write(r#"{ "seet": "S" }"#);
    assert_eq!(refused(&args), (Some(2), vec!["context.seet".to_owned()]));
    std::fs::remove_file(&path).expect("it was written");
    assert_eq!(refused(&args).0, Some(2));
}

#[test]
fn the_strings_of_other_tools_score_as_published() {
    let rows: Vec<Vec<&str>> = include_str!("../data/gb_mahjong.tsv")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split('\t').collect())
        .collect();
    let input: String =
        rows.iter().map(|row| json!({ "hand": row[0] }).to_string() + "\n").collect();
    let mut wrong = Vec::new();
    for (ruleset, column) in [("mcr-mil", 1), ("mcr-wmo", 2)] {
        let output = tilesight(&["--jsonl", "--ruleset", ruleset], &input);
        let answers: Vec<&str> = stdout(&output).lines().collect();
        assert_eq!(answers.len(), rows.len());
        for (row, answer) in rows.iter().zip(answers) {
            let answer: Value = serde_json::from_str(answer).expect("JSON");
            if answer["total"].as_u64() != row[column].parse().ok() {
                wrong.push(format!("{ruleset} {}: {answer}, expected {}", row[0], row[column]));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), 2 * rows.len(), wrong.join("\n"));
}

#[test]
fn help_lists_the_exit_codes() {
    let output =
        Command::new(env!("CARGO_BIN_EXE_tilesight")).arg("--help").output().expect("runs");
    assert!(stdout(&output).contains("Exit codes:"));
}

#[test]
fn a_scored_hand_is_drawn_into_a_file() {
    let folder = std::env::temp_dir().join(format!("tilesight-picture-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for the pictures");
    for (name, begins) in [("hand.svg", &b"<svg "[..]), ("hand.png", &b"\x89PNG"[..])] {
        let file = folder.join(name);
        let args = [BIG_FOUR_WINDS, "--picture", file.to_str().expect("UTF-8")];
        let output = tilesight(&args, "");
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert!(stdout(&output).contains("Big Four Winds"), "the table is printed as well");
        assert!(std::fs::read(&file).expect("the picture").starts_with(begins), "{name}");
    }
    std::fs::remove_dir_all(&folder).expect("the folder is ours");
}

#[test]
fn a_picture_that_cannot_be_written_is_an_error() {
    let output = tilesight(&[BIG_FOUR_WINDS, "--picture", "hand.jpg"], "");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains(".svg or .png"), "{}", stderr(&output));
    let output = tilesight(&[BIG_FOUR_WINDS, "--picture", "no/such/folder/hand.svg"], "");
    assert_eq!(output.status.code(), Some(3));
    assert!(stderr(&output).contains("no/such/folder/hand.svg"), "{}", stderr(&output));
}

#[test]
fn a_picture_never_destroys_a_file() {
    let folder = tempfile::tempdir().expect("a folder for files");
    for (name, own) in [("hand.svg", "<svg"), ("hand.png", "\u{89}PNG")] {
        let file = folder.path().join(name);
        let path = file.to_str().expect("UTF-8");
        let draw = |more: &[&str]| {
            tilesight(&[&[BIG_FOUR_WINDS, "--picture", path], more].concat(), "").status.code()
        };
        assert_eq!((draw(&[]), draw(&[])), (Some(0), Some(0)), "{own}: its own picture");
        std::fs::write(&file, "what somebody else wrote").expect("a file");
        let refused = tilesight(&[BIG_FOUR_WINDS, "--picture", path], "");
        assert_eq!(refused.status.code(), Some(2), "{}", stderr(&refused));
        for word in ["--picture", name, "--force"] {
            assert!(stderr(&refused).contains(word), "{}", stderr(&refused));
        }
        assert_eq!(std::fs::read(&file).expect("there"), b"what somebody else wrote");
        assert_eq!(draw(&["--force"]), Some(0));
        assert_ne!(std::fs::read(&file).expect("there"), b"what somebody else wrote");
    }
}

#[test]
fn a_hand_on_standard_input_is_scored_like_a_typed_one() {
    let typed = scored(&[BIG_FOUR_WINDS]);
    let piped = |input: &str, flags: &[&str]| {
        let output = tilesight(&[&["-", "--json"], flags].concat(), input);
        serde_json::from_str::<Value>(stdout(&output)).expect("JSON")
    };
    let (tiles, context) = BIG_FOUR_WINDS.split_once('|').expect("a context");
    for (input, flags) in [
        (format!("{BIG_FOUR_WINDS}\n"), &[][..]),
        (format!("\u{feff}  {BIG_FOUR_WINDS}\r\n"), &[]),
        (format!("{tiles}\n|{context}"), &[]),
        (json!({ "hand": BIG_FOUR_WINDS }).to_string(), &[]),
    ] {
        assert_eq!(piped(&input, flags), typed, "{input:?}");
    }
    let request = json!({ "hand": tiles, "context": { "win": "self_drawn" } }).to_string();
    let flags = ["--seat", "E", "--prevalent", "E"];
    assert_eq!(piped(&request, &flags)["total"], typed["total"]);
    let contradiction = piped(&request, &["--win", "discard"]);
    assert_eq!(contradiction["error"]["errors"][0]["field"], "context.win", "{contradiction}");
    let refused = tilesight(&["-"], "123x");
    assert_eq!(refused.status.code(), Some(2), "{}", stderr(&refused));
    assert!(stderr(&refused).contains("    123x\n       ^"), "{}", stderr(&refused));
    let long = piped(&"1".repeat(70_000), &[]);
    assert_eq!(long["error"]["status"], 413, "{long}");
}

/// Riichi that can't be true of a hand is refused with the field, whatever else is right.
#[test]
fn riichi_that_can_not_be_is_refused_with_its_field() {
    const KONG: &str = "[CCCC]123m456p789s5s5s|EW1001";
    const PLAIN: &str = "123m456p789s11p46s+5s|EW1000";
    for (hand, flags, field) in [
        (KONG, "--riichi riichi --ippatsu", "context.ippatsu"),
        (
            PLAIN,
            "--riichi riichi --dora-indicators 1m --ura-indicators 2m,3m",
            "context.ura_indicators",
        ),
        (PLAIN, "--dora-indicators 5s,5s,5s,5s", "context.dora_indicators"),
        ("000p234m678m22s34s+5s|EW1000", "", "hand"),
        (PLAIN, "--completes 456p", "context.completes"),
    ] {
        let flags = flags.split_whitespace();
        let args: Vec<&str> =
            [hand, "--ruleset", "riichi-tenhou"].into_iter().chain(flags).collect();
        assert_eq!(refused(&args), (Some(2), vec![field.to_owned()]), "{args:?}");
    }
}

/// A wrong value is answered with what is right, and tiles are those that hands take.
#[test]
fn values_of_riichi_are_read_as_hands_are_or_refused_with_what_is_right() {
    const HAND: &str = "123m456p789s11p46s+5s|EW1000";
    let riichi =
        |flag: &str, value: &str| tilesight(&[HAND, "--ruleset", "riichi-tenhou", flag, value], "");
    for (flag, value, right) in [
        ("--honba", "two", "`two` is not a number of 0 to 99"),
        ("--honba", "100", "`100` is not a number of 0 to 99"),
        ("--dora-indicators", "10m", "`10m` is not a tile: expected 1m..9m"),
        ("--ura-indicators", "1m,2m,3m,4m,5m,6m", "more than five dora indicators"),
    ] {
        let output = riichi(flag, value);
        assert_eq!(output.status.code(), Some(2), "{flag} {value}");
        assert!(stderr(&output).contains(right), "{flag} {value}: {}", stderr(&output));
    }
    for tile in ["7z", "白", "🀆", "P"] {
        let output = riichi("--dora-indicators", tile);
        assert!(stdout(&output).contains("dora indicators P"), "{tile}: {}", stdout(&output));
    }
}
