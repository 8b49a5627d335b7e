//! Only the service's own user can read the data that it stores about people: folders 0700 and
//! files 0600, whatever the umask.
//!
//! The service runs with umask 0 and gets a job, a correction with its photo and a game; then the
//! test checks every folder and file. If the tests run as root, another user tries to read each.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::service::{Folder, Service, folder, tilesight};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::json;

const DEMO: &str = "datasets/samples/demo.jpg";
/// Number of photos of a job: more than are read during the check of its folder.
const PHOTOS: usize = 24;
/// Id of the user `nobody`, who owns no files.
const NOBODY: u32 = 65_534;

/// Returns the program with umask 0.
fn careless() -> Command {
    let mut shell = Command::new("sh");
    shell.current_dir(env!("CARGO_MANIFEST_DIR"));
    shell.args(["-c", "umask 0; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_tilesight")]);
    shell
}

/// Storage of a service: two folders that don't exist yet, nor do their parents.
struct Storage(Folder);

impl Storage {
    fn new(name: &str) -> Storage {
        Storage(folder(&format!("private-{name}")))
    }

    fn jobs(&self) -> PathBuf {
        self.0.join("kept/data")
    }

    fn feedback(&self) -> PathBuf {
        self.0.join("kept/feedback")
    }

    fn flags(&self) -> [String; 4] {
        let [jobs, feedback] =
            [self.jobs(), self.feedback()].map(|folder| folder.display().to_string());
        ["--data".to_owned(), jobs, "--feedback".to_owned(), feedback]
    }

    fn start(&self, program: Command) -> Service {
        Service::start_as(program, &self.flags().each_ref().map(String::as_str))
    }

    fn doctor(&self) -> Output {
        tilesight().arg("doctor").args(self.flags()).output().expect("the program starts")
    }

    /// Returns the permissions of all files and folders below, by their relative paths.
    fn modes(&self) -> BTreeMap<String, (bool, u32)> {
        let mut modes = BTreeMap::new();
        walk(&self.0, &self.0.join("kept"), &mut modes);
        modes
    }

    /// Returns all files and folders below that others can access.
    fn open(&self) -> Vec<String> {
        let modes = self.modes();
        let wanted = |folder| if folder { 0o700 } else { 0o600 };
        let open = modes.iter().filter(|&(_, &(folder, mode))| mode != wanted(folder));
        open.map(|(name, (_, mode))| format!("{name} {mode:o}")).collect()
    }
}

fn walk(root: &Path, path: &Path, modes: &mut BTreeMap<String, (bool, u32)>) {
    let data = fs::symlink_metadata(path).expect("it stays while it is looked at");
    let name = path.strip_prefix(root).expect("below").display().to_string();
    modes.insert(name, (data.is_dir(), data.mode() & 0o7777));
    if data.is_dir() {
        for entry in fs::read_dir(path).expect("a folder of ours") {
            walk(root, &entry.expect("an entry").path(), modes);
        }
    }
}

/// Sends a correction with its photo, a game, and a job that takes a while.
fn fill(service: &Service) {
    let photo = fs::read(DEMO).expect("the sample photo");
    let mut client = service.client();
    let read = client.post("/v1/hands", "image/jpeg", &photo);
    let mut body = json!({ "reading": read.json()["reading"], "hand": "123456789m11pFFF" });
    body["consent"] = json!({ "photo": true });
    body["photo"] = BASE64.encode(&photo).into();
    let kept = client.post("/v1/feedback", "application/json", body.to_string().as_bytes());
    assert_eq!(kept.status, 202, "{}", String::from_utf8_lossy(&kept.body));
    assert_eq!(kept.json()["stored"]["photo"], true);
    let game = json!({ "players": ["a", "b", "c", "d"] }).to_string();
    let game = client.post("/v1/games", "application/json", game.as_bytes());
    assert_eq!(game.status, 201, "{}", String::from_utf8_lossy(&game.body));
    let mut form = Vec::new();
    for number in 0..PHOTOS {
        let head = format!(
            "--edge\r\nContent-Disposition: form-data; name=\"photo\"; filename=\"{number}.jpg\"\r\n\r\n"
        );
        form.extend(head.bytes());
        form.extend(&photo);
        // Bytes after a JPEG's end have no meaning, but make it a different photo.
        form.extend(std::iter::repeat_n(0, number));
        form.extend(b"\r\n");
    }
    form.extend(b"--edge--\r\n");
    let job = client.post("/v1/jobs", "multipart/form-data; boundary=edge", &form);
    assert_eq!(job.status, 202, "{}", String::from_utf8_lossy(&job.body));
}

/// Stops the process: from here on no file is created or deleted, so files can be checked.
fn pause(service: &Service) {
    let stop = Command::new("kill").args(["-STOP", &service.process.id().to_string()]).status();
    assert!(stop.expect("kill is there").success());
}

/// Gives all users full access to a folder and its contents.
fn open_up(path: &Path) {
    let folder = path.is_dir();
    let mode = if folder { 0o777 } else { 0o666 };
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("it is ours");
    if folder {
        for entry in fs::read_dir(path).expect("a folder of ours") {
            open_up(&entry.expect("an entry").path());
        }
    }
}

/// Returns whether another user of this machine can read a file, or list a folder.
fn another_reads(path: &Path) -> bool {
    let mut look = Command::new(if path.is_dir() { "ls" } else { "cat" });
    look.arg(path).uid(NOBODY).gid(NOBODY).stdout(Stdio::null()).stderr(Stdio::null());
    look.status().expect("it starts").success()
}

fn runs_as_root() -> bool {
    let id = Command::new("id").arg("-u").output().expect("every Unix has it");
    id.stdout.starts_with(b"0\n")
}

