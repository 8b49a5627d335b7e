//! `tilesight read` through the real binary: the shape of its answers, its error messages, and that
//! no result is lost.
//!
//! Photos need ONNX Runtime and the models; without them these tests fail, and the program prints
//! the command to run.

use std::process::{Command, Output};

use serde_json::Value;
use tilesight_vision::contract::{AnswerDto, CompactAnswerDto};

/// Name of a second sample that is read without doubt, from another tile set.
const OTHER: &str = "900001";
const DEMO: &str = "datasets/samples/demo.jpg";
/// A sample with two flowers of an art that the classifiers don't know.
const DOUBTFUL: &str = "datasets/samples/900012.jpg";

fn read(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tilesight"));
    command.current_dir(env!("CARGO_MANIFEST_DIR")).arg("read").args(args);
    command.output().expect("the binary runs")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("UTF-8")
}

#[test]
fn an_answer_has_the_envelope_of_the_contract() {
    let output = read(&[DEMO, "--json"]);
    let answer: AnswerDto = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {output:?}"));
    assert_eq!((answer.file.as_deref(), answer.request_id), (Some(DEMO), None));
    assert!(answer.reading.tiles.len() >= 14);
    let steps = answer.timings_ms.iter().filter(|(step, _)| *step != "total");
    let sum: f64 = steps.map(|(_, took)| took).sum();
    assert!((answer.timings_ms["total"] - sum).abs() < 1.0, "{:?}", answer.timings_ms);
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}

#[test]
fn possible_totals_name_the_tile_in_doubt() {
    let given = ["--ruleset", "hk-old", "--seat", "W", "--prevalent", "E", "--win", "self_drawn"];
    let output = read(&[&[DOUBTFUL], &given[..]].concat());
    let printed = text(&output.stdout);
    assert!(printed.contains("\nPossible  2–4: is this tile "), "{printed}");
}

#[test]
fn a_doubtful_photo_is_printed_in_the_language_asked_for() {
    let given = ["--ruleset", "hk-old", "--seat", "W", "--lang"];
    for (lang, words) in [
        ("en", ["read with doubts", "[tile 1]", "2 faan (2 to 4)"]),
        ("ja", ["不確かな点があります", "［牌1］", "2番（2から4）"]),
        ("zh-TW", ["已讀取，有疑問", "［第 1 張］", "2 番（2 到 4）"]),
    ] {
        let output = read(&[&[DOUBTFUL], &given[..], &[lang]].concat());
        let printed = text(&output.stdout);
        for word in words {
            assert!(printed.contains(word), "{word}: {printed}");
        }
    }
}

/// Returns the pixels of one of our samples.
fn sample(name: &str) -> image::RgbImage {
    let photo = format!("{}/datasets/samples/{name}.jpg", env!("CARGO_MANIFEST_DIR"));
    image::open(photo).expect("a photo").into_rgb8()
}

/// Writes a picture into a file of its own.
fn filed(picture: &image::RgbImage) -> tempfile::NamedTempFile {
    let file = tempfile::Builder::new().suffix(".png").tempfile().expect("a folder for files");
    picture.save_with_format(file.path(), image::ImageFormat::Png).expect("encodes");
    file
}

/// Returns the demo photo as a selfie camera would show it.
fn mirrored_demo() -> tempfile::NamedTempFile {
    filed(&image::imageops::flip_horizontal(&sample("demo")))
}

/// Returns the demo photo as if its set were dark: black where it is white, in the same hues.
fn dark_demo() -> tempfile::NamedTempFile {
    let mut photo = sample("demo");
    for pixel in photo.pixels_mut() {
        let [low, high] =
            [pixel.0.iter().min(), pixel.0.iter().max()].map(|c| c.copied().unwrap_or(0));
        pixel.0 = pixel.0.map(|c| 255 - high + (c - low));
    }
    filed(&photo)
}

