//! Names the sources that this program is built from, by a hash.
//!
//! Results of jobs are kept by what they depend on, and the program's own sources are part of that:
//! a version number alone would let a changed rule answer with what was read before the change.

use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash as _, Hasher as _};
use std::io;
use std::path::{Path, PathBuf};

fn main() -> io::Result<()> {
    let mut files = vec![PathBuf::from("Cargo.lock")];
    walk(Path::new("src"), &mut files)?;
    files.sort();
    // Its keys are fixed. Another compiler may hash otherwise: then it is another program too.
    let mut hash = DefaultHasher::new();
    for file in &files {
        // A package may come without its lock file.
        file.to_str().hash(&mut hash);
        fs::read(file).unwrap_or_default().hash(&mut hash);
    }
    println!("cargo::rerun-if-changed=src");
    println!("cargo::rerun-if-changed=Cargo.lock");
    println!("cargo::rustc-env=TILESIGHT_SOURCES={:016x}", hash.finish());
    Ok(())
}

fn walk(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            walk(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}
