//! `tilesight game` as a process: an evening entered, corrected and exported, beside a service.

use std::process::Output;

use crate::service;
use crate::service::{Folder, folder, tilesight};
use serde_json::Value;

/// Runs the command in a folder.
fn game(folder: &Folder, args: &[&str]) -> Output {
    let mut command = tilesight();
    command.arg("game").args(args).arg("--data").arg(&**folder);
    command.output().expect("the program starts")
}

/// The same, which must succeed; returns its JSON.
fn done(folder: &Folder, args: &[&str]) -> Value {
    let output = game(folder, &[args, &["--json"]].concat());
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

#[test]
fn an_evening_is_typed_corrected_and_exported() {
    let folder = folder("game-command");
    let begun = done(&folder, &["new", "--players", "Anna,Bo,Clara,Dorte", "--title", "Thursday"]);
    let id = begun["id"].as_str().expect("an id");
    let short = &id[..16];
    // 21 points: Pure Straight 16, Dragon Pung 2, Concealed Hand 2, One Voided Suit 1.
    let hand = "123456789m11pFFF";
    let won = done(&folder, &["win", short, hand, "--winner", "bo", "--discarder", "Anna"]);
    assert_eq!(won["totals"], serde_json::json!([-29, 45, -8, -8]));
    let drawn = done(&folder, &["draw", short]);
    assert_eq!(drawn["next"]["number"], 3);
    let fined = done(&folder, &["points", short, "--player", "Clara", "10", "10", "-30", "10"]);
    assert_eq!(fined["totals"], serde_json::json!([-19, 55, -38, 2]));
    assert_eq!(fined["next"]["number"], 3, "the others play on");
    let corrected = done(&folder, &["draw", short, "--correct", "1"]);
    assert_eq!(corrected["totals"], serde_json::json!([10, 10, -30, 10]));
    let settled = done(&folder, &["win", short, "--points", "30", "--winner", "Dorte"]);
    assert_eq!(settled["totals"], serde_json::json!([-28, -28, -68, 124]));
    let shown = String::from_utf8(game(&folder, &["show", short]).stdout).expect("text");
    assert!(shown.contains("Dorte self-drawn, 30"), "{shown}");
    assert_eq!(done(&folder, &["undo", short])["totals"], corrected["totals"]);
    assert_eq!(done(&folder, &["undo", short])["totals"], fined["totals"]);
    assert_eq!(done(&folder, &["remove", short, "3"])["totals"], won["totals"]);
    assert_eq!(done(&folder, &["finish", short])["state"], "finished");
    let over = game(&folder, &["draw", short]);
    assert_eq!(over.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&over.stderr).contains("the game is over"), "{over:?}");
    let table = game(&folder, &["export", short]);
    let table = String::from_utf8(table.stdout).expect("text");
    assert!(table.contains("1,E,Anna,win,Bo,Anna,123456789m11pFFF,,21"), "{table}");
    let shown = String::from_utf8(game(&folder, &["show", short]).stdout).expect("text");
    assert!(shown.contains("Bo from Anna, 21") && shown.contains("1. Bo (4)"), "{shown}");
    // A service in the same folder serves the same game.
    let service = service::Service::start_with(&["--data", folder.to_str().expect("a path")]);
    let served = service.client().get(&format!("/v1/games/{id}"));
    assert_eq!(served.json()["totals"], won["totals"]);
    assert!(game(&folder, &["delete", short]).status.success());
    assert_eq!(service.client().get(&format!("/v1/games/{id}")).status, 404);
}

#[test]
fn a_photo_is_entered_and_errors_are_reported() {
    let folder = folder("game-photo");
    let begun = done(&folder, &["new", "--players", "Anna,Bo,Clara,Dorte"]);
    let id = begun["id"].as_str().expect("an id");
    let photo = "datasets/samples/demo.jpg";
    let won =
        done(&folder, &["win", id, "--photo", photo, "--winner", "Clara", "--discarder", "Bo"]);
    let total = won["rows"][0]["score"]["total"].as_i64().expect("a total");
    assert_eq!(won["totals"], serde_json::json!([-8, -8 - total, 24 + total, -8]));
    for (args, phrase) in [
        (vec!["win", id, "123456789m11pFFF", "--winner", "Eve"], "Eve is not a player"),
        (vec!["win", id, "12x", "--winner", "Bo"], "^"),
        (vec!["points", id, "--player", "Bo", "1", "1", "1", "1"], "sum to 4"),
        (vec!["win", id, "--points", "7", "--winner", "Bo"], "minimum is 8"),
        (vec!["win", id, "--points", "30", "--winner", "Bo", "--win", "discard"], "win context"),
        (vec!["show", "ffffffffff"], "no such game"),
        (vec!["new", "--players", "Anna,Bo"], "four names"),
    ] {
        let output = game(&folder, &args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains(phrase), "{args:?}: {said}");
    }
}
