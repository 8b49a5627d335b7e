//! `tilesight backup` and `restore`: what a service knows, saved while it runs and put elsewhere;
//! damage, interruptions and occupied places.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Output;

use serde_json::{Value, json};

use crate::client::{Answer, Client};
use crate::service::{Folder, Service, folder, new_key, tilesight};
use crate::waiting::{Hold, aborted, at, ended, until};

const DEMO: &str = "datasets/samples/demo.jpg";
const RULES: &str = "id = \"club\"\ngame = \"mcr\"\nname = \"Club\"\nbased_on = \"mcr-wmo\"\n";

/// A service's places in a folder of its own.
struct Site(Folder);

impl Site {
    fn new(name: &str) -> Site {
        Site(folder(&format!("backup-{name}")))
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn data(&self) -> PathBuf {
        self.at("var/data")
    }

    /// Creates a key.
    fn key(&self) -> String {
        fs::create_dir(self.at("etc")).expect("a folder");
        new_key(&self.at("etc/keys.txt"), "club")
    }

    fn flags(&self) -> Vec<String> {
        let places = [
            ("--data", self.data()),
            ("--feedback", self.at("var/feedback")),
            ("--keys", self.at("etc/keys.txt")),
        ];
        let flags = places.into_iter().flat_map(|(flag, place)| [flag.into(), text(&place)]);
        flags.collect()
    }

    fn start(&self) -> Service {
        let flags = self.flags();
        let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
        Service::start_with(&flags)
    }

    fn run(&self, command: &str, place: &Path) -> Output {
        let mut program = tilesight();
        program.arg(command).arg(place).args(self.flags());
        program.output().expect("the program starts")
    }

    /// Starts a backup with points at which something happens.
    fn start_backup(&self, to: &Path, points: &str) -> std::process::Child {
        let mut program = tilesight();
        program.arg("backup").arg(to).args(self.flags());
        at(&mut program, points).spawn().expect("the program starts")
    }
}

fn text(path: &Path) -> String {
    path.to_str().expect("a plain path").to_owned()
}

#[track_caller]
fn done(output: &Output) -> String {
    assert!(output.status.success(), "{output:?}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[track_caller]
fn refusal(output: &Output, code: i32) -> String {
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{said}");
    said
}

/// Client with a key.
struct Member<'a>(&'a Service, String);

impl Member<'_> {
    fn ask(&self, method: &str, path: &str, kind: &str, body: &[u8]) -> Answer {
        let head = format!("Authorization: Bearer {}\r\nContent-Type: {kind}\r\n", self.1);
        Client::connect(self.0.address).request(method, path, &head, body)
    }

    fn get(&self, path: &str) -> Value {
        self.ask("GET", path, "text/plain", b"").json()
    }

    /// Creates a job of the sample photo, which is kept with the job.
    fn job(&self, photo: &[u8]) -> String {
        let parts: [(&str, &[u8]); 1] = [("photo", photo)];
        let form = crate::client::form(&parts);
        let job = self.ask("POST", "/v1/jobs?keep_photos=true", crate::client::FORM, &form);
        assert_eq!(job.status, 202, "{job:?}");
        job.json()["id"].as_str().expect("an id").to_owned()
    }

    fn finished(&self, job: &str) -> Value {
        let path = format!("/v1/jobs/{job}");
        until("the job is finished", || self.get(&path)["status"] == "finished");
        self.get(&format!("{path}/results"))
    }

    fn game(&self) -> Value {
        let game = json!({ "players": ["a", "b", "c", "d"] }).to_string();
        let game = self.ask("POST", "/v1/games", "application/json", game.as_bytes());
        assert_eq!(game.status, 201, "{game:?}");
        game.json()
    }
}

/// Returns the permissions of all files and folders below that others can use.
fn open_places(path: &Path) -> Vec<String> {
    let mode = path.symlink_metadata().expect("it is there").permissions().mode();
    let mut open: Vec<String> =
        (mode & 0o077 != 0).then(|| format!("{} {mode:o}", path.display())).into_iter().collect();
    if path.is_dir() {
        for entry in fs::read_dir(path).expect("a folder") {
            open.extend(open_places(&entry.expect("an entry").path()));
        }
    }
    open
}

/// Returns the names in a folder.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    entries.map(|entry| entry.expect("one").file_name().into_string().expect("text")).collect()
}

