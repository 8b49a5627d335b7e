//! A batch and people's corrections of its photos: corrections are applied and taken back, without
//! reading a photo again.

use serde_json::{Value, json};

use crate::batches::{FILES, Folder, demo, grey, read_in, text};

/// Returns the rows of the table by the ids of their photos: the cells by the names of their
/// columns.
fn table(folder: &Folder, file: &str) -> Vec<Value> {
    let text = folder.read(file);
    let mut table = csv::Reader::from_reader(text.as_bytes());
    let names = table.headers().expect("names").clone();
    let rows = table.records().map(|row| {
        let row = row.expect("a row");
        names.iter().zip(&row).map(|(name, cell)| (name.to_owned(), json!(cell))).collect()
    });
    rows.collect()
}

fn files(folder: &Folder) -> Vec<String> {
    FILES.iter().map(|file| folder.read(&format!("out/{file}"))).collect()
}

#[test]
fn corrections_are_honoured_and_taken_back_and_nothing_is_read_for_them() {
    let folder = Folder::new("corrections");
    folder.write("club/a.jpg", demo(0));
    folder.write("club/b.jpg", demo(1));
    folder.write("club/c.png", grey(1));
    folder.write("club/d.jpg", &demo(1)[..5_000]);
    let args = ["club", "--out", "out", "--seat", "W"];
    assert_eq!(read_in(text(&folder.run(&args).stderr)), 4);
    let before = files(&folder);

    let csv = "id;hand;winning_tile;win;no_hand;reviewer;note;#table\n\
        club/a.jpg;;9m;self_drawn;;Kim;drawn after all;3\n\
        club/b.jpg;;;;yes;Kim;a practice hand;\n\
        club/c.png;123456789m11pFFF;;;;Ann;;\n\
        club/d.jpg;123m;;;;Ann;;\n\
        club/gone.jpg;;;;x;;;\n";
    folder.write("out/corrections.csv", csv);
    let output = folder.run(&args);
    let stderr = text(&output.stderr);
    assert_eq!(read_in(stderr), 0, "only scoring is done anew: {stderr}");
    assert!(stderr.contains("not one of the photos: club/gone.jpg"), "{stderr}");
    let rows = folder.rows("out/results.jsonl");
    let status: Vec<_> =
        rows.iter().map(|row| row["reading"]["status"].as_str().expect("a status")).collect();
    assert_eq!(status, ["ok", "no_hand", "ok", "needs_review"]);
    let drawn = &rows[0]["reading"];
    assert_eq!(drawn["hand"]["winning_tile"], "9m");
    assert_eq!(drawn["score"]["payments"]["N"], drawn["score"]["payments"]["E"], "all three pay");
    assert_eq!(rows[0]["original"]["reading"]["hand"]["winning_tile"], "1m");
    assert!(rows[3]["correction"]["problem"]["detail"].is_string(), "{}", rows[3]["correction"]);
    let table = table(&folder, "out/results.csv");
    assert_eq!((&table[1]["status"], &table[2]["status"]), (&json!("no_hand"), &json!("ok")));
    assert_eq!(
        (&table[1]["group"], &table[3]["group"]),
        (&json!("left_out"), &json!("correction"))
    );
    assert_eq!((&table[3]["order"], &table[0]["order"]), (&json!("1"), &json!("")));
    assert!(table.iter().all(|row| row["corrected"] == "yes"), "{table:?}");
    assert_eq!(table[0]["assumptions"], "prevalent=E");
    assert_eq!(folder.read("out/corrections.csv"), csv, "a batch does not touch the file");

    folder.write("out/corrections.csv", "id,hand\n");
    assert_eq!(read_in(text(&folder.run(&args).stderr)), 0);
    assert_eq!(files(&folder), before, "without corrections everything is as it was");
}

