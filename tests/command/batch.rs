//! `tilesight batch` as a process: its output, its errors, and that nothing is lost or done twice
//! when it is killed.
//!
//! Photos need ONNX Runtime and the models; without them these tests fail, and the program prints
//! the command to run.

use std::fs;
use std::io::{Cursor, Write};

use crate::batches::{FILES, Folder, demo, grey, read_in, text};
use crate::waiting::Hold;
use serde_json::{Value, json};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

#[test]
fn every_source_gives_one_row_per_photo_in_order() {
    let folder = Folder::new("sources");
    folder.write("club/a.jpg", demo(0));
    folder.write("club/b.jpg", &demo(1)[..5_000]);
    folder.write("club/c.png", grey(1));
    folder.write("club/d.gif", b"GIF89a");
    folder.write("club/d.heic", include_bytes!("../../datasets/samples/demo.heic"));
    folder.write("club/e.avif", include_bytes!("../../datasets/samples/demo.avif"));
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    zip.start_file("e.png", SimpleFileOptions::default()).expect("a name");
    zip.write_all(&grey(2)).expect("memory");
    folder.write("more.zip", zip.finish().expect("memory").into_inner());
    let line = json!({ "custom_id": "winner", "file": "club/a.jpg", "context": { "seat": "W", "prevalent": "S", "from": "right" },
                       "rulesets": ["mcr-mil", "mcr-wmo"] });
    folder.write("list.jsonl", format!("{line}\nnonsense\n"));
    let output = folder.run(&["club", "more.zip", "list.jsonl", "gone.jpg", "--out", "out"]);
    assert_eq!(output.status.code(), Some(1), "some failed: {output:?}");

    let rows = folder.rows("out/results.jsonl");
    let given: Vec<_> = rows
        .iter()
        .map(|row| {
            let what = row["reading"]["status"]
                .as_str()
                .or(row["error"]["type"].as_str())
                .unwrap_or_else(|| panic!("{row}"));
            (row["id"].as_str().expect("a text"), what.trim_start_matches("urn:tilesight:problem:"))
        })
        .collect();
    assert_eq!(
        given,
        [
            ("club/a.jpg", "ok"),
            ("club/b.jpg", "unreadable-image"),
            ("club/c.png", "no_hand"),
            ("club/d.gif", "unsupported-media"),
            ("club/d.heic", "ok"),
            ("club/e.avif", "ok"),
            ("more.zip/e.png", "no_hand"),
            ("winner", "ok"),
            ("list.jsonl:2", "malformed-request"),
            ("gone.jpg", "malformed-request"),
        ]
    );
    assert!((0..).zip(&rows).all(|(index, row)| row["index"] == index), "numbered in order");
    let winner = &rows[7];
    assert_eq!(
        (&winner["scores"][0]["ruleset"], &winner["scores"][1]["ruleset"]),
        (&json!("mcr-mil"), &json!("mcr-wmo"))
    );
    assert_eq!(winner["reading"]["score"]["payments"]["W"], 44);

    let failed: Vec<_> = rows.iter().filter(|row| row.get("error").is_some()).cloned().collect();
    assert_eq!(folder.rows("out/errors.jsonl"), failed);
    assert_eq!(folder.read("out/results.csv").lines().count(), 1 + rows.len());
    let summary: Value = serde_json::from_str(&folder.read("out/summary.json")).expect("JSON");
    let counts =
        ["photos", "exact", "needs_review", "no_hand", "failed"].map(|name| summary[name].as_u64());
    assert_eq!(counts, [10, 4, 0, 2, 4].map(Some));
    assert!(text(&output.stdout).starts_with(&folder.read("out/summary.txt")), "{output:?}");
}

#[test]
fn a_row_is_the_answer_of_read_without_timings() {
    let folder = Folder::new("same");
    folder.write("a.jpg", demo(0));
    let given = ["--seat", "W", "--prevalent", "S", "--win", "discard", "--lang", "de"];
    let output = folder.run(&[&["a.jpg", "--out", "out"], &given[..]].concat());
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let alone = [&["a.jpg", "--json"], &given[..]].concat();
    let alone = folder.other("read", &alone).output().expect("the binary runs");
    let mut expected: Value = serde_json::from_slice(&alone.stdout).expect("JSON");
    let fields = expected.as_object_mut().expect("an object");
    fields.remove("timings_ms").expect("how long it took");
    let file = fields.remove("file").expect("its file");
    fields.insert("id".to_owned(), file);
    fields.insert("index".to_owned(), json!(0));
    assert_eq!(folder.rows("out/results.jsonl"), [expected]);
}

