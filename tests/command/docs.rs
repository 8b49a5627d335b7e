//! The worked examples of the documentation: terminal output on a page must match the program's
//! output.
//!
//! Input: every fenced block of `docs/*.md` and of the README that has a line `$ tilesight ...`.
//! Output: the lines that differ; `UPDATE=1` rewrites the pages. Networks round differently from
//! processor to processor, so that some values are not compared: percentages, the amount of clutter
//! that is seen, and the names of flowers, with the questions about them. Photos need ONNX Runtime
//! and the models.

use std::path::{Path, PathBuf};
use std::process::Command;

use tilesight_core::tile::Bonus;

/// Prompt of a typed line.
const PROMPT: &str = "$ ";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn pages() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root().join("docs")).expect("docs");
    let mut pages: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    pages.retain(|page| page.extension().is_some_and(|ending| ending == "md"));
    pages.push(root().join("README.md"));
    pages.sort();
    pages
}

/// Returns the output of a command, errors included, run in the root of the project.
fn run(command: &str) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_tilesight")).parent().expect("a folder");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let all = std::iter::once(program.to_owned()).chain(std::env::split_paths(&path));
    let output = Command::new("sh")
        .args(["-c", command])
        .current_dir(root())
        .env("PATH", std::env::join_paths(all).expect("folders"))
        .output()
        .expect("a shell");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    text(output.stdout) + &text(output.stderr)
}

/// Returns a page with the current output in every terminal block.
fn worked(page: &str) -> String {
    let mut worked = String::new();
    let mut lines = page.lines().peekable();
    let (mut fenced, mut shows_terminal) = (false, false);
    while let Some(line) = lines.next() {
        if line.starts_with("```") {
            fenced = !fenced;
            shows_terminal =
                fenced && lines.peek().is_some_and(|next| next.starts_with("$ tilesight"));
        } else if let Some(command) = line.strip_prefix(PROMPT).filter(|_| shows_terminal) {
            worked.push_str(&format!("{line}\n{}\n", run(command).trim_end()));
            continue;
        } else if shows_terminal {
            // The old output is dropped.
            continue;
        }
        worked.push_str(line);
        worked.push('\n');
    }
    worked
}

/// Returns the lines of a page as they are compared.
fn compared(page: &str) -> Vec<String> {
    let mut lines = page.lines().peekable();
    let mut kept = Vec::new();
    while let Some(line) = lines.next() {
        let asks_for_flower =
            line.starts_with("? ") && lines.peek().is_some_and(|answer| begins_with_flower(answer));
        if asks_for_flower {
            while lines.next_if(|answer| begins_with_flower(answer)).is_some() {}
        } else if !line.ends_with("more that are not part of the hand") {
            kept.push(without_flowers(&without_percentages(line)));
        }
    }
    kept
}

/// Returns whether a line is an answer to the question which flower a tile is.
fn begins_with_flower(line: &str) -> bool {
    line.starts_with("    ") && line.split_whitespace().next().is_some_and(is_flower)
}

fn is_flower(word: &str) -> bool {
    word.parse::<Bonus>().is_ok()
}

/// Returns a line in which any flower equals any other: f1 to s4 alone, a to h at the end of a
/// hand.
fn without_flowers(line: &str) -> String {
    let words = line.split(' ').map(|word| match word.split_once("||") {
        Some((tiles, flowers)) if flowers.bytes().all(|flower| flower.is_ascii_lowercase()) => {
            format!("{tiles}||{}", "?".repeat(flowers.len()))
        }
        _ if is_flower(word) => "flower".to_owned(),
        _ => word.to_owned(),
    });
    words.collect::<Vec<_>>().join(" ")
}

/// Returns a line without its percentages, which are padded to one width.
fn without_percentages(line: &str) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    let is_share = |at: usize| words.get(at + 1).is_some_and(|next| next.starts_with('%'));
    let kept = words.iter().enumerate().map(|(at, word)| match word.strip_prefix('(') {
        Some(_) if is_share(at) => "(",
        None if is_share(at) => "",
        _ => word,
    });
    kept.collect::<Vec<_>>().join(" ")
}

#[test]
fn pages_show_what_the_program_prints() {
    let mut wrong = Vec::new();
    let mut commands = 0;
    for page in pages() {
        let before = std::fs::read_to_string(&page).expect("readable");
        let now = worked(&before);
        commands += now.lines().filter(|line| line.starts_with("$ tilesight")).count();
        if std::env::var_os("UPDATE").is_some() && now != before {
            std::fs::write(&page, &now).expect("writable");
            continue;
        }
        let (before, now) = (compared(&before), compared(&now));
        let differing = before.iter().zip(&now).find(|(one, other)| one != other);
        if let Some((shown, printed)) = differing {
            wrong.push(format!("{}:\n  shows  {shown}\n  prints {printed}", page.display()));
        } else if before.len() != now.len() {
            wrong.push(format!("{}: the program prints more, or less", page.display()));
        }
    }
    assert!(wrong.is_empty(), "look at them with UPDATE=1 and git diff:\n{}", wrong.join("\n"));
    assert!(commands >= 7, "only {commands} commands were found");
}

#[test]
fn only_percentages_flowers_and_clutter_may_differ() {
    let differ = |one: &str, other: &str| compared(one) != compared(other);
    assert!(!differ("photo.jpg: read (94 % sure)", "photo.jpg: read (9 % sure)"));
    assert!(differ("photo.jpg: read (94 % sure)", "photo.jpg: read (94 % unsure)"));
    let answer = "    claimed     94 %  12 points";
    assert!(!differ(answer, "    claimed      6 %  12 points"));
    assert!(differ(answer, "    claimed     94 %  14 points"));
    assert!(!differ("Hand  [5555s]245m||a", "Hand  [5555s]245m||b"));
    assert!(differ("Hand  [5555s]245m||a", "Hand  [5555s]245m||ab"));
    assert!(differ("  f1 s2", "  f1"));
    assert!(!differ("  f1 s2\n  and 2 more that are not part of the hand", "  f3 s2"));
    let asked = "? is this tile f1? [tile 1]\n    f1  89 %  84 points\n    s1   8 %  84 points\n";
    assert!(!differ(&format!("{asked}\nnext"), "\nnext"));
    let asked = "? is this tile 5m? [tile 1]\n    5m  89 %  84 points\n    9m   8 %  84 points\n";
    assert!(differ(&format!("{asked}\nnext"), "\nnext"));
}
