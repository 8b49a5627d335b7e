//! `tilesight game` as a process: an evening is entered, corrected and exported, beside a service.

use std::process::Output;

use serde_json::Value;

use crate::service;
use crate::service::{Folder, folder, tilesight};

/// Runs the command in a folder.
fn game(folder: &Folder, args: &[&str]) -> Output {
    let mut command = tilesight();
    command.arg("game").args(args).arg("--data").arg(&**folder);
    command.output().expect("the program starts")
}

/// Runs the command, which must succeed, and returns its JSON.
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
    let table = String::from_utf8(game(&folder, &["export", short]).stdout).expect("text");
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
        (vec!["new", "--players", "Anna,Bo"], "give 4 names"),
        (vec!["win", id, "11m", "--winner", "Bo", "--other", "Anna"], "--other"),
    ] {
        let output = game(&folder, &args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains(phrase), "{args:?}: {said}");
    }
}

#[test]
fn an_evening_of_riichi_refuses_what_can_not_follow() {
    let folder = folder("game-riichi");
    let players = ["new", "--players", "Anna,Bo,Clara,Dorte", "--ruleset", "riichi-tenhou"];
    let begun = done(&folder, &players);
    let id = begun["id"].as_str().expect("an id");
    done(&folder, &["riichi", id, "--player", "Bo"]);
    let hand = "234m456p789s55m34s+5s";
    let open = "[222s,1]456p777s55m34s+5s";
    for (args, phrase) in [
        (vec!["riichi", id, "--player", "Bo"], "Bo laid a stick in this deal already"),
        (vec!["draw", id, "--tenpai", "Anna"], "has to be ready"),
        (vec!["win", id, open, "--winner", "Bo", "--discarder", "Anna"], "called sets"),
        (vec!["win", id, "--points", "7", "--winner", "Bo"], "the nearest values are 1100"),
        (vec!["riichi", id, "--player", "Bo", "--lang", "zh"], "本局已放过立直棒"),
    ] {
        let output = game(&folder, &args);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {output:?}");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains(phrase), "{args:?}: {said}");
    }
    let won = done(&folder, &["win", id, hand, "--winner", "Bo", "--discarder", "Anna"]);
    assert_eq!(won["totals"], serde_json::json!([-2000, 2000, 0, 0]));
    let shown = String::from_utf8(game(&folder, &["show", id]).stdout).expect("text");
    assert!(shown.contains("Bo from Anna, 2000 (2 han 30 fu) (riichi by the stick)"), "{shown}");
    done(&folder, &["finish", id]);
    let over = game(&folder, &["riichi", id, "--player", "Anna"]);
    assert!(String::from_utf8_lossy(&over.stderr).contains("the game is over"), "{over:?}");
}

#[test]
fn a_typed_hand_asks_who_is_liable_and_its_row_names_the_player() {
    let folder = folder("game-liable");
    let players = ["new", "--players", "Anna,Bo,Clara,Dorte", "--ruleset", "riichi-tenhou"];
    let begun = done(&folder, &players);
    let id = begun["id"].as_str().expect("an id");
    let hand = "[CCC,1][FFF,2][PPP,3]123m55p";
    let open = ["win", id, hand, "--winner", "Bo"];
    let asked = game(&folder, &open);
    assert_eq!(asked.status.code(), Some(2));
    let said = String::from_utf8_lossy(&asked.stderr).into_owned();
    assert!(said.contains("Anna, Dorte, Clara may be liable for this hand"), "{said}");
    // Dorte sits across from Bo: by her place, as the reading of a photo has it, and by name.
    let by_place = done(&folder, &[&open[..], &["--feeder", "across"]].concat());
    assert_eq!(
        (&by_place["rows"][0]["liable"], &by_place["totals"][3]),
        (&3.into(), &(-32000).into())
    );
    let shown = String::from_utf8(game(&folder, &["show", id]).stdout).expect("text");
    let table = game(&folder, &["export", id]).stdout;
    done(&folder, &["undo", id]);
    let by_name = done(&folder, &[&open[..], &["--liable", "Dorte"]].concat());
    assert_eq!(by_name["rows"][0]["payments"], by_place["rows"][0]["payments"]);
    assert_eq!(by_name["rows"][0]["liable"], by_place["rows"][0]["liable"]);
    let again = String::from_utf8(game(&folder, &["show", id]).stdout).expect("text");
    assert!(again.contains("Bo self-drawn, 32000 (1 yakuman), Dorte liable"), "{again}");
    assert_eq!(row_of(&again), row_of(&shown));
    assert_eq!(game(&folder, &["export", id]).stdout, table);
    let table = String::from_utf8(table).expect("text");
    assert!(table.starts_with("deal,") && table.contains(",nagashi,liable,Anna,"), "{table}");
    for (lang, row) in [
        ("ja", "Boがツモ、32000（役満）、責任払い（包）：Dorte"),
        ("zh-TW", "Bo 自摸，32000（役滿），包牌：Dorte"),
        ("de", "Bo selbst gezogen, 32000 (1 Yakuman), Dorte haftet (Pao)"),
    ] {
        let shown = game(&folder, &["show", id, "--lang", lang]).stdout;
        let sheet = String::from_utf8(shown).expect("text");
        assert!(sheet.contains(row), "{sheet}");
        for english in ["next", "deal", "entry", "honba", "sticks", "total", "result", "uma"] {
            assert!(lang == "de" || !sheet.contains(english), "{lang}, {english}: {sheet}");
        }
    }
    // Nobody is liable, and a correction asks again.
    let nobody = done(&folder, &[&open[..], &["--feeder", "nobody", "--correct", "3"]].concat());
    assert_eq!(nobody["rows"][0]["liable"], Value::Null);
    assert_eq!(nobody["totals"][3], -8000);
    let corrected = game(&folder, &[&open[..], &["--correct", "3"]].concat());
    assert_eq!(corrected.status.code(), Some(2), "{corrected:?}");
}