#[test]
fn a_killed_batch_resumes_with_the_same_results() {
    let folder = Folder::new("killed");
    let total = 384;
    for number in 0..total {
        let photo = match number % 12 {
            5 => demo(number),
            7 => grey(number as u8),
            _ => format!("no photo {number}").into_bytes(),
        };
        folder.write(&format!("photos/{number:03}.jpg"), photo);
    }
    let output = folder.run(&["photos", "--out", "whole"]);
    assert_eq!(
        (output.status.code(), read_in(text(&output.stderr))),
        (Some(1), total),
        "{output:?}"
    );

    let args = ["photos", "--out", "killed"];
    // At most three chunks of 64 photos are on their way, so that photos are left for each of these
    // points. The one in hand may be read again; three deaths over one photo would give it up.
    for point in [
        "batch.row@1",
        "worker.reading[attempt=1]@30",
        "batch.row@130",
        "worker.written[attempt=1]@10",
        "batch.row@258",
    ] {
        let args = ["photos", "--out", "killed", "--jobs", "1"];
        folder.start_at(&format!("{point}=abort"), &args).aborts();
        assert!(
            !folder.0.join("killed/results.jsonl").exists(),
            "only whole results have their name"
        );
    }
    let output = folder.run(&args);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let left = total - 258;
    assert!(
        read_in(text(&output.stderr)) <= left,
        "rows that were written are not read again: {output:?}"
    );
    for file in FILES {
        assert_eq!(
            folder.read(&format!("killed/{file}")),
            folder.read(&format!("whole/{file}")),
            "{file}"
        );
    }
    // Once more: nothing is left to read, and later only new photos are read.
    assert_eq!(read_in(text(&folder.run(&args).stderr)), 0);
    folder.write("photos/384.png", grey(200));
    folder.write("photos/000.jpg", grey(201));
    assert_eq!(read_in(text(&folder.run(&args).stderr)), 2);
    assert_eq!(folder.rows("killed/results.jsonl").len(), total + 1);
    let others: Vec<_> =
        fs::read_dir(folder.0.join("killed/state/photos")).expect("a folder").collect();
    assert!(others.is_empty(), "no photo stays behind: {others:?}");
}

/// Gives up a photo that ends the program whenever it is read alone, at a moment when the program
/// is killed too: `--retry` reads it again at once.
#[test]
fn a_photo_that_ends_the_program_is_given_up_and_the_first_retry_reads_it() {
    let folder = Folder::new("given-up");
    folder.write("photos/a.jpg", demo(0));
    let args = ["photos", "--out", "out"];
    // The first time other photos could have been the reason; three times it is read alone.
    for _ in 0..=3 {
        folder.start_at("worker.reading@1=abort", &args).aborts();
    }
    folder.start_at("worker.given_up@1=abort", &args).aborts();
    let output = folder.run(&args);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(folder.read("out/errors.jsonl").contains("failed 3 times"), "{output:?}");
    let output = folder.run(&["photos", "--out", "out", "--retry"]);
    assert_eq!((output.status.code(), read_in(text(&output.stderr))), (Some(0), 1), "{output:?}");
}

#[test]
fn a_stopped_batch_can_be_resumed() {
    let folder = Folder::new("stopped");
    let total = 12;
    for number in 0..total {
        folder.write(&format!("photos/{number:03}.jpg"), demo(number));
    }
    let args = ["photos", "--out", "out", "--jobs", "1"];
    // It stands still over its third photo until it has been asked to stop and has heard it.
    let (photo, end) = (Hold::new(&folder.0, "photo"), Hold::new(&folder.0, "end"));
    let points = [photo.at("worker.reading@3"), end.at("batch.halted@1")].join(",");
    let mut running = folder.start_at(&points, &args);
    photo.reached();
    let other = folder.run(&args);
    assert_eq!(other.status.code(), Some(2), "one at a time: {other:?}");
    assert_eq!(text(&other.stderr), "error: another batch is working in out\n");
    running.signal("-INT");
    running.says("run the same command again");
    end.reached();
    photo.release();
    end.release();
    let (code, stderr) = running.ends();
    assert_eq!(code, Some(130), "{stderr}");
    assert_eq!(read_in(&stderr), 3, "what was in hand was finished, and no other begun");
    let output = folder.run(&args);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(3 + read_in(text(&output.stderr)), total, "nothing was read twice");
    assert_eq!(folder.rows("out/results.jsonl").len(), total);
}

