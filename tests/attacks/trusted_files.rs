//! Files that the service opens with its own rights: a file that another user put in place of one
//! is neither read nor changed, and the message says why and what to do.
//!
//! Another user's files and links can be created only if the tests run as root; cases without
//! another user are tested everywhere.

use std::fs::{self, Permissions};
use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown, lchown, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::service::{Folder, folder, tilesight};

/// Id of the user `nobody`, who owns no files.
const NOBODY: u32 = 65_534;
/// Output of `openssl rand -hex 32`.
const KEY: &str = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\n";

/// A folder like /tmp, in which every user may create files.
struct Shared(Folder);

impl Shared {
    fn new(name: &str) -> Shared {
        let shared = Shared(folder(&format!("trusted-{name}")));
        mode(&shared.0, 0o1777);
        shared
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn write(&self, name: &str, content: &str) -> PathBuf {
        let file = self.at(name);
        fs::write(&file, content).expect("a file");
        file
    }
}

fn mode(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).expect("it is ours");
}

fn mode_of(path: &Path) -> u32 {
    fs::metadata(path).expect("it is there").mode() & 0o7777
}

fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output().expect("every Unix has it");
    let root = id.stdout.starts_with(b"0\n");
    if !root {
        eprintln!("not run as root: there are no files of another user");
    }
    root
}

/// Asserts that a service with these flags ends at once, for a reason with these words; the doctor
/// agrees.
#[track_caller]
fn refuses(flags: &[&str], words: &[&str]) {
    for command in [&["serve", "--listen", "127.0.0.1:0"][..], &["doctor"]] {
        // A service that started would never end; the line with its address is its output.
        let mut program = tilesight();
        let program = program.args(command).args(flags).stdout(Stdio::piped());
        let mut process = program.stderr(Stdio::piped()).spawn().expect("it starts");
        let mut started = String::new();
        let mut lines = BufReader::new(process.stdout.take().expect("a pipe"));
        lines.read_line(&mut started).expect("text");
        if started.starts_with("tilesight listens") {
            process.kill().expect("it runs");
            panic!("{flags:?}: the service started");
        }
        let mut printed = started;
        std::io::Read::read_to_string(&mut lines, &mut printed).expect("text");
        let output = process.wait_with_output().expect("it ends");
        printed.push_str(&String::from_utf8_lossy(&output.stderr));
        assert!(matches!(output.status.code(), Some(2 | 3)), "{command:?} {flags:?}: {printed}");
        for word in words {
            assert!(printed.contains(word), "{command:?} {flags:?}: {word:?} is not in {printed}");
        }
    }
}

#[test]
fn the_key_beside_the_data_is_never_a_link() {
    let shared = Shared::new("key");
    fs::create_dir(shared.at("club")).expect("a folder");
    let data = shared.at("club").display().to_string();
    let link = shared.at("club.key");
    // The target of the link looks like a key, like something else, or is missing.
    for (name, content) in [("secret", KEY), ("notes", "our phone numbers\n"), ("missing", "")] {
        let target = shared.at("targets");
        fs::create_dir_all(&target).expect("a folder");
        let target = target.join(name);
        if !content.is_empty() {
            fs::write(&target, content).expect("a file");
            mode(&target, 0o644);
        }
        symlink(&target, &link).expect("a link");
        refuses(&["--data", &data], &["club.key is a link", "remove the link"]);
        fs::remove_file(&link).expect("a link");
        match content {
            "" => assert!(!target.exists(), "nothing is made there"),
            _ => assert_eq!(mode_of(&target), 0o644, "{name} keeps its rights"),
        }
    }
    // A file that is not a key keeps its permissions too.
    let foreign = shared.write("club.key", "our phone numbers\n");
    mode(&foreign, 0o644);
    let doctor = tilesight().args(["doctor", "--data", &data]).output().expect("it starts");
    assert!(doctor.status.code().is_some(), "{doctor:?}");
    let made = crate::service::Service::start_with(&["--data", &data]);
    drop(made);
    assert_eq!(
        (mode_of(&foreign), fs::read_to_string(&foreign).expect("there")),
        (0o644, "our phone numbers\n".to_owned())
    );
    // The service's own file is closed to others.
    fs::write(&foreign, KEY).expect("a file");
    drop(crate::service::Service::start_with(&["--data", &data]));
    assert_eq!(mode_of(&foreign), 0o600);
}