#[test]
fn a_dark_set_is_read_as_a_light_one() {
    let photo = dark_demo();
    let dark = json(&read(&[photo.path().to_str().expect("UTF-8"), "--json"]));
    let light = json(&read(&[DEMO, "--json"]));
    assert_eq!(dark["reading"]["hand"]["notation"], light["reading"]["hand"]["notation"]);
}

#[test]
fn stages_show_the_steps_of_the_reading() {
    let mirrored = mirrored_demo();
    let mirrored = mirrored.path().to_str().expect("UTF-8");
    let asked: [&[&str]; 3] = [&[], &["--ruleset", "mmm"], &["--won=false"]];
    for (photo, is_mirrored) in [(DEMO, false), (mirrored, true)] {
        for flags in asked {
            let run = |what: &[&str]| json(&read(&[&[photo], what, flags].concat()));
            let answer = run(&["--json"]);
            let joint = run(&["--stage", "joint"]);
            assert_eq!(joint["hand"], answer["reading"]["hand"]["notation"], "{photo} {flags:?}");
            let sight = run(&["--stage", "mirror"]);
            assert_eq!(sight["mirrored"], is_mirrored, "{photo}");
            let count = |tiles: &Value| tiles.as_array().map(Vec::len);
            assert_eq!(count(&sight["tiles"]), count(&answer["reading"]["tiles"]), "{photo}");
        }
    }
}

/// Returns two photos of a hand in one, as of a table where two players show theirs.
fn two_hands() -> tempfile::NamedTempFile {
    let (upper, lower) = (sample("demo"), sample(OTHER));
    let mut both =
        image::RgbImage::new(upper.width().max(lower.width()), upper.height() + lower.height());
    image::imageops::replace(&mut both, &upper, 0, 0);
    image::imageops::replace(&mut both, &lower, 0, i64::from(upper.height()));
    filed(&both)
}

#[test]
fn a_hand_in_view_is_read_by_its_focus() {
    let photo = two_hands();
    let photo = photo.path().to_str().expect("UTF-8");
    let answer = json(&read(&[photo, "--json"]));
    let hands = answer["reading"]["hands_in_view"].as_array().expect("two hands").clone();
    assert_eq!(hands.len(), 2, "{hands:?}");
    for hand in &hands {
        let focus = format!("{},{}", hand["focus"]["x"], hand["focus"]["y"]);
        let one = json(&read(&[photo, "--json", "--focus", &focus]));
        let first = &one["reading"]["hands_in_view"][0];
        assert_eq!(first["focus"], hand["focus"]);
        let joint = json(&read(&[photo, "--stage", "joint", "--focus", &focus]));
        assert_eq!(joint["hand"], one["reading"]["hand"]["notation"], "stages obey it too");
    }
    let printed = read(&[photo]);
    assert!(text(&printed.stdout).contains("another hand in view"), "{printed:?}");
}

/// Returns the left and the right part of the demo photo, each without two tiles of the hand.
fn halves_of_demo() -> [tempfile::NamedTempFile; 2] {
    let photo = sample("demo");
    let (width, height) = photo.dimensions();
    let (left, right) = (width / 5, width - width / 5);
    let part = |from: u32, to: u32| {
        filed(&image::imageops::crop_imm(&photo, from, 0, to - from, height).to_image())
    };
    [part(0, right), part(left, width)]
}