#[test]
fn overlays_are_drawn_once_for_each_photo() {
    let folder = Folder::new("overlays");
    folder.write("a.jpg", demo(0));
    folder.write("b.png", grey(1));
    folder.write("c.jpg", b"no photo");
    let names = || {
        let names = fs::read_dir(folder.0.join("out/overlays")).expect("a folder");
        let mut names: Vec<_> = names.map(|file| file.expect("a file").path()).collect();
        names.sort();
        names
    };
    // Read without overlays first: they are drawn from the stored readings.
    let args = ["a.jpg", "b.png", "c.jpg", "--out", "out"];
    folder.run(&args);
    let with = [&args[..], &["--overlays"]].concat();
    assert_eq!(read_in(text(&folder.run(&with).stderr)), 0);
    let drawn = names();
    let of = |letter: &str| {
        drawn
            .iter()
            .filter(|file| {
                file.file_name()
                    .is_some_and(|name| text(name.as_encoded_bytes()).starts_with(letter))
            })
            .count()
    };
    assert_eq!((of("a-"), of("b-"), drawn.len()), (1, 1, 2), "{drawn:?}");
    let before = fs::read(&drawn[0]).expect("a file");
    let picture = image::load_from_memory(&before).expect("a JPEG").into_rgb8();
    let photo = image::load_from_memory(&demo(0)).expect("a JPEG").into_rgb8();
    assert_eq!(picture.dimensions(), photo.dimensions());
    let changed =
        picture.pixels().zip(photo.pixels()).filter(|(a, b)| a.0[0].abs_diff(b.0[0]) > 60).count();
    assert!(changed > 5_000, "{changed} pixels are drawn over");
    // Read with overlays at once: the pictures are the same.
    fs::remove_dir_all(folder.0.join("out")).expect("its own folder");
    folder.run(&with);
    assert_eq!((names(), fs::read(&drawn[0]).expect("a file")), (drawn, before));
}

#[test]
fn unusable_input_is_reported_before_anything_is_read() {
    let folder = Folder::new("refused");
    folder.write("table.csv", "file,wind\na.jpg,S\n");
    folder.write("empty/notes.txt", "no photo");
    for (args, expected) in [
        (vec!["empty"], "contain no photo"),
        (vec!["empty", "--contexts", "table.csv"], "unknown column `wind`"),
        (vec!["empty", "--names", "{wind}"], "unknown field `{wind}`"),
        (vec!["empty", "--rulesets", "mcr-wmo,mcr-wmo"], "given twice"),
        (vec!["empty", "--context", "gone.json"], "gone.json"),
        (vec!["empty", "--jobs", "0"], "0 is not in 1..=512"),
    ] {
        let output = folder.run(&[&args[..], &["--out", "out"]].concat());
        assert_eq!(output.status.code(), Some(2), "{args:?}: {output:?}");
        assert!(text(&output.stderr).contains(expected), "{args:?}: {output:?}");
    }
}

/// Returns the ids of the rows, and the error of each.
fn rows_of(folder: &Folder, out: &str) -> Vec<(String, String)> {
    let rows = folder.rows(&format!("{out}/results.jsonl"));
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    rows.iter().map(|row| (text(&row["id"]), text(&row["error"]["detail"]))).collect()
}