#[test]
fn a_series_is_shown_in_the_language_that_is_asked_for() {
    let folder = folder("series-language");
    let players = "Anna,Bo,Clara,Dorte,Eva";
    let new = run_series(&folder, &["new", "--title", "L", "--players", players, "--json"]);
    let begun: Value = serde_json::from_slice(&new.stdout).expect("JSON");
    let id = begun["id"].as_str().expect("an id");
    assert!(run_series(&folder, &["seat", id]).status.success());
    let result = ["result", id, "1", "1", "8", "8", "-8", "-8"];
    assert!(run_series(&folder, &result).status.success());
    for (lang, phrases) in [
        ("ja", ["第1回戦；再び同卓する組：0", "第1回戦後の順位", "抜け番："]),
        ("zh-HK", ["第 1 輪；再次同桌的對數：0", "第 1 輪後的排名", "輪空："]),
        ("sv", ["runda 1; par som har mötts förut: 0", "ställning efter runda 1", "står över:"]),
    ] {
        let shown = run_series(&folder, &["show", id, "--lang", lang]).stdout;
        let text = String::from_utf8(shown).expect("text");
        for phrase in phrases {
            assert!(text.contains(phrase), "{phrase}: {text}");
        }
        for english in ["round", "standings", "place", "player", "running", "rest:"] {
            assert!(!text.contains(english), "{lang}, {english}: {text}");
        }
    }
    // A workbook of the standings.
    let book = run_series(&folder, &["export", id, "--xlsx"]).stdout;
    assert_eq!(&book[..2], b"PK");
}

/// Runs the command for series in a folder.
fn run_series(folder: &Folder, args: &[&str]) -> Output {
    let mut command = tilesight();
    command.arg("series").args(args).arg("--data").arg(&**folder);
    command.output().expect("the program starts")
}

/// Returns the first row of a sheet without the number of its entry.
fn row_of(sheet: &str) -> Option<&str> {
    sheet.lines().nth(3).and_then(|row| row.trim().split_once(' ')).map(|(_, row)| row.trim())
}

#[test]
fn an_evening_of_sixteen_tiles_shows_the_streak() {
    let folder = folder("game-sixteen");
    let players = ["new", "--players", "Anna,Bo,Clara,Dorte", "--ruleset", "tw-common"];
    let begun = done(&folder, &players);
    let id = begun["id"].as_str().expect("an id");
    done(&folder, &["draw", id]);
    let shown = String::from_utf8(game(&folder, &["show", id]).stdout).expect("text");
    assert!(shown.contains("N Dorte, stayed on: 1"), "{shown}");
    let hand = "WWW123m456m789p55s67p+5p||f3";
    let from = ["--discarder", "Anna"];
    let first = [&["win", id, hand, "--winner", "Bo", "--east", "Dorte"][..], &from].concat();
    assert_eq!(done(&folder, &first)["totals"], serde_json::json!([-220, 220, 0, 0]));
    let second = ["win", id, "--points", "5", "--winner", "Clara", "--same-discard"];
    let both = done(&folder, &[&second[..], &from].concat());
    assert_eq!(both["totals"], serde_json::json!([-480, 220, 260, 0]));
    let shown = String::from_utf8(game(&folder, &["show", id]).stdout).expect("text");
    assert!(shown.contains("Clara too from Anna, 5"), "{shown}");
}