#[test]
fn a_running_service_is_saved_and_goes_on_elsewhere() {
    let here = Site::new("here");
    let key = here.key();
    let service = here.start();
    let member = Member(&service, key.clone());
    let job = member.job(&fs::read(DEMO).expect("a photo"));
    let results = member.finished(&job);
    let game = member.game();
    let backups = folder("backups");
    let places = [backups.join("folder"), backups.join("archive.zip")];
    for place in &places {
        done(&here.run("backup", place));
    }
    // What happens later is not in the backup.
    member.game();
    assert_eq!(open_places(&backups.join("folder")), [""; 0]);
    assert_eq!(open_places(&backups.join("archive.zip")), [""; 0]);
    assert_eq!(names(&backups).len(), 2, "nothing else is left");
    service.terminate();
    service.ends_well();
    let keys = text(&here.at("etc/keys.txt"));
    let listed = ["keys", "list", "--json", "--file", &keys, "--data", &text(&here.data())];
    let listed = done(&tilesight().args(listed).output().expect("it starts"));
    let listed: Value = serde_json::from_str(&listed).expect("JSON");
    let used = &listed[0]["usage"];
    assert_eq!(used["total"]["photos"], 1, "a service that ends saves what was used: {listed}");
    assert!(used["month"]["requests"].as_u64() > Some(3), "{listed}");
    for place in &places {
        let there = Site::new("there");
        let said = done(&there.run("restore", place));
        for part in ["jobs", "seal.key", "keys.txt"] {
            assert!(said.contains(part), "{part}: {said}");
        }
        assert_eq!(open_places(&there.at("var")), [""; 0]);
        assert_eq!(open_places(&there.at("etc")), [""; 0]);
        let service = there.start();
        let member = Member(&service, key.clone());
        assert_eq!(member.get(&format!("/v1/jobs/{job}/results")), results);
        let path = format!("/v1/jobs/{job}/review/0/photo");
        assert_eq!(member.ask("GET", &path, "text/plain", b"").status, 200, "{path}");
        let games = member.get("/v1/games");
        assert_eq!(games["games"].as_array().map(Vec::len), Some(1), "{games}");
        let found = member.get(&format!("/v1/games/{}", game["id"].as_str().expect("an id")));
        assert_eq!(found["id"], game["id"]);
        assert_eq!(found["link"], game["link"], "the key of links was restored");
        drop(service);
        let again = refusal(&there.run("restore", place), 2);
        assert!(again.contains("empty places") && again.contains("keys.txt"), "{again}");
    }
}