/// Two files whose names differ only in bytes that are not text, and a manifest with a duplicate
/// id.
#[cfg(target_os = "linux")]
#[test]
fn a_correction_is_about_one_row() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;

    let folder = Folder::new("one-row");
    for (number, name) in [&b"caf\xe8.jpg"[..], b"caf\xe9.jpg"].iter().enumerate() {
        fs::create_dir_all(folder.0.join("club")).expect("a folder");
        fs::write(folder.0.join("club").join(OsStr::from_bytes(name)), demo(number))
            .expect("a file");
    }
    folder.write("other.jpg", demo(3));
    let line =
        |file: &str, hand: Value| json!({ "custom_id": "one", "file": file, "no_hand": hand });
    let manifest = format!(
        "{}\n{}\n",
        line("other.jpg", json!(true)),
        json!({ "custom_id": "one", "file": "other.jpg", "focus": "300,300" })
    );
    folder.write("list.jsonl", manifest);
    folder.write("out/corrections.csv", "id,no_hand\nclub/caf\\xe9.jpg,x\n");
    let output = folder.run(&["club", "list.jsonl", "--out", "out"]);
    assert_eq!(output.status.code(), Some(1), "one was refused: {output:?}");
    assert!(!text(&output.stderr).contains("not one of the photos"), "{output:?}");
    let rows = rows_of(&folder, "out");
    let ids: Vec<_> = rows.iter().map(|(id, _)| id.as_str()).collect();
    assert_eq!(ids, [r"club/caf\xe8.jpg", r"club/caf\xe9.jpg", "one", "list.jsonl:2"]);
    assert!(rows[3].1.contains("another photo has the id one"), "{rows:?}");
    let corrected: Vec<_> = folder
        .rows("out/results.jsonl")
        .iter()
        .map(|row| row.get("correction").is_some())
        .collect();
    assert_eq!(corrected, [false, true, true, false]);

    folder.write("out/corrections.csv", "id,hand\none,11m\none,22m\n");
    let output = folder.run(&["club", "list.jsonl", "--out", "out"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(text(&output.stderr).contains("corrections.csv: line 3 is about one again"));
}

#[test]
fn overlays_are_not_read_as_photos() {
    let folder = Folder::new("same");
    folder.write("same/a.jpg", demo(0));
    folder.write("same/b.jpg", demo(1));
    for run in 0..4 {
        let output = folder.run(&["same", "--out", "same", "--overlays"]);
        assert_eq!(output.status.code(), Some(0), "{run}: {output:?}");
        assert_eq!(folder.rows("same/results.jsonl").len(), 2, "{run}");
    }
    // Another batch, of a folder that contains the results of the first.
    folder.write("c.jpg", demo(2));
    let output = folder.run(&[".", "--out", "out"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let ids: Vec<_> = rows_of(&folder, "out").into_iter().map(|(id, _)| id).collect();
    assert_eq!(ids, ["./c.jpg", "./same/a.jpg", "./same/b.jpg"]);
    let skipped = "./same: results of a batch";
    assert!(text(&output.stdout).contains(skipped), "{output:?}");
    let summary: Value = serde_json::from_str(&folder.read("out/summary.json")).expect("JSON");
    let skipped = json!({ "path": "./same", "reason": "results" });
    assert!(summary["skipped"].as_array().expect("a list").contains(&skipped), "{summary}");
    // Also if a pattern matches them, as that of a shell does.
    let output = folder.run(&["same/**/*.jpg", "--out", "out2"]);
    assert_eq!(folder.rows("out2/results.jsonl").len(), 2, "{output:?}");
}

#[test]
fn every_member_of_an_archive_has_a_row() {
    let folder = Folder::new("members");
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (shade, name) in [(1, "a.png"), (2, "b.png"), (3, r"..\..\w.png"), (4, "old.zip")] {
        zip.start_file(name, SimpleFileOptions::default()).expect("a name");
        zip.write_all(&grey(shade)).expect("memory");
    }
    let mut bytes = zip.finish().expect("memory").into_inner();
    for at in 0..bytes.len() - 5 {
        if &bytes[at..at + 5] == b"b.png" {
            bytes[at] = b'a';
        }
    }
    folder.write("photos.zip", bytes);
    let output = folder.run(&["photos.zip", "--out", "out"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let rows = rows_of(&folder, "out");
    let read: Vec<_> = rows.iter().filter(|row| row.1.is_empty()).map(|row| &*row.0).collect();
    assert_eq!(read, ["photos.zip/a.png", "photos.zip/a.png#2", "photos.zip/w.png"]);
    let (id, detail) = &rows[3];
    assert!(id == "photos.zip/old.zip" && detail.contains("inside an archive"), "{rows:?}");
}

#[test]
fn tables_are_read_and_written_as_spreadsheets_do() {
    let folder = Folder::new("spreadsheets");
    folder.write("Jürgen.png", grey(1));
    folder.write("b.png", grey(2));
    // A German Excel: Windows-1252, semicolons, empty columns, its own words.
    let table = "sep=;\r\nfile;custom_id;no_hand;last_of_kind;;\r\n\
        Jürgen.png;Jürgen;WAHR;FALSCH;;\r\nb.png\r\n";
    let table: Vec<u8> = table.chars().map(|letter| letter as u8).collect();
    folder.write("table.csv", table);
    let args = ["Jürgen.png", "b.png", "--contexts", "table.csv", "--out", "out"];
    folder.run(&args);
    let plain = folder.read("out/results.csv");
    assert!(plain.starts_with("id,index,") && plain.contains("\nJürgen,0,"), "{plain}");
    assert!(folder.rows("out/results.jsonl")[0].get("correction").is_some());
    let output = folder.run(&[&args[..], &["--csv", "excel"]].concat());
    assert_eq!(read_in(text(&output.stderr)), 0, "the same photos: {output:?}");
    let excel = folder.read("out/results.csv");
    assert!(excel.starts_with("\u{feff}id;index;"), "{excel}");
    assert!(excel.contains("\r\nJürgen;0;"), "{excel}");

    folder.write("table.csv", "file,no_hand\nb.png,x\nJürgen.png,perhaps\n");
    let output = folder.run(&args);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let message = "table.csv: line 3: column no_hand: \"perhaps\" is neither: expected yes or no: ";
    assert!(text(&output.stderr).contains(message), "{output:?}");
}

/// Returns the photo of a classical hand; `service::table` computes the payments of the four.
fn classical(seat: &str) -> Vec<u8> {
    let path = format!("{}/datasets/games/classical-{seat}.jpg", env!("CARGO_MANIFEST_DIR"));
    fs::read(path).expect("the photos are committed")
}

#[test]
fn a_row_takes_photos_of_every_hand() {
    let folder = Folder::new("tables");
    for seat in ["east", "south", "west", "north"] {
        folder.write(&format!("club/{seat}.jpg"), classical(seat));
    }
    let context =
        json!({ "ruleset": "classical-dmjl", "seat": "E", "prevalent": "E", "win": "self_drawn" });
    let line = json!({ "custom_id": "club/east.jpg", "file": "club/east.jpg", "context": context,
        "photo_S": "club/south.jpg", "photo_W": "club/west.jpg", "photo_N": "club/north.jpg" });
    let gone = json!({ "custom_id": "gone", "file": "club/east.jpg", "context": context,
        "photo_W": "club/gone.jpg" });
    let winner_alone =
        json!({ "custom_id": "mcr", "file": "club/east.jpg", "photo_W": "club/west.jpg" });
    folder.write("list.jsonl", format!("{line}\n{gone}\n{winner_alone}\n"));
    let output = folder.run(&["list.jsonl", "--out", "out"]);
    assert_eq!(output.status.code(), Some(1), "two were refused: {output:?}");
    let rows = folder.rows("out/results.jsonl");
    let [table, gone, mcr] = rows.as_slice() else { panic!("{rows:?}") };
    let payments = &table["reading"]["score"]["payments"];
    assert_eq!(payments, &json!({ "E": 504, "S": -152, "W": -200, "N": -152 }), "{table}");
    let seats: Vec<_> =
        table["others"].as_array().expect("three").iter().map(|one| &one["seat"]).collect();
    assert_eq!(seats, ["S", "W", "N"]);
    assert_eq!(table["table_status"], "needs_review", "South's flower is doubtful");
    assert!(table["others"][0].get("timings_ms").is_none(), "an outcome holds no times");
    for (row, field) in [(gone, "photo_W"), (mcr, "photo_W")] {
        assert_eq!(row["error"]["errors"][0]["field"], field, "{row}");
    }
    let csv = folder.read("out/results.csv");
    let row = csv.lines().nth(1).expect("a row");
    assert!(row.contains("needs_review") && row.contains("S: "), "{row}");

    // The same from a table: the photos of the others are not rows of their own.
    folder.write(
        "contexts.csv",
        "file,ruleset,seat,prevalent,win,photo_S,photo_W,photo_N\n\
        east.jpg,classical-dmjl,E,E,self_drawn,south.jpg,west.jpg,north.jpg\n",
    );
    let output = folder.run(&["club", "--contexts", "contexts.csv", "--out", "out2"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(folder.rows("out2/results.jsonl"), std::slice::from_ref(table));

    // Another photo beside the same winner is another question.
    folder.write("club/south.jpg", classical("west"));
    let output = folder.run(&["club", "--contexts", "contexts.csv", "--out", "out2"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let again = folder.rows("out2/results.jsonl");
    assert_eq!(again[0]["reading"]["hand"], table["reading"]["hand"]);
    assert_ne!(again[0]["others"][0]["reading"]["hand"], table["others"][0]["reading"]["hand"]);
}

#[test]
fn a_photo_beyond_the_limits_is_read_when_they_are_raised() {
    let folder = Folder::new("limits");
    folder.write("a.jpg", demo(0));
    for (flags, expected) in [
        (["--max-bytes", "1000"], "at most 1000 are accepted"),
        (["--max-pixels", "1000"], "at most 1000 pixels are accepted"),
        (["--max-pixels", "60000000"], ""),
    ] {
        let args = ["a.jpg", "--out", "out", "--quiet"];
        let output = folder.run(&[&args, &flags[..]].concat());
        let row = folder.rows("out/results.jsonl").remove(0);
        let detail = row["error"]["detail"].as_str().unwrap_or_default();
        assert!(detail.contains(expected), "{flags:?}: {row}");
        assert_eq!(row["reading"].is_object(), expected.is_empty(), "{flags:?}: {row}");
        assert_eq!(output.status.success(), expected.is_empty(), "{flags:?}: {output:?}");
    }
}
