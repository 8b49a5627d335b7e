//! `tilesight completions` and `tilesight man`: completions for shells and manual pages.

use std::fs;
use std::process::{Command, Output};

use crate::service::{folder, tilesight};

fn run(args: &[&str]) -> Output {
    tilesight().args(args).output().expect("the program starts")
}

/// Returns the names of the subcommands, as `--help` lists them.
fn subcommands(of: &[&str]) -> Vec<String> {
    let help = String::from_utf8(run(&[of, &["--help"]].concat()).stdout).expect("text");
    let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let listed = lines.take_while(|line| !line.is_empty());
    let names = listed.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    names.filter(|name| !name.is_empty() && *name != "help").map(str::to_owned).collect()
}

#[test]
fn every_shell_completes_every_subcommand() {
    let names = subcommands(&[]);
    assert!(names.iter().any(|name| name == "completions"), "{names:?}");
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let output = run(&["completions", shell]);
        assert!(output.status.success(), "{shell}: {output:?}");
        let script = String::from_utf8(output.stdout).expect("text");
        for name in names.iter().map(String::as_str).chain(["--last-wall-tile", "undo"]) {
            assert!(script.contains(name.trim_start_matches('-')), "{shell}: {name}");
        }
    }
    assert_eq!(run(&["completions", "dos"]).status.code(), Some(2));
}

#[test]
fn bash_completes_what_is_typed() {
    let folder = folder("completions");
    let script = folder.join("tilesight.bash");
    fs::write(&script, run(&["completions", "bash"]).stdout).expect("a file");
    let typed = "source \"$1\"; COMP_WORDS=(tilesight game und); COMP_CWORD=2; \
                 _tilesight tilesight und game; echo \"${COMPREPLY[@]}\"";
    let output = Command::new("bash").args(["-c", typed, "bash"]).arg(&script).output();
    let output = output.expect("bash");
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), "undo", "{output:?}");
}

#[test]
fn every_subcommand_has_a_manual_page() {
    let folder = folder("manual");
    let pages = folder.join("man/man1");
    let args = ["man", pages.to_str().expect("a plain path")];
    for _ in 0..2 {
        let output = run(&args);
        assert!(output.status.success(), "{output:?}");
    }
    let mut expected = vec!["tilesight.1".to_owned()];
    for name in subcommands(&[]) {
        let below = subcommands(&[&name]);
        expected.extend(below.iter().map(|below| format!("tilesight-{name}-{below}.1")));
        expected.push(format!("tilesight-{name}.1"));
    }
    expected.sort();
    let files = fs::read_dir(&pages).expect("the folder");
    let mut written: Vec<String> = files
        .map(|file| file.expect("a file").file_name().into_string().expect("a name"))
        .collect();
    written.sort();
    assert_eq!(written, expected);
    let page = fs::read_to_string(pages.join("tilesight-game-win.1")).expect("a page");
    assert!(page.contains(".TH tilesight-game-win 1") && page.contains("\\-\\-winner"), "{page}");
    let page = fs::read_to_string(pages.join("tilesight.1")).expect("a page");
    assert!(page.contains("Exit codes"), "{page}");
}

#[test]
fn a_file_that_is_no_manual_page_is_not_overwritten() {
    let folder = folder("manual-foreign");
    let file = folder.join("tilesight-score.1");
    fs::write(&file, "my notes").expect("a file");
    let output = run(&["man", folder.to_str().expect("a plain path")]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("tilesight-score.1"), "{output:?}");
    assert_eq!(fs::read_to_string(&file).expect("the file"), "my notes");
    assert_eq!(fs::read_dir(&*folder).expect("the folder").count(), 1, "nothing was written");
}

#[test]
fn the_version_names_what_a_report_needs() {
    let text = |args: &[&str]| String::from_utf8(run(args).stdout).expect("text");
    let short = text(&["-V"]);
    assert_eq!(short, format!("tilesight {}\n", env!("CARGO_PKG_VERSION")));
    let long = text(&["--version"]);
    assert!(long.starts_with(&short), "{long}");
    for part in ["commit", "platform", std::env::consts::ARCH, "features", "ONNX Runtime"] {
        assert!(long.contains(part), "{long}");
    }
}