#[test]
fn a_photo_that_vanishes_during_the_backup_is_no_part_of_it() {
    let here = Site::new("vanishing");
    let key = here.key();
    let service = here.start();
    let member = Member(&service, key);
    let photos = [DEMO, "datasets/samples/900001.jpg", "datasets/samples/900002.jpg"]
        .map(|file| fs::read(file).expect("a photo"));
    let [gone, kept] = [0, 1].map(|photo| member.job(&photos[photo]));
    member.finished(&gone);
    member.finished(&kept);
    let hold = Hold::new(&here.0, "backup");
    let to = here.at("saved");
    let mut backup = here.start_backup(&to, &hold.at("backup.database@1"));
    hold.reached();
    let deleted = member.ask("DELETE", &format!("/v1/jobs/{gone}"), "text/plain", b"");
    assert_eq!(deleted.status, 204, "{deleted:?}");
    let later = member.job(&photos[2]);
    hold.release();
    assert!(ended(&mut backup).success());
    let there = Site::new("vanished");
    let said = done(&there.run("restore", &to));
    assert!(!said.contains("missing"), "{said}");
    let photos = names(&there.data().join("photos")).len();
    let service = there.start();
    let member = Member(&service, member.1);
    let jobs = member.get("/v1/jobs");
    let ids: Vec<&str> = jobs["jobs"]
        .as_array()
        .expect("a list")
        .iter()
        .flat_map(|job| job["id"].as_str())
        .collect();
    assert!(ids.contains(&kept.as_str()) && !ids.contains(&gone.as_str()), "{jobs}");
    // The second copy of the database has the job that came meanwhile, with its photo.
    assert!(ids.contains(&later.as_str()), "{jobs}");
    assert_eq!(photos, 2);
}

/// Returns a service's places with a database, a key and a set of rules, without the service.
fn stored(name: &str) -> (Site, PathBuf) {
    let site = Site::new(name);
    site.key();
    let data = text(&site.data());
    let game = ["game", "new", "--data", &data, "--players", "a,b,c,d"];
    done(&tilesight().args(game).output().expect("the program starts"));
    let to = site.at("saved");
    (site, to)
}

#[test]
fn a_backup_that_is_killed_leaves_nothing_that_looks_whole() {
    let (site, to) = stored("killed");
    let archive = site.at("saved.zip");
    for point in ["backup.database", "backup.file", "backup.manifest", "backup.rename"] {
        for to in [&to, &archive] {
            aborted(&mut site.start_backup(to, &format!("{point}@1=abort")));
            assert!(!to.exists(), "{point}");
            let there = Site::new("killed-there");
            refusal(&there.run("restore", to), 3);
            let draft = PathBuf::from(format!("{}.unfinished", to.display()));
            assert!(draft.exists(), "{point}");
            refusal(&there.run("restore", &draft), 2);
        }
    }
    for to in [&to, &archive] {
        done(&site.run("backup", to));
        refusal(&site.run("backup", to), 2);
    }
    let left = names(&site.0);
    assert!(!left.iter().any(|name| name.contains("unfinished")), "{left:?}");
}

/// Damage to a file of a backup; `None` where the file is removed.
type Change<'a> = &'a dyn Fn(Vec<u8>) -> Option<Vec<u8>>;

#[test]
fn a_damaged_or_newer_backup_is_refused_before_anything_is_written() {
    let (site, to) = stored("damaged");
    done(&site.run("backup", &to));
    assert!(done(&check(&to)).contains("sound"));
    let changes: [(&str, Change, &str); 6] = [
        ("jobs/jobs.sqlite3", &|bytes| Some(flipped(bytes)), "jobs/jobs.sqlite3 differs"),
        ("jobs/jobs.sqlite3", &|bytes| Some(bytes[..bytes.len() - 1].to_vec()), "differs"),
        ("keys.txt", &|_| None, "keys.txt is missing"),
        ("manifest.json", &|_| None, "not a complete backup"),
        (
            "manifest.json",
            &|bytes| Some(replaced(bytes, "\"version\": 1", "\"version\": 2")),
            "newer",
        ),
        (
            "manifest.json",
            &|bytes| Some(replaced(bytes, "\"keys.txt\"", "\"../x\"")),
            "no backup has",
        ),
    ];
    for (name, change, reason) in changes {
        let file = to.join(name);
        let before = fs::read(&file).expect("a file");
        match change(before.clone()) {
            Some(changed) => fs::write(&file, changed).expect("a file"),
            None => fs::remove_file(&file).expect("a file"),
        }
        let there = Site::new("damaged-there");
        for said in [refusal(&check(&to), 2), refusal(&there.run("restore", &to), 2)] {
            assert!(said.contains(reason), "{name}: {said}");
        }
        assert_eq!(names(&there.0), [""; 0], "{name}");
        fs::write(&file, before).expect("a file");
    }
    let archive = site.at("saved.zip");
    done(&site.run("backup", &archive));
    let bytes = fs::read(&archive).expect("a file");
    for damaged in [flipped(bytes.clone()), bytes[..bytes.len() / 2].to_vec()] {
        fs::write(&archive, damaged).expect("a file");
        refusal(&check(&archive), 2);
    }
}