#[test]
fn an_evening_of_riichi_shows_points_and_what_counts_in_the_end() {
    let folder = folder("game-riichi-end");
    let players = ["--players", "Anna,Bo,Clara,Dorte", "--ruleset", "riichi-tenhou"];
    let begun = done(&folder, &[["new"].as_slice(), &players].concat());
    let id = begun["id"].as_str().expect("an id");
    for entry in [
        &["riichi", id, "--player", "Anna"][..],
        &["dead-hand", id, "--player", "Bo"],
        &["draw", id, "--tenpai", "Anna,Dorte", "--nagashi", "Clara"],
        &["draw", id, "--abort", "four_winds"],
        &["chombo", id, "--player", "Dorte"],
    ] {
        done(&folder, entry);
    }
    let refused = game(&folder, &["draw", id, "--abort", "four_riichi"]);
    assert_eq!(refused.status.code(), Some(2), "{refused:?}");
    done(&folder, &["finish", id]);
    let shown = String::from_utf8(game(&folder, &["show", id]).stdout).expect("text");
    for part in [
        "honba sticks",
        "exhaustive draw, nagashi mangan: Clara, ready: Anna, Dorte",
        "aborted: four winds",
        "chombo: Dorte",
        "1. Clara: 35000, uma +20000, oka +20000, sticks +1000, result +46000",
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
}

/// An export into a file has the bytes of the service's answer.
#[test]
fn an_export_is_what_the_service_answers() {
    let folder = folder("game-export");
    let players = "Anna,\"Bo\" O'Neil,Åse=Å,王小明";
    let begun = done(&folder, &["new", "--players", players, "--title", "Thursday"]);
    let id = begun["id"].as_str().expect("an id");
    done(&folder, &["win", id, "123456789m11pFFF", "--winner", "Anna"]);
    let note = ["--note", "she said, \"mahjong\""];
    done(
        &folder,
        &[&["points", id, "--player", "åse=å", "10", "10", "-30", "10"][..], &note].concat(),
    );
    let exported = game(&folder, &["export", id]);
    assert!(exported.status.success(), "{exported:?}");
    let service = service::Service::start_with(&["--data", folder.to_str().expect("a path")]);
    let served = service.client().get(&format!("/v1/games/{id}/export"));
    assert_eq!(String::from_utf8_lossy(&exported.stdout), String::from_utf8_lossy(&served.body));
    assert!(exported.stdout.ends_with(b"\r\n"));
    for (flags, query) in [(&["--csv", "excel"][..], "csv=excel"), (&["--xlsx"], "format=xlsx")] {
        let exported = game(&folder, &[&["export", id], flags].concat());
        let served = service.client().get(&format!("/v1/games/{id}/export?{query}"));
        assert_eq!((exported.status.success(), served.status), (true, 200), "{exported:?}");
        assert!(exported.stdout == served.body, "{query}");
    }
}

#[test]
fn games_are_listed_as_json() {
    let folder = folder("game-list");
    assert_eq!(done(&folder, &["list"]), serde_json::json!([]));
    let begun = done(&folder, &["new", "--players", "Anna,Bo,Clara,Dorte", "--title", "Thursday"]);
    let other = done(&folder, &["new", "--players", "Eva,Finn,Gro,Hans", "--ruleset", "mmm"]);
    let id = begun["id"].as_str().expect("an id");
    done(&folder, &["win", id, "--points", "30", "--winner", "Bo"]);
    done(&folder, &["finish", other["id"].as_str().expect("an id")]);
    let answer = done(&folder, &["list"]);
    let list = answer.as_array().expect("an array");
    assert_eq!(list.len(), 2);
    for one in list {
        let is_first = one["id"] == begun["id"];
        let state = if is_first { "running" } else { "finished" };
        let shown = done(&folder, &["show", one["id"].as_str().expect("an id")]);
        assert_eq!(one["state"], state);
        for (field, value) in one.as_object().expect("an object") {
            assert_eq!(*value, shown[field], "{field}");
        }
    }
    let first = list.iter().find(|one| one["id"] == id).expect("it is listed");
    assert_eq!(first["totals"], serde_json::json!([-38, 114, -38, -38]));
    let lines = String::from_utf8(game(&folder, &["list"]).stdout).expect("text");
    assert!(lines.lines().any(|line| line.split(' ').next() == Some(id)), "{lines}");
    let given = done(&folder, &["give", "anna"]);
    assert_eq!(given.as_array().map(Vec::len), Some(2), "{given}");
}

#[test]
fn names_that_look_alike_or_show_nothing_are_refused() {
    let folder = folder("game-names");
    for (players, lang, phrase) in [
        ("a,A,C,D", "en", "a and A differ only in case"),
        ("Åse,Bo,A\u{30a}SE,D", "de", "Unicode-Form"),
        ("Ａnna,Bo,Clara,anna", "da", "store og små"),
        ("Anna,Bo,Cla\u{200d}ra,Clara", "sv", "Unicode-form"),
        ("Anna  B,Bo,anna\u{a0}b,D", "en", "differ only"),
        ("Straße,Bo,Clara,STRASSE", "zh", "大小写"),
        ("Anna,\u{200b}\u{2060},Clara,D", "en", "player 2 has no visible character"),
        ("Anna,Bo,\u{3164},D", "zh", "可见"),
    ] {
        let output = game(&folder, &["new", "--players", players, "--lang", lang]);
        assert_eq!(output.status.code(), Some(2), "{players:?}: {output:?}");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains(phrase), "{players:?}: {said}");
    }
    assert_eq!(done(&folder, &["list"]), serde_json::json!([]));
}