#[test]
fn several_photos_of_a_hand_are_read_as_one() {
    let whole = json(&read(&[DEMO, "--json"]));
    let [left, right] = halves_of_demo();
    let photos = [&left, &right].map(|file| file.path().to_str().expect("UTF-8"));
    let overlay = tempfile::Builder::new().suffix(".png").tempfile().expect("a file");
    let overlay = overlay.path().to_str().expect("UTF-8");
    let flags = ["--together", "--json", "--overlay", overlay];
    let answer = json(&read(&[&photos[..], &flags].concat()));
    let reading = &answer["reading"];
    assert_eq!(reading["hand"]["notation"], whole["reading"]["hand"]["notation"]);
    let of_hand = reading["photos"].as_array().expect("two photos");
    let files: Vec<_> = of_hand.iter().map(|photo| photo["file"].as_str()).collect();
    assert_eq!(files, photos.map(Some));
    let base = of_hand.iter().position(|photo| photo["base"] == true).expect("a base");
    assert_eq!(answer["file"], photos[base]);
    let tiles = reading["tiles"].as_array().expect("tiles").iter();
    let named: Vec<u64> = tiles.map(|tile| tile["photo"].as_u64().expect("a photo")).collect();
    assert!(named.contains(&0) && named.contains(&1), "{named:?}");
    let (drawn, shown) = (image::open(overlay).expect("a picture"), image::open(photos[base]));
    assert_eq!(drawn.width(), shown.expect("a photo").width(), "drawn on the base");
    // The text output states which tiles come from which photo.
    let printed = read(&[&photos[..], &["--together"]].concat());
    let printed = text(&printed.stdout);
    for photo in photos {
        assert!(printed.contains(&format!("{photo} shows ")), "{printed}");
    }
    assert!(whole["reading"].get("photos").is_none(), "a photo alone is answered as ever");
    assert!(whole["reading"]["tiles"][0].get("photo").is_none());
}

#[test]
fn a_photo_of_another_hand_is_left_out_and_said() {
    let other = format!("datasets/samples/{OTHER}.jpg");
    for (lang, reason) in [("en", "its tiles are not those"), ("de", "seine Ziegel sind nicht")] {
        let printed = read(&[DEMO, &other, "--together", "--lang", lang]);
        assert!(text(&printed.stdout).contains(reason), "{printed:?}");
    }
    let answer = json(&read(&[DEMO, &other, "--together", "--json", "--detail", "compact"]));
    let used: Vec<_> =
        answer["photos"].as_array().expect("two").iter().map(|photo| &photo["used"]).collect();
    assert_eq!(used.iter().filter(|used| **used == true).count(), 1, "{answer}");
}

#[test]
fn a_fault_of_one_of_several_photos_names_its_file() {
    let bad = "Cargo.toml";
    let refused = read(&[DEMO, bad, "--together"]);
    assert_eq!(refused.status.code(), Some(2), "{refused:?}");
    assert!(text(&refused.stderr).contains(bad), "{refused:?}");
    let answer = json(&read(&[DEMO, bad, "--together", "--json"]));
    assert_eq!(answer["file"], bad);
    let many = read(&[&[DEMO; 9][..], &["--together"]].concat());
    assert!(text(&many.stderr).contains("at most 8 photos"), "{many:?}");
}

/// Maximum size of a compact answer, in bytes: a phone loads it at once on any network.
const COMPACT: usize = 4096;

#[test]
fn every_compact_answer_is_small() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/datasets/samples");
    let files = std::fs::read_dir(folder).expect("the samples are committed");
    let files = files.map(|entry| entry.expect("readable").path());
    let photos: Vec<String> = files
        .filter(|path| path.extension().is_some_and(|end| end == "jpg"))
        .map(|path| path.to_str().expect("UTF-8").to_owned())
        .collect();
    let mut arguments: Vec<&str> = photos.iter().map(String::as_str).collect();
    arguments.extend(["--json", "--detail", "compact"]);
    let output = read(&arguments);
    let lines: Vec<&str> = text(&output.stdout).lines().collect();
    assert_eq!(lines.len(), photos.len(), "{output:?}");
    for line in lines {
        let answer: CompactAnswerDto = serde_json::from_str(line).expect(line);
        assert!(line.len() <= COMPACT, "{} bytes for {:?}", line.len(), answer.file);
        assert!(answer.reading.score.is_some() != answer.reading.no_score.is_some(), "{line}");
    }
}

