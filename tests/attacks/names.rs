//! Deceptive names, titles and notes: escapes that clear a terminal, text in reversed direction.
//!
//! The service and the command reject them where they would be stored. Texts that can't be
//! rejected, such as the name of a file or an existing game, are escaped before they are printed.

use std::fs;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};
use tilesight_jobs::{Documents as _, EmbeddedStore};

use crate::client;
use crate::evening::{Phone, serve};
use crate::service::{folder, tilesight};

/// Texts with a color, DEL, a single-character escape (C1), reversed writing, an isolate, and both
/// separators.
const TRICKS: [&str; 9] = [
    "a\u{1b}[31mb",
    "a\u{7f}b",
    "a\u{9b}2Jb",
    "a\u{202e}gpj.b",
    "a\u{2066}b",
    "a\u{2028}b",
    "a\u{2029}b",
    "a\nb",
    "a\u{0}b",
];

/// Returns whether a text has characters that act on a terminal.
fn acts(text: &str) -> bool {
    let harmless = |letter: char| letter == '\n' || letter == '\t';
    text.chars().any(|letter| {
        (letter.is_control() && !harmless(letter))
            || ('\u{2028}'..='\u{202e}').contains(&letter)
            || ('\u{2066}'..='\u{2069}').contains(&letter)
    })
}

fn printed(output: &Output) -> String {
    let both = [&output.stdout[..], &output.stderr].concat();
    String::from_utf8(both).expect("what is printed is text")
}

/// Returns the text that the command prints on a terminal, with line ends as in a file.
fn on_a_terminal(args: &[&str]) -> String {
    let spawn = "import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)";
    let program = tilesight().get_program().to_owned();
    let mut command = Command::new("python3");
    command.args(["-c", spawn]).arg(program).args(args).stdin(Stdio::null());
    let output = command.output().expect("python3");
    assert!(output.status.success(), "{output:?}");
    printed(&output).replace("\r\n", "\n")
}

#[test]
fn the_service_rejects_them_in_every_stored_text() {
    let folder = folder("hostile-names");
    let service = serve(&folder);
    let phone = Phone::begin(service.address, None, None);
    let changes = format!("{}/changes", phone.game);
    for trick in TRICKS {
        let players = ["Anna", "Bo", "Clara", trick];
        let plain = ["Anna", "Bo", "Clara", "Dorte"];
        let fine =
            json!({ "reason": "hand", "kind": "manual", "player": 0, "payments": [0, 0, 0, 0] });
        let mut noted = fine.clone();
        noted["note"] = json!(trick);
        let cases: [(&str, &str, Value); 6] = [
            ("players", "/v1/games", json!({ "players": players })),
            ("title", "/v1/games", json!({ "players": plain, "title": trick })),
            (
                "players",
                &changes,
                json!({ "action": { "kind": "rename", "title": "", "players": players } }),
            ),
            (
                "title",
                &changes,
                json!({ "action": { "kind": "rename", "title": trick, "players": plain } }),
            ),
            ("note", &changes, json!({ "action": { "kind": "add", "play": noted } })),
            ("by", &changes, json!({ "by": trick, "action": { "kind": "add", "play": fine } })),
        ];
        for (field, path, body) in cases {
            let answer = phone.json("POST", path, "", &body);
            assert_eq!(answer.status, 422, "{body}: {answer:?}");
            let error = &answer.json()["errors"][0];
            assert_eq!(error["field"], field, "{body}");
            assert!(error["detail"].to_string().contains("U+"), "{error}");
            assert!(!acts(&answer.json()["detail"].to_string()), "{answer:?}");
        }
        let line = json!({ "custom_id": trick, "photo": "aGVqCg==" }).to_string();
        let answer = service.client().post("/v1/jobs", "application/jsonl", line.as_bytes());
        assert_eq!(answer.status, 400, "{answer:?}");
        assert_eq!(answer.json()["errors"][0]["field"], "lines[0].custom_id");
    }
    let game = service.client().get(&phone.game);
    assert_eq!(game.json()["history"], json!([]), "nothing was entered");
}