#[test]
fn stored_files_are_private() {
    let kept = Storage::new("kept");
    let service = kept.start(careless());
    fill(&service);
    pause(&service);
    let modes = kept.modes();
    for name in ["data/jobs.sqlite3", "data/jobs.sqlite3-wal", "data/jobs.sqlite3-shm"] {
        assert!(modes.contains_key(&format!("kept/{name}")), "{name} is not in {modes:?}");
    }
    let ends = |end: &str| modes.keys().any(|name| name.ends_with(end));
    assert!(ends("feedback.json") && ends("photo.jpg") && ends("incoming"), "{modes:?}");
    assert!(modes.keys().any(|name| name.starts_with("kept/data/photos/")), "{modes:?}");
    assert_eq!(kept.open(), [""; 0]);
    if !runs_as_root() {
        eprintln!("not run as root: nobody else tries to read");
        return;
    }
    for name in modes.keys() {
        assert!(!another_reads(&kept.0.join(name)), "another user reads {name}");
    }
    // Proves that the other user can read open files.
    let public = kept.0.join("public");
    fs::write(&public, "for everybody").expect("a file");
    fs::set_permissions(&public, fs::Permissions::from_mode(0o644)).expect("it is ours");
    assert!(another_reads(&public), "the other user reads nothing at all");
}

#[test]
fn open_files_of_earlier_versions_become_private() {
    let kept = Storage::new("older");
    let service = kept.start(tilesight());
    fill(&service);
    service.terminate();
    service.ends_well();
    open_up(&kept.0.join("kept"));
    let doctor = kept.doctor();
    let said = String::from_utf8_lossy(&doctor.stdout);
    assert_eq!(doctor.status.code(), Some(3), "{said}");
    for folder in [kept.jobs(), kept.feedback()] {
        let advice = format!("chmod -R go= {}", folder.display());
        assert!(said.contains(&advice), "{advice:?} is not in {said}");
    }
    let service = kept.start(tilesight());
    let jobs = service.client().get("/v1/jobs").json();
    assert_eq!(jobs["jobs"].as_array().map(Vec::len), Some(1), "what was kept is there: {jobs}");
    pause(&service);
    let mut open = kept.open();
    // The program does not own this folder: its folders are in it.
    open.retain(|name| name != "kept 777");
    assert_eq!(open, [""; 0]);
    let doctor = kept.doctor();
    assert!(doctor.status.success(), "{}", String::from_utf8_lossy(&doctor.stdout));
}

#[test]
fn a_shared_folder_keeps_its_rights_with_a_warning() {
    let kept = Storage::new("shared");
    let jobs = kept.jobs();
    fs::create_dir_all(jobs.join("photos")).expect("folders");
    fs::write(jobs.join("photos/left-over"), "by an older program").expect("a file");
    fs::write(jobs.join("holiday.jpg"), "another program's").expect("a file");
    let secret = kept.0.join("elsewhere");
    fs::write(&secret, "not in the folder").expect("a file");
    std::os::unix::fs::symlink(&secret, jobs.join("photos/link")).expect("a link");
    for path in [&jobs, &jobs.join("photos")] {
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("it is ours");
    }
    for path in [&secret, &jobs.join("photos/left-over"), &jobs.join("holiday.jpg")] {
        fs::set_permissions(path, fs::Permissions::from_mode(0o644)).expect("it is ours");
    }
    let data = ["--data", jobs.to_str().expect("a plain path")];
    let mut serve = tilesight();
    serve.args(["serve", "--listen", "127.0.0.1:0"]).args(data);
    let mut process =
        serve.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("it starts");
    let mut log = Vec::new();
    for line in BufReader::new(process.stderr.take().expect("a pipe")).lines() {
        log.push(line.expect("text"));
        if log.last().is_some_and(|line| line.contains("ready")) {
            break;
        }
    }
    let mode = |path: &Path| fs::metadata(path).expect("it is there").mode() & 0o777;
    let modes =
        [&jobs, &jobs.join("photos"), &jobs.join("photos/left-over")].map(|path| mode(path));
    let others = [&jobs.join("holiday.jpg"), &secret].map(|path| mode(path));
    process.kill().expect("it runs");
    process.wait().expect("it ends");
    assert_eq!(modes, [0o755, 0o700, 0o600], "{log:#?}");
    assert_eq!(others, [0o644, 0o644], "{log:#?}");
    let doctor = tilesight().arg("doctor").args(data).output().expect("the program starts");
    let said = String::from_utf8_lossy(&doctor.stdout);
    assert!(
        said.contains("name a folder for this program alone") && !said.contains("chmod"),
        "{said}"
    );
    let place = jobs.display().to_string();
    let warned = |line: &&String| {
        line.contains("WARN") && line.contains("tilesight doctor") && line.contains(&place)
    };
    assert_eq!(log.iter().filter(warned).count(), 1, "{log:#?}");
}

#[test]
fn files_of_commands_are_private() {
    let kept = Storage::new("commands");
    let data = kept.jobs().display().to_string();
    let game = ["game", "new", "--data", &data, "--players", "a,b,c,d"];
    let made = careless().args(game).output().expect("the program starts");
    assert!(made.status.success(), "{made:?}");
    assert!(kept.jobs().join("jobs.sqlite3").is_file());
    let keys = kept.0.join("kept/keys.txt").display().to_string();
    let made = careless().args(["keys", "new", "app", "--file", &keys]).output();
    assert!(made.expect("the program starts").status.success());
    assert_eq!(kept.open(), [""; 0]);
    let listed = tilesight().args(["game", "list", "--data", &data]).output();
    let listed = listed.expect("the program starts").stdout;
    assert!(String::from_utf8_lossy(&listed).contains("a, b, c, d"), "{listed:?}");
}
