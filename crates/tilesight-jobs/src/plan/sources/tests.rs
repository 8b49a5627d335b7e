//! Lists real folders, archives and lists, and checks the entry of each file in them.

use std::fs;
use std::io::{Cursor, Write};

use tilesight_core::context::{ContextSetup, WinKind};
use tilesight_core::tile::Wind;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::*;

/// A folder of files that is removed when the test ends.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str, files: &[&str]) -> Folder {
        let folder =
            std::env::temp_dir().join(format!("tilesight-sources-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        for file in files {
            let file = folder.join(file);
            fs::create_dir_all(file.parent().expect("below the folder")).expect("a folder");
            fs::write(file, b"bytes").expect("a file");
        }
        fs::create_dir_all(&folder).expect("a folder");
        Folder(folder)
    }

    /// Returns the path of a file in the folder, as a source.
    fn at(&self, name: &str) -> OsString {
        self.0.join(name).into()
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) -> OsString {
        fs::write(self.0.join(name), content).expect("a file");
        self.at(name)
    }

    /// Returns the ids and entries that the sources list.
    fn list(
        &self,
        mut sources: Sources,
        named: &[OsString],
        stdin: &[u8],
    ) -> Vec<(String, PlanEntry)> {
        let mut entries = Vec::new();
        let mut add = |entry: &PlanEntry| {
            entries.push(entry.clone());
            Ok(())
        };
        sources.list(named, &mut Cursor::new(stdin), &mut add).expect("the sink takes all");
        let here = format!("{}/", self.0.display());
        entries.into_iter().map(|entry| (entry.id.replace(&here, ""), entry)).collect()
    }

    /// Returns the ids, with `!` before those of refused entries.
    fn ids(&self, named: &[OsString], stdin: &[u8]) -> Vec<String> {
        let listed = self.list(Sources::default(), named, stdin);
        let mark =
            |entry: &PlanEntry| if matches!(entry.work, EntryWork::Refused(_)) { "!" } else { "" };
        listed.iter().map(|(id, entry)| format!("{}{id}", mark(entry))).collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn problem(entry: &PlanEntry) -> &str {
    match &entry.work {
        EntryWork::Refused(problem) => &problem.detail,
        EntryWork::Photo(photo) => panic!("{photo:?} is refused"),
    }
}

fn photo(entry: &PlanEntry) -> &TableRequest<PhotoSource> {
    match &entry.work {
        EntryWork::Photo(photo) => photo,
        EntryWork::Refused(problem) => panic!("{problem:?}"),
    }
}

fn archive(members: &[&str]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for name in members {
        zip.start_file(*name, SimpleFileOptions::default()).expect("a name");
        zip.write_all(b"bytes").expect("memory");
    }
    zip.finish().expect("memory").into_inner()
}

#[test]
fn a_folder_is_listed_by_name_with_all_its_folders() {
    let files = [
        "c/b.JPG",
        "c/a.png",
        "a.jpg",
        "b.heic",
        "notes.txt",
        ".hidden.jpg",
        ".git/x.jpg",
        "a/z.webp",
    ];
    let folder = Folder::new("folder", &files);
    let expected = ["a/z.webp", "a.jpg", "b.heic", "c/a.png", "c/b.JPG"];
    assert_eq!(folder.ids(&[folder.0.clone().into()], b""), expected);
}

#[test]
fn pictures_without_a_usual_name_are_not_passed_over_silently() {
    let folder = Folder::new("names", &["a.HIF", "notes.txt"]);
    for (name, beginning) in [
        ("IMG_0001", &b"\xff\xd8\xff\xe0"[..]),
        ("raw.arw", b"II*\0\x08\0\0\0"),
        ("table.csv", b"file,seat\n"),
    ] {
        let bytes = [beginning, &[b' '; 100]].concat();
        std::fs::write(folder.0.join(name), bytes).expect("a file");
    }
    let mut sources = Sources::default();
    let mut ids = Vec::new();
    let mut add = |entry: &PlanEntry| -> io::Result<()> {
        ids.push(entry.id.clone());
        Ok(())
    };
    let named = [folder.0.clone().into()];
    sources.list(&named, &mut io::empty(), &mut add).expect("the sink takes all");
    assert!(ids.len() == 1 && ids[0].ends_with("a.HIF"), "{ids:?}");
    let skipped = sources.skipped.lines(9);
    assert_eq!(skipped.len(), 2, "{skipped:?}");
    assert!(skipped[0].contains("IMG_0001: a picture by its content"), "{skipped:?}");
    assert!(skipped[1].contains("raw.arw"), "{skipped:?}");
}

#[test]
fn pictures_that_the_program_made_are_no_photos() {
    let record = "lessons/0123456789abcdef0123456789abcdef";
    let files = [
        "a.jpg",
        "out/overlays/b.jpg",
        "out/own.jpg",
        "out/state/id",
        "out/state/lock",
        "out/state/overlays/c.jpg",
        "out2/overlays/c.jpg",
        "out2/state/mine.jpg",
        &format!("{record}/feedback.json"),
        &format!("{record}/photo.jpg"),
        "data/jobs.sqlite3",
        "data/photos/abc.jpg",
        "old.zip",
    ];
    let folder = Folder::new("results", &files);
    let expected = ["a.jpg", "out/own.jpg", "out2/overlays/c.jpg", "out2/state/mine.jpg"];
    let not_read = |named: &[OsString], stdin: &[u8]| {
        let mut sources = Sources::default();
        let mut ids = Vec::new();
        let mut add = |entry: &PlanEntry| {
            ids.push(entry.id.replace(&format!("{}/", folder.0.display()), ""));
            Ok(())
        };
        sources.list(named, &mut Cursor::new(stdin), &mut add).expect("the sink takes all");
        (ids, sources.skipped.lines(9).join("\n").replace(&format!("{}/", folder.0.display()), ""))
    };
    let (ids, skipped) = not_read(&[folder.0.clone().into()], b"");
    assert_eq!(ids, expected);
    for line in ["out: results", "lessons: feedback", "data: jobs", "old.zip: an archive"] {
        assert!(skipped.lines().any(|skipped| skipped.starts_with(line)), "{skipped}");
    }
    assert_eq!(skipped.lines().count(), 4, "{skipped}");
    // Also by patterns, by lists, and if the shell expanded a pattern.
    let overlay = folder.0.join("out/overlays/b.jpg");
    let list = format!("{}\n", overlay.display());
    for (named, stdin) in [
        (folder.at("out/**/*.jpg"), ""),
        (overlay.clone().into_os_string(), ""),
        (folder.at("out/overlays"), ""),
        ("-".into(), list.as_str()),
    ] {
        let (ids, skipped) = not_read(std::slice::from_ref(&named), stdin.as_bytes());
        assert!(!ids.iter().any(|id| id.contains("overlays")), "{ids:?}");
        assert!(skipped.starts_with("out: results"), "{named:?}: {skipped}");
    }
    #[cfg(unix)]
    {
        fs::create_dir(folder.0.join("links")).expect("a folder");
        std::os::unix::fs::symlink(folder.0.join("out/overlays"), folder.0.join("links/drawn"))
            .expect("a link");
        let (ids, skipped) = not_read(&[folder.at("links")], b"");
        assert!(ids.is_empty() && skipped.starts_with("links/drawn: results"), "{skipped}");
    }
    // A manifest may name any file.
    let line = format!("{{\"file\":\"{}\"}}", overlay.display());
    assert_eq!(not_read(&["-".into()], line.as_bytes()).0, ["out/overlays/b.jpg"]);
}

#[cfg(unix)]
#[test]
fn names_that_are_not_text_are_ids_of_their_own() {
    use std::os::unix::ffi::OsStringExt as _;

    let folder = Folder::new("bytes", &[]);
    for name in [&b"caf\xe8.jpg"[..], b"caf\xe9.jpg", b"caf\\xe9.jpg", b" .jpg"] {
        let file = folder.0.join(OsString::from_vec(name.to_vec()));
        fs::write(file, b"bytes").expect("a file");
    }
    let named = [folder.0.clone().into()];
    let listed = folder.list(Sources::default(), &named, b"");
    let ids: Vec<_> = listed.iter().map(|(id, _)| id.as_str()).collect();
    assert_eq!(ids, [" .jpg", r"caf\\xe9.jpg", r"caf\xe8.jpg", r"caf\xe9.jpg"]);
    for (_, entry) in &listed {
        assert_eq!(path_of(&entry.id), photo(entry).photo.file);
    }
    // A table names them by their ids, and its photos of others are found beside them.
    let dark = folder.0.join(OsString::from_vec(b"t\xff".to_vec()));
    fs::create_dir(&dark).expect("a folder");
    for name in ["e.jpg", "s.jpg"] {
        fs::write(dark.join(name), b"bytes").expect("a file");
    }
    let table = folder.write(
        "t.csv",
        "file,custom_id,photo_S\n\\xe9.jpg,,\ncaf\\xe9.jpg,second,\nt\\xff/e.jpg,,t\\xff/s.jpg\n",
    );
    let contexts = ContextTable::read(Path::new(&table), &Book::shipped()).expect("a table");
    let sources = Sources { contexts: Some(contexts), ..Sources::default() };
    let listed = folder.list(sources, &named, b"");
    let ids: Vec<_> = listed.iter().map(|(id, _)| id.as_str()).collect();
    let expected =
        [" .jpg", r"caf\\xe9.jpg", r"caf\xe8.jpg", "second", r"t\xff/e.jpg", r"\xe9.jpg"];
    assert_eq!(ids, expected);
    assert_eq!(photo(&listed[4].1).others.len(), 1);
}

#[test]
fn one_id_is_one_row() {
    let folder = Folder::new("ids", &["a.jpg", "b.jpg", "t1/1.jpg", "t2/1.jpg"]);
    let manifest = folder.write(
        "list.jsonl",
        "{\"file\":\"a.jpg\",\"custom_id\":\"one\",\"no_hand\":true}\n\
         {\"file\":\"b.jpg\",\"custom_id\":\"one\"}\n\
         {\"file\":\"a.jpg\",\"custom_id\":\"one\",\"no_hand\":true}\n\
         {\"file\":\"b.jpg\",\"focus\":\"1,2\"}\n{\"file\":\"b.jpg\",\"focus\":\"3,4\"}\n",
    );
    let mut sources = Sources::default();
    let mut entries = Vec::new();
    let mut add = |entry: &PlanEntry| {
        entries.push(entry.clone());
        Ok(())
    };
    sources.list(&[manifest], &mut io::empty(), &mut add).expect("the sink takes all");
    let ids: Vec<_> = entries
        .iter()
        .map(|entry| entry.id.replace(&format!("{}/", folder.0.display()), ""))
        .collect();
    assert_eq!(ids, ["one", "list.jsonl:2", "list.jsonl:3", "b.jpg", "list.jsonl:5"]);
    assert!(problem(&entries[1]).contains("another photo has the id one"), "{entries:?}");
    assert_eq!(sources.corrections.keys().collect::<Vec<_>>(), ["one"]);
    assert!(sources.corrections["one"].no_hand);

    let names = Some(NamePattern::parse("{id}", &Book::shipped()).expect("a pattern"));
    let sources = Sources { names, ..Sources::default() };
    let listed = folder.list(sources, &[folder.at("t1"), folder.at("t2")], b"");
    let ids: Vec<_> = listed.iter().map(|(id, _)| id.as_str()).collect();
    assert_eq!(ids, ["1", "1#2"]);
    assert!(problem(&listed[1].1).contains("another photo has the id 1"), "{listed:?}");
}

#[test]
fn a_row_of_a_table_is_about_one_photo() {
    let folder = Folder::new("rows", &["t1/e.jpg", "t1/s.jpg", "t2/e.jpg", "t2/s.jpg"]);
    let table = folder.write("t.csv", "file,no_hand,photo_S\ne.jpg,x,s.jpg\n");
    let contexts = ContextTable::read(Path::new(&table), &Book::shipped()).expect("a table");
    let sources = Sources { contexts: Some(contexts), ..Sources::default() };
    let listed = folder.list(sources, &[folder.at("t1"), folder.at("t2")], b"");
    let ids: Vec<_> = listed.iter().map(|(id, _)| id.as_str()).collect();
    assert_eq!(ids, ["t1/e.jpg", "t2/e.jpg", "t2/s.jpg"], "none is left out");
    assert_eq!(photo(&listed[0].1).others.len(), 1);
    assert!(problem(&listed[1].1).contains("write more of the path"), "{listed:?}");
    assert!(problem(&listed[2].1).contains("in a row of no photo here"));
}

#[test]
fn members_of_one_name_have_rows_of_their_own() {
    let folder = Folder::new("members", &[]);
    let mut bytes = archive(&["a.jpg", "b.jpg", r"..\..\w.jpg", "old.zip"]);
    for at in 0..bytes.len() - 5 {
        if &bytes[at..at + 5] == b"b.jpg" {
            bytes[at] = b'a';
        }
    }
    let named = [folder.write("photos.zip", bytes)];
    let expected =
        ["photos.zip/a.jpg", "photos.zip/a.jpg#2", "photos.zip/w.jpg", "photos.zip/old.zip"];
    assert_eq!(folder.ids(&named, b""), expected);
    let listed = folder.list(Sources::default(), &named, b"");
    assert_eq!(photo(&listed[1].1).photo.member, Some(1));
}

#[test]
fn manifests_of_other_programs_are_read() {
    let folder = Folder::new("encodings", &["café.jpg"]);
    let text = "\u{feff}{\"file\":\"café.jpg\",\"custom_id\":\"Jürgen\"}\r\n";
    let utf16: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let ansi: Vec<u8> = text.chars().skip(1).map(|letter| letter as u8).collect();
    for bytes in [text.as_bytes().to_vec(), utf16, ansi] {
        let named = [folder.write("list.jsonl", bytes)];
        assert_eq!(folder.ids(&named, b""), ["Jürgen"]);
    }
}

#[cfg(unix)]
#[test]
fn links_are_followed_once_and_a_circle_is_reported() {
    let folder = Folder::new("links", &["real/a.jpg"]);
    std::os::unix::fs::symlink(folder.0.join("real/a.jpg"), folder.0.join("link.jpg"))
        .expect("a link");
    std::os::unix::fs::symlink(&folder.0, folder.0.join("real/up")).expect("a link");
    std::os::unix::fs::symlink("nowhere", folder.0.join("zz.jpg")).expect("a link");
    assert_eq!(
        folder.ids(&[folder.0.clone().into()], b""),
        ["link.jpg", "real/a.jpg", "!real/up", "!zz.jpg"]
    );
}

#[test]
fn every_named_source_has_an_entry() {
    let folder = Folder::new("named", &["a.jpg", "b[1].jpg", "c.txt", "empty/x.txt"]);
    let named = ["gone.jpg", "*.png", "b[1].jpg", "b[[]1].jpg", "*.jpg", "c.txt", "empty"]
        .map(|name| folder.at(name));
    // A photo that is named again keeps its one row.
    let expected = ["!gone.jpg", "!*.png", "b[1].jpg", "a.jpg", "c.txt"];
    assert_eq!(folder.ids(&named, b""), expected);
    let listed = folder.list(Sources::default(), &[folder.at("gone.jpg"), folder.at("*.png")], b"");
    assert!(problem(&listed[0].1).starts_with("the file cannot be read: "), "{listed:?}");
    assert_eq!(problem(&listed[1].1), "nothing matches the pattern");
}

#[test]
fn archives_are_listed_member_by_member() {
    let folder = Folder::new("archives", &[]);
    let bytes = archive(&["b.jpg", "club/a.png", "read.me", "__MACOSX/._b.jpg"]);
    let named = [
        folder.write("photos.zip", &bytes),
        folder.write("without-a-name", &bytes),
        folder.write("cut.zip", &bytes[..bytes.len() - 9]),
        folder.write("no.zip", b"nothing"),
    ];
    let expected = [
        "photos.zip/b.jpg",
        "photos.zip/club/a.png",
        "without-a-name/b.jpg",
        "without-a-name/club/a.png",
        "!cut.zip",
        "!no.zip",
    ];
    assert_eq!(folder.ids(&named, b""), expected);
    let listed = folder.list(Sources::default(), &named[..1], b"");
    assert_eq!(
        (photo(&listed[1].1).photo.member, &photo(&listed[1].1).photo.file),
        (Some(1), &folder.0.join("photos.zip"))
    );
}

#[test]
fn a_manifest_names_photos_beside_it_and_what_is_known_of_them() {
    let folder = Folder::new("manifest", &["day/a.jpg", "day/b.jpg"]);
    let manifest = "\u{feff}{\"file\":\"a.jpg\",\"custom_id\":\"one\",\"context\":{\"seat\":\"S\"}}\r\n\
        \n{\"file\":\"gone.jpg\",\"custom_id\":\"two\"}\n{\"file\":\"b.jpg\",\"rulesets\":[\"mcr-mil\"]}\n{\"fill\":1}\nnonsense";
    let named = [folder.write("day/list.jsonl", manifest)];
    let listed = folder.list(Sources::default(), &named, b"");
    let ids: Vec<_> = listed.iter().map(|(id, _)| id.as_str()).collect();
    assert_eq!(ids, ["one", "two", "b.jpg", "day/list.jsonl:5", "day/list.jsonl:6"]);
    assert_eq!(photo(&listed[0].1).fields.scoring.context.setup.seat, Some(Wind::South));
    assert!(problem(&listed[1].1).starts_with("the file cannot be read"));
    assert_eq!(photo(&listed[2].1).fields.scoring.rulesets, Some(vec![RulesetId::MCR_MIL]));
    assert!(problem(&listed[3].1).contains("fill"), "{listed:?}");
}

#[test]
fn standard_input_lists_paths_and_lines_of_manifests() {
    let folder = Folder::new("stdin", &["a.jpg", "b c.jpg", "sub/d.jpg"]);
    let [a, b, sub] =
        ["a.jpg", "b c.jpg", "sub"].map(|name| folder.0.join(name).display().to_string());
    let lines = format!(
        "{a}\r\n{{\"file\":\"{b}\",\"custom_id\":\"b\"}}\n\n{sub}\n{}\n{a}",
        "x".repeat(70_000)
    );
    assert_eq!(folder.ids(&["-".into()], lines.as_bytes()), ["a.jpg", "b", "sub/d.jpg", "!-:5"]);
    let sources = Sources { null: true, ..Sources::default() };
    let listed = folder.list(sources, &["-".into()], format!("{b}\0{a}\0").as_bytes());
    assert_eq!(listed.iter().map(|(id, _)| id.as_str()).collect::<Vec<_>>(), ["b c.jpg", "a.jpg"]);
}

#[test]
fn contexts_come_from_all_sides_and_must_agree() {
    let folder = Folder::new("told", &["S-discard.jpg", "W-discard.jpg", "x.jpg"]);
    let table = folder.write(
        "t.csv",
        "file,prevalent,custom_id,seat\nS-discard.jpg,N,first,\nW-discard.jpg,,,E\ngone.jpg,,,\n",
    );
    let sources = || Sources {
        context: ContextDto::from(ContextSetup {
            last_wall_tile: Some(true),
            ..ContextSetup::default()
        }),
        rulesets: vec![RulesetId::MCR_MIL],
        names: Some(NamePattern::parse("{seat}-{win}", &Book::shipped()).expect("a pattern")),
        contexts: Some(ContextTable::read(Path::new(&table), &Book::shipped()).expect("a table")),
        ..Sources::default()
    };
    let listed = folder.list(sources(), &[folder.0.clone().into()], b"");
    let ids: Vec<_> = listed.iter().map(|(id, _)| id.as_str()).collect();
    assert_eq!(ids, ["first", "W-discard.jpg", "x.jpg", "gone.jpg"]);
    let expected = ContextDto::from(ContextSetup {
        seat: Some(Wind::South),
        prevalent: Some(Wind::North),
        win: Some(WinKind::Discard),
        last_wall_tile: Some(true),
        ..ContextSetup::default()
    });
    let scoring = Scoring { context: expected, rulesets: Some(vec![RulesetId::MCR_MIL]) };
    assert_eq!(photo(&listed[0].1).fields.scoring, scoring);
    assert_eq!(problem(&listed[1].1), "context.seat: given twice, as \"E\" and as \"W\"");
    assert!(problem(&listed[2].1).contains("does not match the pattern"));
    assert!(problem(&listed[3].1).contains("not one of the photos"));
}
