//! `tilesight set` through the real binary: a sheet of our own drawn tiles is learned, and photos
//! are read with it.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use image::{Rgb, RgbImage, imageops};
use serde_json::Value;
use tilesight_core::tile::Face;
use tilesight_pictures::tile_art;
use tilesight_vision::sets::{MAX_SET_BYTES, OwnSet};

use crate::batches::read_in;
use crate::client::{self, Answer};
use crate::service::{Service, folder, new_key};
use crate::waiting::until;

/// Rows of a sheet, in the order in which tiles are taught.
const SHEET: [&str; 6] = [
    "1m 2m 3m 4m 5m 6m 7m 8m 9m",
    "1p 2p 3p 4p 5p 6p 7p 8p 9p",
    "1s 2s 3s 4s 5s 6s 7s 8s 9s",
    "E S W N C F P",
    "f1 f2 f3 f4 s1 s2 s3 s4",
    "back back",
];
const HAND: [&str; 1] = ["1m 2m 3m 4p 5p 6p 6s 6s 6s 7s 8s 9s f1 f2 E E"];
/// A hand that wins.
const WINNER: [&str; 1] = ["1m 2m 3m 4p 5p 6p 6s 6s 6s 7s 8s 9s E E"];
/// A sample of another tile set.
const DEMO: &str = "datasets/samples/demo.jpg";

/// Width of a drawn tile in pixels, and distance between two.
const WIDTH: u32 = 84;
const GAP: u32 = 6;

fn run(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tilesight"));
    command.current_dir(env!("CARGO_MANIFEST_DIR")).args(args).stdin(Stdio::null());
    command.output().expect("the binary runs")
}

fn printed(output: &Output) -> String {
    let both = [output.stdout.as_slice(), &output.stderr].concat();
    String::from_utf8(both).expect("UTF-8")
}

/// Draws rows of our own tiles on green felt.
fn draw(rows: &[&str]) -> RgbImage {
    let columns = rows.iter().map(|codes| codes.split_whitespace().count() as u32).max();
    let size = (140 + (WIDTH + GAP) * columns.unwrap_or(0), 140 + 130 * rows.len() as u32);
    let mut table = RgbImage::from_pixel(size.0, size.1, Rgb([30, 92, 62]));
    for (row, codes) in (0_u32..).zip(rows) {
        for (column, code) in (0_u32..).zip(codes.split_whitespace()) {
            let face: Face = code.parse().expect("a face");
            let tile = tile_art::raster(face, WIDTH);
            let (x, y) = (70 + column * (WIDTH + GAP), 60 + row * 130);
            let mut part = imageops::crop_imm(&table, x, y, tile.width(), tile.height()).to_image();
            for (below, above) in part.pixels_mut().zip(tile.pixels()) {
                let share = u32::from(above[3]);
                let mix = |a: u8, b: u8| {
                    ((u32::from(a) * share + u32::from(b) * (255 - share)) / 255) as u8
                };
                *below = Rgb([0, 1, 2].map(|c| mix(above[c], below[c])));
            }
            imageops::replace(&mut table, &part, x.into(), y.into());
        }
    }
    table
}

/// A folder with a sheet, a hand of the same tiles, and room for sets.
struct Table(tempfile::TempDir);