/// Returns the number of ids with a prefix.
fn count(ids: &[String], prefix: &str) -> usize {
    ids.iter().filter(|id| id.starts_with(prefix)).count()
}

#[test]
fn a_prefix_of_several_ids_is_refused() {
    let folder = folder("game-prefix");
    // Of seventeen ids in hexadecimal digits two have the same first digit.
    let mut ids = Vec::new();
    for _ in 0..17 {
        let begun = done(&folder, &["new", "--players", "Anna,Bo,Clara,Dorte"]);
        ids.push(begun["id"].as_str().expect("an id").to_owned());
    }
    let id = ids.iter().find(|id| count(&ids, &id[..1]) > 1).expect("two that begin alike");
    let unclear = game(&folder, &["delete", &id[..1]]);
    assert_eq!(unclear.status.code(), Some(2), "{unclear:?}");
    let said = String::from_utf8_lossy(&unclear.stderr).into_owned();
    assert!(said.contains("several games begin with"), "{said}");
    let length = (2..=id.len()).find(|&length| count(&ids, &id[..length]) == 1).expect("unique");
    assert_eq!(done(&folder, &["show", &id[..length]])["id"], *id);
    assert_eq!(game(&folder, &["show", ""]).status.code(), Some(2));
    assert_eq!(done(&folder, &["list"]).as_array().map(Vec::len), Some(17), "none was deleted");
}

#[test]
fn a_photo_without_a_hand_says_what_to_do() {
    let folder = folder("game-no-hand");
    let begun = done(&folder, &["new", "--players", "Anna,Bo,Clara,Dorte"]);
    let id = begun["id"].as_str().expect("an id");
    let photo = folder.join("empty.png");
    image::RgbImage::from_pixel(640, 480, image::Rgb([40, 90, 60])).save(&photo).expect("a file");
    let photo = photo.to_str().expect("a plain path");
    for (lang, phrase) in [
        ("en", "no tiles were found in the photo; nothing was entered: take the photo from above"),
        ("de", "nichts wurde eingetragen: fotografiere von oben"),
        ("zh", "未作记录"),
    ] {
        let args = ["win", id, "--photo", photo, "--winner", "Clara", "--lang", lang];
        let output = game(&folder, &args);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let command = format!("tilesight game win {id} 123456789m11pFFF --winner Clara");
        assert!(said.contains(phrase) && said.contains(&command) && said.contains(photo), "{said}");
    }
    assert_eq!(done(&folder, &["show", id])["rows"], serde_json::json!([]));
}
