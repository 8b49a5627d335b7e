//! `tilesight keys`: keys are created, listed and revoked; an impossible request gets a reason and
//! changes nothing.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

/// A file of keys in a folder of its own, removed at the end.
struct KeysFile(PathBuf);

impl KeysFile {
    fn new(name: &str) -> KeysFile {
        let folder =
            std::env::temp_dir().join(format!("tilesight-keys-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        KeysFile(folder)
    }

    fn path(&self) -> PathBuf {
        self.0.join("keys.txt")
    }

    fn text(&self) -> String {
        fs::read_to_string(self.path()).expect("it is there")
    }

    fn run(&self, args: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tilesight"));
        command.arg("keys").args(args).arg("--file").arg(self.path());
        command.output().expect("the program runs")
    }

    /// Returns the message of a call that must fail.
    fn refusal(&self, args: &[&str]) -> String {
        let output = self.run(args);
        assert!(!output.status.success(), "{args:?}");
        String::from_utf8(output.stderr).expect("text")
    }
}

impl Drop for KeysFile {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Lists the keys of a configuration file.
fn list_by(config: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tilesight"));
    command.args(["keys", "list", "--config"]).arg(config);
    command.output().expect("the program runs")
}

#[test]
fn keys_are_made_listed_and_revoked() {
    let keys = KeysFile::new("life");
    assert!(keys.run(&["new", "app"]).status.success());
    assert!(keys.run(&["new", "club", "--rate", "9", "--expires", "2999-01-31"]).status.success());
    assert!(keys.run(&["new", "guest", "--expires", "90d"]).status.success());
    let listed: Value =
        serde_json::from_slice(&keys.run(&["list", "--json"]).stdout).expect("JSON");
    assert_eq!(listed[0]["name"], "app");
    assert_eq!((&listed[0]["rate"], &listed[0]["expires"]), (&600.into(), &Value::Null));
    assert_eq!((&listed[1]["rate"], &listed[1]["expired"]), (&9.into(), &false.into()));
    assert_eq!(listed[1]["expires"], "2999-02-01T00:00:00Z", "it is accepted on its last day");
    assert!(listed[2]["expires"].is_string(), "{listed}");
    let table = String::from_utf8(keys.run(&["list"]).stdout).expect("text");
    assert!(table.contains("club") && table.contains("expires 2999-02-01"), "{table}");
    assert!(!table.contains(keys.text().split_whitespace().nth(1).expect("a hash")), "{table}");

    // The settings of the service name the same file.
    let config = keys.path().with_file_name("service.toml");
    fs::write(&config, "keys = 'keys.txt'\ndata = 'jobs'").expect("settings");
    assert_eq!(list_by(&config).stdout, table.as_bytes());
    fs::write(&config, "data = 'jobs'").expect("settings");
    let refused = String::from_utf8(list_by(&config).stderr).expect("text");
    assert!(refused.contains("names no `keys`"), "{refused}");

    let before = keys.text();
    assert!(keys.refusal(&["new", "app"]).contains("a key app already: choose another name"));
    assert_eq!(keys.text(), before, "nothing is changed");

    let comment = format!("# who may\n{}", keys.text());
    fs::write(keys.path(), &comment).expect("written");
    assert!(keys.run(&["revoke", "app"]).status.success());
    let left = keys.text();
    assert!(left.starts_with("# who may\nclub ") && !left.contains("app "), "{left}");
    assert!(keys.refusal(&["revoke", "app"]).contains("no key app"));
    assert!(keys.run(&["revoke", "guest"]).status.success());
    let last = keys.text();
    assert!(keys.refusal(&["revoke", "club"]).contains("last key"));
    assert_eq!(keys.text(), last, "nothing is changed");
}

#[test]
fn names_and_times_that_cannot_be_say_the_rule() {
    let keys = KeysFile::new("refused");
    for name in ["a b", "", "Zoë", &"a".repeat(65)] {
        let message = keys.refusal(&["new", name]);
        assert!(message.contains("1 to 64 letters, digits and -_."), "{message}");
    }
    for time in ["yesterday", "2020-01-31", "9999999999999y", "2027-02-31"] {
        let message = keys.refusal(&["new", "app", "--expires", time]);
        assert!(message.contains("day"), "{time}: {message}");
    }
    assert!(!keys.path().exists(), "nothing was made");
}

#[test]
fn quotas_are_set_and_listed() {
    let keys = KeysFile::new("quotas");
    let made = keys.run(&["new", "club", "--photos-a-day", "500", "--requests-a-month", "9000"]);
    assert!(made.status.success(), "{made:?}");
    assert!(keys.text().trim_end().ends_with(" photos/day=500 requests/month=9000"));
    let listed: Value =
        serde_json::from_slice(&keys.run(&["list", "--json"]).stdout).expect("JSON");
    assert_eq!(
        (&listed[0]["quotas"]["photos_a_day"], &listed[0]["usage"]),
        (&500.into(), &Value::Null)
    );
    let table = String::from_utf8(keys.run(&["list"]).stdout).expect("text");
    assert!(table.contains("at most 500 photos a day, 9000 requests a month"), "{table}");
    assert!(!keys.run(&["new", "none", "--photos-a-day", "0"]).status.success());
}
