//! `tilesight rules` and custom profiles through the real binary, as a club uses them.

use std::fs;
use std::path::Path;
use std::process::Output;

use crate::service;
use crate::service::folder;
use serde_json::Value;

/// A profile of MCR in which two concealed kongs are worth six points, as in 1998.
const CLUB: &str = "\
id = \"our-club\"
game = \"mcr\"
title = \"Our club\"

[options]
two_concealed_kongs_points = 6
";

/// Two concealed kongs.
const KONGS: &str = "[1111m][9999p]234567s5z5z";

fn file(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    fs::write(&path, text).expect("a file");
    path.to_str().expect("a path in ASCII").to_owned()
}

fn tilesight(args: &[&str]) -> Output {
    service::tilesight().args(args).output().expect("the binary starts")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("UTF-8")
}

#[test]
fn every_rule_set_is_listed_and_explained() {
    let list = stdout(&tilesight(&["rules", "list"]));
    let names: Vec<_> = list.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert!(names.contains(&"mcr-wmo") && names.contains(&"mcr-mil"), "{list}");
    for name in names {
        for lang in ["en", "da"] {
            let output = tilesight(&["rules", "show", name, "--lang", lang]);
            assert_eq!(output.status.code(), Some(0), "{name}: {}", stderr(&output));
            assert!(stdout(&output).contains("[options]"), "{name}");
        }
    }
    let german = stdout(&tilesight(&["rules", "show", "mcr-wmo", "--lang", "de"]));
    assert!(german.contains("Vier große Winde"), "{german}");
    let unknown = tilesight(&["rules", "show", "riichi"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(stderr(&unknown).contains("expected mcr-wmo"), "{}", stderr(&unknown));
}

#[test]
fn a_club_scores_by_its_own_file() {
    let folder = folder("rules-club");
    let file = file(&folder, "our-club.toml", CLUB);
    let total = |ruleset: &str| {
        let output = tilesight(&["score", KONGS, "--json", "--ruleset", ruleset]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let score: Value = serde_json::from_str(&stdout(&output)).expect("a score");
        (score["ruleset"].clone(), score["total"].as_u64().expect("a number"))
    };
    let (name, own) = total(&file);
    assert_eq!(name, "our-club");
    assert_eq!(own + 2, total("mcr-wmo").1);
    let shown = stdout(&tilesight(&["rules", "show", &file]));
    assert!(shown.starts_with("Our club (our-club)"), "{shown}");
    assert!(shown.contains("two_concealed_kongs_points = 6"), "{shown}");
}

#[test]
fn errors_of_a_profile_name_file_and_line() {
    let folder = folder("rules-broken");
    let good = file(&folder, "good.toml", CLUB);
    let unknown = file(&folder, "unknown.toml", &CLUB.replace("two_c", "too_c"));
    let taken = file(&folder, "taken.toml", &CLUB.replace("our-club", "mcr-mil"));
    let output = tilesight(&["rules", "check", &good, &unknown, "nowhere.toml"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stdout(&output).contains("good.toml: our-club (mcr)"), "{}", stdout(&output));
    let printed = stderr(&output);
    assert!(
        printed.contains("unknown.toml:6: unknown field `too_concealed_kongs_points`"),
        "{printed}"
    );
    assert!(printed.contains("nowhere.toml: "), "{printed}");
    let output = tilesight(&["score", KONGS, "--ruleset", &taken]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("another rule profile has the id `mcr-mil`"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn a_service_does_not_start_with_an_invalid_profile() {
    let folder = folder("rules-serve");
    file(&folder, "club.toml", "id = \"club\"\ngame = \"mcr\"\nlimit = 3\n");
    let place = folder.to_str().expect("ASCII");
    let output = tilesight(&["serve", "--listen", "127.0.0.1:0", "--rules", place]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("club.toml:3: unknown field `limit`"), "{}", stderr(&output));
}