#[test]
fn a_compact_answer_needs_json() {
    let output = read(&[DEMO, "--detail", "compact"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(text(&output.stderr).contains("--json"), "{output:?}");
    let output = read(&[DEMO, "--json", "--detail", "short"]);
    assert!(text(&output.stderr).contains("expected `full` or `compact`"), "{output:?}");
    let nothing = filed(&image::RgbImage::new(64, 64));
    let nothing = nothing.path().to_str().expect("UTF-8");
    let answer = json(&read(&[nothing, "--json", "--detail", "compact"]));
    assert_eq!(answer["no_score"]["kind"], "no_hand", "{answer}");
}

#[test]
fn a_hand_is_read_by_the_region_that_it_lies_in() {
    let photo = json(&read(&[DEMO, "--json"]));
    let [width, height] =
        ["width", "height"].map(|side| photo["image"][side].as_u64().expect("pixels"));
    let whole = format!("0,0 {width},{height}");
    let same = json(&read(&[DEMO, "--json", "--region", &whole]));
    assert_eq!(same["reading"], photo["reading"]);
    let layout = json(&read(&[DEMO, "--stage", "layout", "--region", "0,0 2,2"]));
    assert!(layout["groups"].as_array().expect("groups").is_empty(), "{layout}");
    let output = read(&[DEMO, "--lang", "de", "--region", "0,0 2,2"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(text(&output.stdout).contains("im Bereich liegt kein Ziegel"), "{output:?}");
}

#[test]
fn an_invalid_region_is_named() {
    for (region, expected) in [
        ("left", "`left` is not a region"),
        ("1,1", "1 corners"),
        ("1,1 2,2 3,3", "one line"),
        ("0,0 99999,99999", "region: 99999,0 lies outside"),
    ] {
        let output = read(&[DEMO, "--region", region]);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(text(&output.stderr).contains(expected), "{output:?}");
    }
    let output = read(&[DEMO, DEMO, "--region", "1,1 9,9"]);
    assert!(text(&output.stderr).contains("--region is a part of one photo"), "{output:?}");
}

#[test]
fn an_invalid_focus_is_named() {
    let output = read(&[DEMO, "--focus", "9999,1"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("focus: 9999,1 lies outside"), "{output:?}");
    let output = read(&[DEMO, "--focus", "left"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("'left' for '--focus <X,Y>'"), "{output:?}");
    let output = read(&[DEMO, DEMO, "--focus", "1,1"]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn stages_obey_the_rule_set() {
    for ruleset in ["mcr-wmo", "mmm"] {
        let layout = json(&read(&[DEMO, "--stage", "layout", "--ruleset", ruleset]));
        assert_eq!(layout["ruleset"], ruleset);
    }
}

#[test]
fn contradictions_in_the_context_are_rejected_at_every_stage() {
    let output = read(&[DEMO, "--stage", "detect", "--win", "self_drawn", "--from", "left"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}

#[test]
fn an_error_is_reported_once() {
    let output = read(&[DEMO, "--win", "self_drawn", "--from", "left"]);
    assert_eq!(output.status.code(), Some(2));
    // The flags are wrong, whatever the photo shows.
    let expected = "error: What is given with the hand can't be right\n  \
         context.from: the winning tile was self-drawn: nobody discarded it\n";
    assert_eq!(text(&output.stderr), expected);
}

#[test]
fn an_unreadable_context_is_reported_without_a_photo() {
    let context = "tests/no-such-file.json";
    let output = read(&[DEMO, "--context", context]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).starts_with(&format!("error: {context}: ")), "{output:?}");
    let output = read(&[DEMO, "--context", context, "--json"]);
    let answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert!(answer["error"]["detail"].is_string() && answer.get("file").is_none(), "{answer}");
}

#[test]
fn a_picture_that_cannot_be_written_keeps_the_reading() {
    let output = read(&[DEMO, "--overlay", "no/such/folder/seen.png"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(text(&output.stdout).contains("Payments"), "{output:?}");
    assert!(text(&output.stderr).contains("no/such/folder/seen.png"), "{output:?}");
}

/// Returns a folder with copies of the demo photo.
fn copies_of_demo(names: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder for files");
    for name in names {
        let demo = concat!(env!("CARGO_MANIFEST_DIR"), "/datasets/samples/demo.jpg");
        std::fs::copy(demo, folder.path().join(name)).expect("a copy");
    }
    folder
}

/// Asserts that the program refuses arguments in a folder with these words, and leaves every file
/// there unchanged.
#[track_caller]
fn refuses(folder: &std::path::Path, args: &[&str], words: &[&str]) {
    let content = || {
        let entries = std::fs::read_dir(folder).expect("a folder");
        let paths = entries.map(|entry| entry.expect("an entry").path());
        let mut files: Vec<_> = paths.map(|path| (std::fs::read(&path).ok(), path)).collect();
        files.sort();
        files
    };
    let before = content();
    let output = Command::new(env!("CARGO_BIN_EXE_tilesight"))
        .current_dir(folder)
        .args(args)
        .output()
        .expect("the binary runs");
    assert_eq!(output.status.code(), Some(2), "{args:?}: {output:?}");
    for word in words {
        assert!(text(&output.stderr).contains(word), "{args:?}: {word:?} is not in {output:?}");
    }
    assert!(content() == before, "{args:?} changed a file");
}

#[test]
fn an_overlay_never_destroys_a_photo() {
    let folder = copies_of_demo(&["a.jpg", "b.jpg"]);
    let folder = folder.path();
    std::fs::copy(folder.join("a.jpg"), folder.join("photo.png")).expect("a copy");
    std::fs::create_dir(folder.join("folder.png")).expect("a folder");
    std::fs::create_dir(folder.join("sub")).expect("a folder");
    // Arguments as a shell expands `--overlay *.jpg`, and other names of the input.
    refuses(folder, &["read", "--overlay", "a.jpg", "b.jpg"], &["--overlay a.jpg", ".png"]);
    refuses(folder, &["read", "b.jpg", "--overlay", "b.jpg"], &["--overlay b.jpg", ".png"]);
    refuses(folder, &["read", "b.jpg", "--overlay", "seen"], &["--overlay seen", ".png"]);
    refuses(folder, &["read", "b.jpg", "--overlay", "photo.png"], &["photo.png", "--force"]);
    refuses(folder, &["read", "b.jpg", "--overlay", "folder.png"], &["no regular file"]);
    let forced = ["--overlay", "photo.png", "--force"];
    for input in ["photo.png", "./photo.png", "sub/../photo.png"] {
        refuses(folder, &[&["read", input], &forced[..]].concat(), &["this is the input", input]);
    }
    // In addition to the photo of the winner, that of another player is an input.
    let others = ["read", "a.jpg", "--other", "S=photo.png", "--ruleset", "mmm"];
    refuses(folder, &[&others, &forced[..]].concat(), &["this is the input photo.png"]);
    #[cfg(unix)]
    {
        std::fs::hard_link(folder.join("a.jpg"), folder.join("hard.png")).expect("a link");
        std::os::unix::fs::symlink("a.jpg", folder.join("soft.png")).expect("a link");
        std::os::unix::fs::symlink("nowhere.jpg", folder.join("dangling.png")).expect("a link");
        for output in ["hard.png", "soft.png"] {
            let args = ["read", "a.jpg", "--overlay", output, "--force"];
            refuses(folder, &args, &["this is the input a.jpg", output]);
        }
        refuses(folder, &["read", "a.jpg", "--overlay", "dangling.png"], &["no regular file"]);
    }
}

#[test]
fn an_own_overlay_is_drawn_again_and_a_foreign_file_by_force() {
    let folder = copies_of_demo(&["a.jpg", "foreign.png"]);
    let run = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tilesight"));
        command.current_dir(folder.path()).arg("read").args(args).output().expect("it runs")
    };
    let seen = folder.path().join("seen.png");
    for _ in 0..2 {
        let output = run(&["a.jpg", "--overlay", "seen.png"]);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        assert!(image::open(&seen).is_ok(), "it is a picture");
    }
    // An overlay is recognized as one, but still can't be the output if it is an input.
    refuses(folder.path(), &["read", "seen.png", "--overlay", "seen.png"], &["this is the input"]);
    let output = run(&["a.jpg", "--overlay", "foreign.png", "--force"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(
        std::fs::read(&seen).expect("there"),
        std::fs::read(folder.path().join("foreign.png")).expect("there"),
    );
    let left = std::fs::read_dir(folder.path()).expect("a folder").count();
    assert_eq!(left, 3, "nothing unfinished lies beside them");
}

/// Runs the program with bytes on its standard input.
fn read_from(stdin: &[u8], args: &[&str]) -> Output {
    use std::io::Write as _;
    let mut command = Command::new(env!("CARGO_BIN_EXE_tilesight"));
    command.current_dir(env!("CARGO_MANIFEST_DIR")).arg("read").args(args);
    command.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
    let mut process = command.stderr(std::process::Stdio::piped()).spawn().expect("it starts");
    let mut pipe = process.stdin.take().expect("a pipe");
    let bytes = stdin.to_vec();
    // A program that has read enough closes the pipe.
    let sending = std::thread::spawn(move || drop(pipe.write_all(&bytes)));
    let output = process.wait_with_output().expect("it ends");
    sending.join().expect("no panic");
    output
}

#[test]
fn a_photo_on_standard_input_is_read_like_a_file() {
    let photo = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/datasets/samples/demo.jpg"));
    let photo = photo.expect("the sample photo");
    let folder = tempfile::tempdir().expect("a folder for files");
    let overlay = folder.path().join("seen.png");
    let overlay = overlay.to_str().expect("UTF-8");
    let piped = json(&read_from(&photo, &["-", "--json", "--overlay", overlay]));
    let named = json(&read(&[DEMO, "--json"]));
    assert_eq!((&piped["reading"], &piped["file"]), (&named["reading"], &Value::from("-")));
    assert!(image::open(overlay).is_ok(), "the overlay is drawn on what was piped");
    let refused = read_from(&photo, &["-", "--max-bytes", "1000"]);
    assert_eq!(refused.status.code(), Some(2), "{refused:?}");
    assert!(text(&refused.stderr).contains("error: -: it has more than 1000 bytes"), "{refused:?}");
    let refused = read_from(b"", &["-"]);
    assert!(text(&refused.stderr).contains("an empty file"), "{refused:?}");
}

#[test]
fn the_limits_of_a_photo_can_be_changed() {
    for (flags, expected) in [
        (["--max-bytes", "1000"], "at most 1000 are accepted"),
        (["--max-pixels", "1000"], "at most 1000 pixels are accepted"),
    ] {
        let refused = read(&[&[DEMO], &flags[..]].concat());
        assert_eq!(refused.status.code(), Some(2), "{refused:?}");
        assert!(text(&refused.stderr).contains(expected), "{refused:?}");
        let wide = json(&read(&[DEMO, "--json", flags[0], "200000000"]));
        assert!(wide["reading"]["hand"].is_object(), "{wide}");
    }
    // A picture with more pixels than the default allows.
    let large = image::DynamicImage::ImageLuma8(image::GrayImage::from_fn(8000, 6500, |x, y| {
        image::Luma([(x / 40 + y / 30) as u8])
    }));
    let file = tempfile::Builder::new().suffix(".jpg").tempfile().expect("a file");
    large.save_with_format(file.path(), image::ImageFormat::Jpeg).expect("encodes");
    let path = file.path().to_str().expect("UTF-8");
    let refused = read(&[path]);
    assert!(text(&refused.stderr).contains("at most 50000000 pixels"), "{refused:?}");
    let stage = ["--stage", "decode", "--max-pixels", "60000000", "--max-bytes", "100000000"];
    let sized = json(&read(&[&[path], &stage[..]].concat()));
    assert_eq!((&sized["width"], &sized["height"]), (&Value::from(8000), &Value::from(6500)));
}