/// Checks a backup without restoring it.
fn check(place: &Path) -> Output {
    tilesight().args(["restore", "--check"]).arg(place).output().expect("the program starts")
}

/// Returns bytes with one bit changed, in the middle.
fn flipped(mut bytes: Vec<u8>) -> Vec<u8> {
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    bytes
}

fn replaced(bytes: Vec<u8>, from: &str, to: &str) -> Vec<u8> {
    let text = String::from_utf8(bytes).expect("text");
    assert!(text.contains(from), "{text}");
    text.replace(from, to).into_bytes()
}

#[test]
fn a_restore_that_is_killed_is_no_service_until_it_is_repeated() {
    let (site, to) = stored("cut");
    done(&site.run("backup", &to));
    for point in ["restore.file[keys.txt]@1", "restore.file[jobs/jobs.sqlite3]@1"] {
        let there = Site::new("cut-there");
        let mut restore = tilesight();
        restore.arg("restore").arg(&to).args(there.flags());
        aborted(&mut at(&mut restore, &format!("{point}=abort")).spawn().expect("it starts"));
        let mut serve = tilesight();
        serve.args(["serve", "--listen", "127.0.0.1:0"]).args(there.flags());
        for output in [serve.output().expect("it starts"), there.run("restore", &to)] {
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(!output.status.success() && said.contains("cut off"), "{said}");
        }
        fs::remove_dir_all(there.at("var")).expect("a folder");
        fs::remove_dir_all(there.at("etc")).expect("a folder");
        done(&there.run("restore", &to));
        let data = text(&there.data());
        let listed = tilesight().args(["game", "list", "--data", &data]).output();
        assert!(done(&listed.expect("it starts")).contains("a, b, c, d"));
    }
}

#[test]
fn own_sets_and_rules_are_saved_and_a_part_without_a_place_is_named() {
    let (site, to) = stored("parts");
    fs::create_dir(site.at("rules")).expect("a folder");
    fs::write(site.at("rules/club.toml"), RULES).expect("a file");
    fs::write(site.at("rules/notes.txt"), "not a profile").expect("a file");
    fs::create_dir(site.at("sets")).expect("a folder");
    fs::write(site.at("sets/home.set"), "{}").expect("a file");
    let more =
        ["--rules", &text(&site.at("rules")), "--sets", &text(&site.at("sets"))].map(str::to_owned);
    let saved = tilesight().arg("backup").arg(&to).args(site.flags()).args(&more).output();
    done(&saved.expect("it starts"));
    let there = Site::new("parts-there");
    let said = refusal(&there.run("restore", &to), 2);
    assert!(said.contains("no place") && said.contains("sets"), "{said}");
    let more =
        ["--rules", &text(&there.at("r")), "--sets", &text(&there.at("s"))].map(str::to_owned);
    let restored = tilesight().arg("restore").arg(&to).args(there.flags()).args(&more).output();
    done(&restored.expect("it starts"));
    assert_eq!(fs::read_to_string(there.at("r/club.toml")).expect("a file"), RULES);
    assert_eq!((names(&there.at("r")).len(), names(&there.at("s")).len()), (1, 1));
    let nothing = tilesight().arg("backup").arg(there.at("empty")).output().expect("it starts");
    assert!(refusal(&nothing, 3).contains("nothing to save"));
    assert!(!there.at("empty").exists() && !there.at("empty.unfinished").exists());
}