#[test]
fn tables_and_manifests_have_the_same_columns() {
    let folder = Folder::new("columns");
    folder.write("a.jpg", demo(0));
    folder.write("b.jpg", demo(1));
    assert_eq!(read_in(text(&folder.run(&["a.jpg", "b.jpg", "--out", "out"]).stderr)), 2);
    folder.write("hands.csv", "file,winning_tile,game\na.jpg,9m,\nb.jpg,,sixteen-tile\n");
    let args = ["a.jpg", "b.jpg", "--out", "out", "--contexts", "hands.csv", "--overlays"];
    let output = folder.run(&args);
    assert_eq!(read_in(text(&output.stderr)), 0, "{output:?}");
    let overlay = table(&folder, "out/results.csv")[0]["overlay"].clone();
    assert!(folder.0.join("out").join(overlay.as_str().expect("a text")).is_file(), "{overlay}");
    let rows = folder.rows("out/results.jsonl");
    assert_eq!(rows[0]["reading"]["hand"]["winning_tile"], "9m");
    assert_eq!(rows[1]["correction"]["game"], "sixteen-tile");

    let line = json!({ "file": "a.jpg", "winning_tile": "2m" });
    folder.write("list.jsonl", format!("{line}\n{}\n", json!({ "file": "b.jpg" })));
    folder.write("out/corrections.csv", "id,accepted\nb.jpg,x\n");
    let output = folder.run(&["list.jsonl", "--out", "out"]);
    assert_eq!(read_in(text(&output.stderr)), 0, "{output:?}");
    let rows = folder.rows("out/results.jsonl");
    assert_eq!(rows[0]["reading"]["hand"]["winning_tile"], "2m");
    assert_eq!(rows[1]["correction"], json!({ "accepted": true }));

    folder.write("out/corrections.csv", "id,hnad\na.jpg,1m\n");
    let output = folder.run(&["list.jsonl", "--out", "out"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(text(&output.stderr).contains("corrections.csv: unknown column `hnad`"), "{output:?}");
}

#[test]
fn corrections_of_several_reviewers_become_one_file_and_lessons() {
    let folder = Folder::new("merged");
    folder.write("a.jpg", demo(0));
    folder.write("b.png", grey(1));
    folder.run(&["a.jpg", "b.png", "--out", "out"]);
    let head = "id,winning_tile,no_hand,reviewer,time,note\n";
    folder.write("kim.csv", format!("{head}a.jpg,9m,,Kim,2026-11-23T12:00:00Z,\nb.png,,x,Kim,,\n"));
    folder.write(
        "ann.csv",
        format!("{head}a.jpg,2m,,Ann,2026-11-23T13:00:00Z,\"seen, it was 2m\"\n"),
    );
    let merge = |more: &[&str]| {
        let args =
            [&["merge", "kim.csv", "ann.csv", "--out", "out/corrections.csv"], more].concat();
        let output = folder.other("review", &args).output().expect("the binary runs");
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        text(&output.stdout).to_owned()
    };
    let said = merge(&[]);
    assert_eq!(
        said,
        "a.jpg: Kim winning_tile=9m; Ann winning_tile=2m counts\n\
         photos: 2, conflicts: 1, in out/corrections.csv\n"
    );
    let merged = folder.read("out/corrections.csv");
    assert!(merged.contains("Kim") && merged.contains("\"seen, it was 2m\""), "{merged}");
    assert!(merge(&["--prefer", "Kim"]).contains("Kim winning_tile=9m counts"));
    for (out, word) in [("a.jpg", ".csv"), ("out", ".csv"), ("kim", ".csv")] {
        let args = ["merge", "kim.csv", "--out", out];
        let refused = folder.other("review", &args).output().expect("the binary runs");
        assert_eq!(refused.status.code(), Some(2), "{refused:?}");
        assert!(text(&refused.stderr).contains(word), "{refused:?}");
    }
    folder.run(&["a.jpg", "b.png", "--out", "out"]);
    assert_eq!(folder.rows("out/results.jsonl")[0]["reading"]["hand"]["winning_tile"], "9m");

    let export = |args: &[&str]| {
        let args = [&["export", "out", "--lessons", "lessons"], args].concat();
        folder.other("review", &args).output().expect("the binary runs")
    };
    let refused = export(&[]);
    assert_eq!(refused.status.code(), Some(2), "{refused:?}");
    assert!(!folder.0.join("lessons").exists(), "nothing is written without consent");
    let output = export(&["--consent"]);
    assert!(text(&output.stdout).starts_with("lessons: 1, in lessons; corrections"), "{output:?}");
    let lessons: Vec<_> = std::fs::read_dir(folder.0.join("lessons")).expect("a folder").collect();
    let lesson = lessons[0].as_ref().expect("a record").path();
    let record = std::fs::read(lesson.join("feedback.json")).expect("a file");
    let record: Value = serde_json::from_slice(&record).expect("JSON");
    assert_eq!(record["hand"]["winning_tile"], "9m");
    assert_eq!(record["reading"]["hand"]["winning_tile"], "1m", "what was read");
    assert!(lessons.len() == 1 && lesson.join("photo.jpg").is_file());
    assert_eq!(export(&["--consent"]).status.code(), Some(2), "the folder is not empty");
}