/// A photo is read whatever its file name; unprintable characters are written out, and photos with
/// equal names have separate rows.
#[test]
fn a_photo_is_accepted_whatever_its_file_name() {
    let folder = folder("hostile-files");
    let service = serve(&folder);
    let line = "{\"file\":\"a\\u202egpj.jpg\"}\n";
    let body = format!(
        "--edge\r\nContent-Disposition: form-data; name=\"photo\"; filename=\"a\u{202e}gpj.jpg\"\r\n\r\nx\r\n\
         --edge\r\nContent-Disposition: form-data; name=\"manifest\"\r\n\r\n{line}\r\n--edge--\r\n"
    );
    let kind = "multipart/form-data; boundary=edge";
    let ids = |body: &str| {
        let created = service.client().post("/v1/jobs", kind, body.as_bytes());
        assert_eq!(created.status, 202, "{created:?}");
        let job = client::header(&created.head, "location").expect("a place").to_owned();
        let results = service.client().get(&format!("{job}/results"));
        let rows = String::from_utf8(results.body).expect("text");
        let rows = rows.lines().map(|row| serde_json::from_str::<Value>(row).expect("JSON"));
        rows.map(|row| row["id"].as_str().expect("a text").to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(ids(&body), [r"a\xe2\x80\xaegpj.jpg"]);
    let photo = |name: &str| {
        format!(
            "--edge\r\nContent-Disposition: form-data; name=\"photo\"; filename=\"{name}\"\r\n\r\nx\r\n"
        )
    };
    let names = ["image.jpg", "image.jpg", "a\u{202e}b.jpg", "ab.jpg", "../../image.jpg"];
    let body = names.map(photo).concat() + "--edge--\r\n";
    let lines = b"{\"custom_id\":\"photo-1\",\"photo\":\"eA==\"}\n{\"photo\":\"eA==\"}\n";
    let created = service.client().post("/v1/jobs", "application/jsonl", lines);
    let job = client::header(&created.head, "location").expect("a place").to_owned();
    let rows = String::from_utf8(service.client().get(&format!("{job}/results")).body);
    let rows = rows.expect("text");
    assert!(rows.starts_with("{\"id\":\"photo-1\",") && rows.contains("\"photo-1#2\""), "{rows}");
    let expected = ["image.jpg", "image.jpg#2", r"a\xe2\x80\xaeb.jpg", "ab.jpg", "image.jpg#3"];
    assert_eq!(ids(&body), expected);
}

#[test]
fn the_command_rejects_them_and_prints_none() {
    let folder = folder("hostile-command");
    let data = folder.to_str().expect("a plain path");
    for trick in TRICKS.iter().filter(|trick| !trick.contains('\0')) {
        let players = format!("Anna,Bo,Clara,{trick}");
        let titled = ["--players", "Anna,Bo,Clara,Dorte", "--title", trick];
        for args in [&["--players", &players][..], &titled] {
            let output = tilesight().args(["game", "new", "--data", data]).args(args).output();
            let output = output.expect("the program starts");
            assert_eq!(output.status.code(), Some(2), "{trick:?}: {output:?}");
            assert!(printed(&output).contains("U+") && !acts(&printed(&output)), "{output:?}");
        }
        // A file of such a name that is not a photo: the message is one line.
        let file = folder.join(format!("{trick}.jpg"));
        fs::write(&file, "no photo").expect("a file");
        for args in [&["read"][..], &["read", "--json"]] {
            let output = tilesight().args(args).arg(&file).output().expect("the program starts");
            assert_eq!(output.status.code(), Some(2), "{output:?}");
            assert!(!acts(&printed(&output)), "{trick:?}: {output:?}");
            assert_eq!(printed(&output).lines().count(), 1, "{trick:?}: {output:?}");
        }
        // A file of such a name that a pattern found, and that is mistaken for a flag.
        let flag = format!("--{trick}.jpg");
        let output = tilesight().args(["read", &flag]).output().expect("the program starts");
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(!acts(&printed(&output)), "{trick:?}: {output:?}");
        let profile = folder.join("club.toml");
        let title: String =
            trick.chars().map(|letter| format!("\\U{:08x}", u32::from(letter))).collect();
        let text = format!("id = \"club\"\ngame = \"mcr\"\ntitle = \"{title}\"\n");
        fs::write(&profile, text).expect("a file");
        let output = tilesight().args(["rules", "check"]).arg(&profile).output();
        let output = output.expect("the program starts");
        assert!(!output.status.success(), "{output:?}");
        assert!(
            printed(&output).contains("club.toml:3: ") && !acts(&printed(&output)),
            "{output:?}"
        );
    }
}

/// Games stored before such names were rejected still load, show and continue.
#[test]
fn existing_texts_are_shown_escaped() {
    let folder = folder("hostile-games");
    let data = folder.to_str().expect("a plain path");
    let game = |args: &[&str]| {
        let output = tilesight().arg("game").args(args).args(["--data", data]).output();
        let output = output.expect("the program starts");
        assert!(output.status.success(), "{output:?}");
        printed(&output)
    };
    game(&["new", "--players", "Anna,Bo,Clara,Dorte", "--title", "Thursday"]);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let id = runtime.expect("a runtime").block_on(async {
        let store = EmbeddedStore::open(&folder).expect("the folder");
        let kind = "game".parse().expect("a name");
        let id = store.list(&kind).await.expect("the store").pop().expect("a game");
        let (revision, kept) = store.load(&kind, &id).await.expect("the store").expect("a game");
        let kept = String::from_utf8(kept).expect("JSON");
        let forged = kept.replace("Thursday", "\\u001b[2J\\u202e").replace("Dorte", "Do\\u009brte");
        assert_ne!(forged, kept);
        let saved = store.save(&kind, &id, Some(revision), forged.as_bytes()).await;
        saved.expect("the store");
        id
    });
    for args in [&["list"][..], &["show", id.as_str()], &["show", id.as_str(), "--json"]] {
        let shown = game(args);
        assert!(shown.contains("\\u202e") && shown.contains("\\u009b"), "{shown}");
        assert!(!acts(&shown), "{shown:?}");
    }
    let entered = game(&["draw", id.as_str()]);
    assert!(entered.contains("draw") && !acts(&entered), "{entered:?}");
    // The meaning of the JSON is unchanged.
    let shown: Value = serde_json::from_str(&game(&["show", id.as_str(), "--json"])).expect("JSON");
    assert_eq!(shown["title"], "\u{1b}[2J\u{202e}");
    assert_eq!(shown["players"][3], "Do\u{9b}rte");
    // An export is data: redirected output is what was entered, and a terminal shows it escaped.
    assert!(game(&["export", id.as_str()]).contains(",Do\u{9b}rte,"));
    let shown = on_a_terminal(&["game", "export", id.as_str(), "--data", data]);
    assert!(shown.contains(",Do\\u009brte,") && !acts(&shown), "{shown:?}");
    assert!(!shown.contains("u000d"), "{shown:?}");
}

/// Files whose names differ in a byte that is not text have different names in all output.
#[cfg(target_os = "linux")]
#[test]
fn names_that_are_not_text_stay_apart() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;

    let folder = folder("bytes-in-names");
    let names = [&b"caf\xe8.jpg"[..], b"caf\xe9.jpg", br"caf\xe9.jpg"].map(OsStr::from_bytes);
    for name in names {
        fs::write(folder.join(name), "no photo").expect("a file");
    }
    let files = [r"caf\\xe8.jpg", r"caf\\xe9.jpg", r"caf\\\\xe9.jpg"];
    for command in ["read", "classify"] {
        for (name, file) in names.iter().zip(files) {
            let mut command_line = tilesight();
            command_line.current_dir(&*folder).args([command, "--json"]).arg(name);
            let output = command_line.output();
            let printed = printed(&output.expect("the program starts"));
            assert!(printed.contains(&format!("\"file\":\"{file}\"")), "{command}: {printed}");
        }
    }
}