/// Names of the entries of a folder, each with its mode.
fn inside(folder: &Path) -> Vec<(String, u32)> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("it").path());
    let mut found: Vec<_> = entries
        .map(|path| {
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            (name, fs::symlink_metadata(&path).expect("it is there").mode() & 0o777)
        })
        .collect();
    found.sort();
    found
}

#[test]
fn a_data_folder_that_is_refused_stays_as_it_is() {
    let shared = Shared::new("refused");
    let club = shared.at("club");
    let data = club.display().to_string();
    let elsewhere = shared.at("elsewhere");
    fs::create_dir(&elsewhere).expect("a folder");
    mode(&elsewhere, 0o755);
    let is_link = |name: &'static str| [name, "is a link", "name another folder"];
    let file = |name: &str, bytes: &[u8]| {
        fs::write(club.join(name), bytes).expect("a file");
        mode(&club.join(name), 0o644);
    };
    type Trap<'a> = (&'a dyn Fn(), [&'a str; 3]);
    let traps: [Trap; 6] = [
        (&|| file("jobs.sqlite3", &[b'x'; 5000]), ["jobs.sqlite3", "is not a database", "backup"]),
        (&|| file("jobs.sqlite3", b""), ["jobs.sqlite3", "is empty", "backup"]),
        (&|| file("incoming", b"a diary"), ["incoming", "is a file", "name another folder"]),
        (&|| symlink(&elsewhere, club.join("incoming")).expect("a link"), is_link("incoming")),
        (&|| symlink(&elsewhere, club.join("photos")).expect("a link"), is_link("photos")),
        (
            &|| symlink(elsewhere.join("x"), club.join("jobs.sqlite3-journal")).expect("a link"),
            is_link("jobs.sqlite3-journal"),
        ),
    ];
    for (set, words) in traps {
        fs::create_dir(&club).expect("a folder");
        mode(&club, 0o755);
        set();
        let before = inside(&club);
        refuses(&["--data", &data], &words);
        assert_eq!((mode_of(&club), inside(&club)), (0o755, before), "{words:?}");
        assert_eq!((mode_of(&elsewhere), inside(&elsewhere)), (0o755, Vec::new()), "{words:?}");
        assert!(!shared.at("club.key").exists(), "{words:?}");
        fs::remove_dir_all(&club).expect("ours");
    }
}

/// A user who names a folder by a link may not know its other purposes.
#[test]
fn a_folder_behind_a_link_keeps_its_rights() {
    for flag in ["--feedback", "--data"] {
        let shared = Shared::new("linked");
        let folder = shared.at("folder");
        fs::create_dir(&folder).expect("a folder");
        mode(&folder, 0o755);
        let link = shared.at("link");
        symlink(&folder, &link).expect("a link");
        let place = link.display().to_string();
        let mut program = tilesight();
        program.args(["serve", "--listen", "127.0.0.1:0", flag, &place]);
        let service = program.stdout(Stdio::null()).stderr(Stdio::piped()).spawn();
        let mut service = service.expect("it starts");
        let mut log = String::new();
        for line in BufReader::new(service.stderr.take().expect("a pipe")).lines() {
            log += &line.expect("text");
            if log.contains("ready") {
                break;
            }
        }
        service.kill().expect("it runs");
        service.wait().expect("it ends");
        assert_eq!(mode_of(&folder), 0o755, "{flag}: {log}");
        assert!(log.contains("WARN") && log.contains("tilesight doctor"), "{flag}: {log}");
        let open: Vec<_> =
            inside(&folder).into_iter().filter(|(_, mode)| mode & 0o77 != 0).collect();
        assert_eq!(open, [], "{flag}: what the service makes is private");
        let doctor = tilesight().args(["doctor", flag, &place]).output().expect("it starts");
        let said = String::from_utf8_lossy(&doctor.stdout).into_owned();
        assert!(said.contains(&format!("chmod -R go= {place}")), "{flag}: {said}");
    }
}

/// Returns flags, each with a file that it may name.
fn named_files(shared: &Shared) -> Vec<(&'static str, PathBuf)> {
    let made = shared.at("made.txt");
    let new = ["keys", "new", "app", "--file", made.to_str().expect("UTF-8")];
    let output = tilesight().args(new).output().expect("it starts");
    assert!(output.status.success(), "{output:?}");
    let keys = fs::read_to_string(&made).expect("the keys");
    vec![
        ("--keys", shared.write("keys.txt", &keys)),
        ("--seal-key", shared.write("seal.key", KEY)),
        ("--config", shared.write("settings.toml", "workers = 1\n")),
        ("--rules", shared.write("house.toml", HOUSE)),
    ]
}

/// Profile of a club.
const HOUSE: &str = "id = \"house\"\ngame = \"mcr\"\n[title]\nen = \"House\"\n";

#[test]
fn files_that_others_can_change_are_not_used() {
    let shared = Shared::new("open");
    fs::create_dir(shared.at("data")).expect("a folder");
    let data = shared.at("data").display().to_string();
    for (flag, file) in named_files(&shared) {
        let path = file.display().to_string();
        let flags = ["--data", &data, flag, &path];
        mode(&file, 0o646);
        if flag == "--rules" {
            // The doctor does not read rule sets.
            serve_refuses(&flags, &[&path, "chmod o-w"]);
            continue;
        }
        refuses(&flags, &[&path, "every user of this machine", "chmod o-w"]);
    }
}

#[track_caller]
fn serve_refuses(flags: &[&str], words: &[&str]) {
    let output = tilesight().args(["serve", "--listen", "127.0.0.1:0"]).args(flags).output();
    let output = output.expect("it starts");
    let printed = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{flags:?}: {printed}");
    for word in words {
        assert!(printed.contains(word), "{flags:?}: {word:?} is not in {printed}");
    }
}

#[test]
fn files_and_links_of_another_user_are_not_used() {
    if !is_root() {
        return;
    }
    let shared = Shared::new("foreign");
    fs::create_dir(shared.at("data")).expect("a folder");
    mode(&shared.at("data"), 0o700);
    let data = shared.at("data").display().to_string();
    for (flag, file) in named_files(&shared) {
        if flag == "--rules" {
            continue;
        }
        let link = shared.at("link");
        symlink(&file, &link).expect("a link");
        let place = link.display().to_string();
        // Our own link to our own file is as good as the file: this is how containers get their
        // secrets.
        let doctor = tilesight().args(["doctor", "--data", &data, flag, &place]).output();
        let doctor = doctor.expect("it starts");
        assert!(doctor.status.success(), "{flag}: {}", String::from_utf8_lossy(&doctor.stdout));
        lchown(&link, Some(NOBODY), None).expect("we are root");
        refuses(
            &["--data", &data, flag, &place],
            &[&place, "a link that another user made", "65534"],
        );
        fs::remove_file(&link).expect("a link");
        chown(&file, Some(NOBODY), None).expect("we are root");
        let path = file.display().to_string();
        refuses(&["--data", &data, flag, &path], &[&path, "belongs to another user", "chown 0"]);
        chown(&file, Some(0), Some(NOBODY)).expect("we are root");
        mode(&file, 0o660);
        refuses(&["--data", &data, flag, &path], &["all users of its group", "chmod g-w"]);
    }
    // A folder of ours that another user's link leads to keeps its permissions.
    let ours = shared.at("ours");
    fs::create_dir(&ours).expect("a folder");
    mode(&ours, 0o755);
    let link = shared.at("planted");
    symlink(&ours, &link).expect("a link");
    lchown(&link, Some(NOBODY), None).expect("we are root");
    refuses(&["--data", &link.display().to_string()], &["a link that another user made"]);
    assert_eq!(mode_of(&ours), 0o755);
    // Another user's file in place of the key that the service creates.
    let key = shared.write("data.key", KEY);
    chown(&key, Some(NOBODY), None).expect("we are root");
    mode(&key, 0o644);
    refuses(&["--data", &data], &["data.key belongs to another user"]);
    assert_eq!(mode_of(&key), 0o644);
}