impl Table {
    fn new() -> Table {
        let table = Table(tempfile::tempdir().expect("a folder"));
        draw(&SHEET).save(table.file("sheet.png")).expect("encodes");
        draw(&HAND).save(table.file("hand.png")).expect("encodes");
        table
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn text(&self, name: &str) -> String {
        self.file(name).to_str().expect("UTF-8").to_owned()
    }

    /// Learns the set of the sheet.
    #[track_caller]
    fn learn(&self, args: &[&str]) -> OwnSet {
        let (sheet, set) = (self.text("sheet.png"), self.text("Home.set"));
        let output = run(&[&["set", "learn", &sheet, "--out", &set], args].concat());
        assert!(output.status.success(), "{}", printed(&output));
        OwnSet::from_bytes(&std::fs::read(self.file("Home.set")).expect("a file")).expect("a set")
    }
}

fn labels(set: &OwnSet) -> Vec<String> {
    set.faces().iter().map(|face| face.label().to_string()).collect()
}

fn answer(args: &[&str]) -> Value {
    let output = run(&[&["read", "--json"], args].concat());
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", printed(&output)))
}

#[test]
fn a_sheet_is_learned_shown_and_read_with() {
    let table = Table::new();
    let picture = table.text("named.png");
    let set = table.learn(&["--yes", "--picture", &picture]);
    assert_eq!(labels(&set).join(" "), SHEET.join(" ").replace("back back", "back"));
    assert_eq!(set.name().as_str(), "Home");
    assert!(set.to_bytes().len() < MAX_SET_BYTES);
    let named = image::open(Path::new(&picture)).expect("a picture").into_rgb8();
    assert_eq!(named.dimensions(), draw(&SHEET).dimensions());
    let shown = printed(&run(&["set", "show", &table.text("Home.set")]));
    assert!(
        shown.starts_with(&format!("Home ({})\n43 faces from 44 tiles\n", set.id())),
        "{shown}"
    );
    assert!(!shown.contains("misses"), "{shown}");
    let with = |photo: &str| answer(&[photo, "--set", &table.text("Home.set")]);
    let hand = with(&table.text("hand.png"));
    let used = &hand["reading"]["set"];
    assert_eq!((&used["asked"], &used["used"]), (&"Home".into(), &"Home".into()), "{used}");
    assert_eq!(used["id"], set.id().to_string());
    let tiles = hand["reading"]["tiles"].as_array().expect("tiles");
    let mut found: Vec<&str> = tiles.iter().filter_map(|tile| tile["tile"].as_str()).collect();
    let mut expected: Vec<&str> = HAND[0].split_whitespace().collect();
    found.sort_unstable();
    expected.sort_unstable();
    assert_eq!(found, expected);
    // The hand in a photo of another set is read as without one.
    let (other, plain) = (with(DEMO), answer(&[DEMO]));
    assert_eq!(other["reading"]["set"]["asked"], "Home");
    assert_eq!(other["reading"]["hand"]["notation"], plain["reading"]["hand"]["notation"]);
    assert_eq!(plain["reading"].get("set"), None);
}

#[test]
fn names_of_a_file_count() {
    let table = Table::new();
    let names = SHEET.join("\n").replace("back back", "back -").replace("s4", "extra:cat");
    std::fs::write(table.file("names.txt"), names).expect("a file");
    let set = table.learn(&["--names", &table.text("names.txt")]);
    assert!(labels(&set).contains(&"extra:cat".to_owned()) && !labels(&set).contains(&"s4".into()));
    let (sheet, out) = (table.text("sheet.png"), table.text("Home.set"));
    std::fs::write(table.file("short.txt"), "1m 2m").expect("a file");
    std::fs::write(table.file("odd.txt"), "1m # a comment\n\n1m 2x").expect("a file");
    for (args, reason) in [
        (vec!["--names", "short.txt"], "the names have 1 rows, the photo shows 6"),
        (vec!["--names", "odd.txt"], "`2x` in row 2 is not a face"),
        (vec!["--add", "nothing"], "expected PHOTO=HAND"),
    ] {
        let args: Vec<String> = args
            .into_iter()
            .map(|arg| if arg.ends_with(".txt") { table.text(arg) } else { arg.to_owned() })
            .collect();
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let output = run(&[&["set", "learn", &sheet, "--out", &out], args.as_slice()].concat());
        assert_eq!(output.status.code(), Some(2), "{}", printed(&output));
        assert!(printed(&output).contains(reason), "{}", printed(&output));
    }
}

#[test]
fn a_corrected_photo_of_a_hand_is_learned_from() {
    let table = Table::new();
    draw(&WINNER).save(table.file("winner.png")).expect("encodes");
    let (hand, out) = (table.text("winner.png"), table.text("Home.set"));
    let add = |notation: &str| format!("{hand}={notation}");
    let learn = |args: &[&str]| run(&[&["set", "learn", "--out", &out], args].concat());
    let read = || OwnSet::from_bytes(&std::fs::read(&out).expect("a file")).expect("a set");
    let output = learn(&["--add", &add("123m456p666789sEE")]);
    assert!(output.status.success(), "{}", printed(&output));
    let tiles_of = |set: &OwnSet, code: &str| {
        let face = set.faces().iter().find(|face| face.label().to_string() == code);
        face.map_or(0, |face| face.tiles())
    };
    let alone = read();
    assert_eq!(labels(&alone).join(" "), "1m 2m 3m 4p 5p 6p 6s 7s 8s 9s E");
    assert_eq!(["6s", "E", "9s"].map(|code| tiles_of(&alone, code)), [3, 2, 1]);
    // The person is believed: what looks like a 6 of bamboo is the white dragon of this set.
    let output = learn(&["--add", &add("123m456pPPP789sEE")]);
    assert!(output.status.success(), "{}", printed(&output));
    let corrected = read();
    assert_eq!(["6s", "P"].map(|code| tiles_of(&corrected, code)), [0, 3]);
    // Beside a sheet, its tiles count too.
    let sheet = table.text("sheet.png");
    let output = learn(&[&sheet, "--yes", "--add", &add("123m456p666789sEE")]);
    assert!(output.status.success(), "{}", printed(&output));
    assert_eq!(["6s", "E", "C"].map(|code| tiles_of(&read(), code)), [4, 3, 1]);
    let output = learn(&["--add", &add("123m456p66678sEE")]);
    assert!(output.status.success(), "{}", printed(&output));
    let left_out = "a tile that looks like 9s was left out: the notation has no other tile";
    assert!(printed(&output).contains(left_out), "{}", printed(&output));
    assert_eq!(["8s", "9s"].map(|code| tiles_of(&read(), code)), [1, 0]);
    for (notation, reason) in [
        ("19p19sSSWWNNCCFF", "none of the 14 tiles of the notation can be surely seen"),
        ("123x", "expected"),
    ] {
        let output = learn(&["--add", &add(notation)]);
        assert_eq!(output.status.code(), Some(2), "{}", printed(&output));
        assert!(printed(&output).contains(reason), "{}", printed(&output));
    }
}

#[test]
fn a_scene_with_a_covered_tile_teaches_the_others() {
    let table = Table::new();
    let truth = std::fs::read_to_string("datasets/samples/demo.json").expect("a scene");
    let truth: Value = serde_json::from_str(&truth).expect("JSON");
    let tile = truth["tiles"].as_array().expect("tiles").iter().find(|it| it["tile"] == "6m");
    let corners = tile.expect("a 6m")["polygon"].as_array().expect("corners");
    let [left, right] = [0, 1].map(|at| corners[at][0].as_f64().expect("a number") as i64);
    let [top, bottom] = [0, 2].map(|at| corners[at][1].as_f64().expect("a number") as i64);
    let mut scene = image::open(DEMO).expect("a scene").into_rgb8();
    let cloth = imageops::crop_imm(&scene, 20, 20, 40, 40).to_image();
    let wide = (right - left + 8) as u32;
    let cloth =
        imageops::resize(&cloth, wide, (bottom - top + 8) as u32, imageops::FilterType::Triangle);
    imageops::replace(&mut scene, &cloth, left - 12, top - 4);
    scene.save(table.file("covered.png")).expect("encodes");
    let add = format!("{}=1123456789m222s+1m", table.text("covered.png"));
    let out = table.text("Home.set");
    for (lang, left_out) in
        [("en", "6m of the notation was left out"), ("de", "6m der Notation wurde ausgelassen")]
    {
        let output = run(&["set", "learn", "--out", &out, "--lang", lang, "--add", &add]);
        assert!(output.status.success(), "{}", printed(&output));
        assert!(printed(&output).contains(left_out), "{}", printed(&output));
    }
    let set = OwnSet::from_bytes(&std::fs::read(&out).expect("a file")).expect("a set");
    let tiles: Vec<u32> = set.faces().iter().map(|face| face.tiles()).collect();
    assert_eq!(
        (labels(&set).join(" "), tiles.iter().sum()),
        ("1m 2m 3m 4m 5m 7m 8m 9m 2s".to_owned(), 13,)
    );
}

#[test]
fn a_batch_reads_anew_with_another_set() {
    let table = Table::new();
    draw(&WINNER).save(table.file("winner.png")).expect("encodes");
    let first = table.learn(&["--yes"]);
    let (hand, out, home) = (table.text("winner.png"), table.text("out"), table.text("Home.set"));
    let batch = |args: &[&str]| {
        let output = run(&[&["batch", &hand, "--out", &out], args].concat());
        assert!(output.status.success(), "{}", printed(&output));
        let rows = std::fs::read_to_string(table.file("out/results.jsonl")).expect("rows");
        let row: Value = serde_json::from_str(rows.trim()).expect("a row");
        (read_in(&printed(&output)), row["reading"]["set"].clone())
    };
    let (read, plain) = batch(&[]);
    assert_eq!((read, plain), (1, Value::Null));
    let (read, used) = batch(&["--set", &home]);
    assert_eq!(
        (read, &used["used"], &used["id"]),
        (1, &"Home".into(), &first.id().to_string().into())
    );
    assert_eq!(batch(&["--set", &home]), (0, used), "the same set is the same question");
    let names = SHEET.join("\n").replace("s4", "-");
    std::fs::write(table.file("names.txt"), names).expect("a file");
    let second = table.learn(&["--names", &table.text("names.txt")]);
    assert_ne!(second.id(), first.id());
    let (read, used) = batch(&["--set", &home]);
    assert_eq!((read, &used["id"]), (1, &second.id().to_string().into()), "{used}");
}

#[test]
fn sets_are_merged_and_never_overwrite_foreign_files() {
    let table = Table::new();
    let set = table.learn(&["--yes"]);
    let (home, both) = (table.text("Home.set"), table.text("both.set"));
    let merge = ["set", "merge", &home, &home, "--out", &both, "--name", "Both"];
    let output = run(&merge);
    assert!(output.status.success(), "{}", printed(&output));
    let merged = OwnSet::from_bytes(&std::fs::read(table.file("both.set")).expect("a file"));
    let merged = merged.expect("a set");
    assert_eq!((merged.name().as_str(), labels(&merged)), ("Both", labels(&set)));
    assert_eq!(merged.faces()[0].tiles(), 2 * set.faces()[0].tiles());
    assert!(run(&merge).status.success(), "its own file is replaced");
    std::fs::write(table.file("both.set"), "a diary").expect("a file");
    let refused = run(&merge);
    assert_eq!(refused.status.code(), Some(2));
    assert!(printed(&refused).contains("--force"), "{}", printed(&refused));
    for (file, reason) in [("both.set", "not the file of a set"), ("sheet.png", "bytes")] {
        for command in [&["set", "show"][..], &["read", DEMO, "--set"]] {
            let output = run(&[command, &[&table.text(file)]].concat());
            assert_eq!(output.status.code(), Some(2), "{command:?} {}", printed(&output));
            let wrong = printed(&output);
            assert!(
                wrong.contains(file) && (wrong.contains(reason) || wrong.contains("set")),
                "{wrong}"
            );
        }
    }
}

#[test]
fn a_service_notices_the_sets_of_its_folder() {
    let table = Table::new();
    let set = table.learn(&["--yes"]);
    let folder = table.text("sets");
    std::fs::create_dir(&folder).expect("a folder");
    let service = Service::start_with(&["--sets", &folder]);
    let names = || {
        let listed = service.client().get("/v1/sets").json();
        let sets = listed["sets"].as_array().expect("a list").clone();
        sets.iter().map(|set| set["name"].as_str().expect("a name").to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names(), [""; 0]);
    std::fs::write(table.file("sets/home.set"), set.to_bytes()).expect("a file");
    until("the set is known", || names() == ["Home"]);
    std::fs::write(table.file("sets/broken.set"), "half a set").expect("a file");
    service.wait_for("keeping the previous version");
    assert_eq!(names(), ["Home"]);
    std::fs::remove_file(table.file("sets/broken.set")).expect("it is there");
    std::fs::remove_file(table.file("sets/home.set")).expect("it is there");
    until("the set is gone", || names().is_empty());
}

/// Sends a request with a key on a connection of its own.
fn ask(service: &Service, key: &str, request: (&str, &str), headers: &str, body: &[u8]) -> Answer {
    let headers = format!("Authorization: Bearer {key}\r\n{headers}");
    service.client().request(request.0, request.1, &headers, body)
}

/// Returns the own set that the only photo of a job was read with, once the job has ended.
fn set_of_job(service: &Service, key: &str, photo: &[u8]) -> Value {
    let form = format!("Content-Type: {}\r\n", client::FORM);
    let body = client::form(&[("photo", photo)]);
    let created = ask(service, key, ("POST", "/v1/jobs?set=Home"), &form, &body);
    assert_eq!(created.status, 202, "{created:?}");
    let job = client::header(&created.head, "location").expect("an address").to_owned();
    // The stream ends with the job.
    ask(service, key, ("GET", &format!("{job}/events")), "", b"");
    let rows = ask(service, key, ("GET", &format!("{job}/results")), "", b"");
    let row: Value = serde_json::from_slice(&rows.body).expect("one row");
    row["reading"]["set"].clone()
}

/// Returns the own set that a photo was read with for an evening.
fn set_of_evening(service: &Service, key: &str, photo: &[u8]) -> Value {
    let players = br#"{ "players": ["Anna", "Bo", "Clara", "Dorte"] }"#;
    let json = "Content-Type: application/json\r\n";
    let game = ask(service, key, ("POST", "/v1/games"), json, players);
    let place = client::header(&game.head, "location").expect("an address").to_owned();
    let headers = format!("Content-Type: {}\r\nIf-Match: *\r\n", client::FORM);
    let win = br#"{ "winner": 1, "discarder": 0 }"#;
    let body = client::form(&[("photo", photo), ("win", win), ("set", b"Home")]);
    let read = ask(service, key, ("POST", &format!("{place}/hands")), &headers, &body);
    assert!([200, 201].contains(&read.status), "{read:?}");
    read.json()["reading"]["set"].clone()
}

#[test]
fn a_key_reads_its_jobs_and_evenings_with_the_set_that_it_uploaded() {
    let table = Table::new();
    draw(&WINNER).save(table.file("winner.png")).expect("encodes");
    let photo = std::fs::read(table.file("winner.png")).expect("a file");
    let set = table.learn(&["--yes"]);
    let folder = folder("key-sets");
    let keys = folder.join("keys.txt");
    let [club, other] = ["club", "other"].map(|name| new_key(&keys, name));
    let keys = keys.display().to_string();
    let data = folder.join("data").display().to_string();
    let flags = ["--keys", keys.as_str(), "--data", data.as_str()];
    let service = Service::start_with(&flags);
    let put = ask(&service, &club, ("PUT", "/v1/sets/Home"), "", &set.to_bytes());
    assert_eq!(put.status, 201, "{put:?}");
    let foreign = "Content-Type: application/zip\r\n";
    let refused = ask(&service, &other, ("POST", "/v1/jobs?set=Home"), foreign, b"PK");
    assert_eq!(refused.status, 422, "{refused:?}");
    service.terminate();
    service.ends_well();
    // Sets are in the folder, and so are there again.
    let service = Service::start_with(&flags);
    let [job, evening] = [set_of_job, set_of_evening].map(|read| read(&service, &club, &photo));
    assert_eq!((&job["used"], &job["id"]), (&"Home".into(), &put.json()["id"]));
    assert_eq!((&evening["used"], &evening["id"]), (&job["used"], &job["id"]));
    service.terminate();
    service.ends_well();
    let photo = table.text("winner.png");
    let home = table.text("Home.set");
    let game = |args: &[&str]| run(&[&["game", "--data", &data], args].concat());
    let begun = game(&["--json", "new", "--players", "A,B,C,D"]);
    let id = serde_json::from_slice::<Value>(&begun.stdout).expect("a game")["id"].clone();
    let id = id.as_str().expect("an id");
    let win = ["win", id, "--winner", "A", "--discarder", "B", "--photo", &photo, "--set"];
    let lost = game(&[&win[..], &["away.set"]].concat());
    assert_eq!(lost.status.code(), Some(2), "{lost:?}");
    assert!(printed(&lost).contains("away.set"), "{}", printed(&lost));
    let entered = game(&[&win[..], &[&home]].concat());
    // The row does not show which tile won, so the reading is printed and not entered.
    let said = printed(&entered);
    assert!(said.contains("type the hand: 123m456p66678sEE9s"), "{said}");
}
