//! ZIP archives: whatever they claim, a member yields no more bytes than the limit.

#![no_main]

use std::collections::HashSet;
use std::io::Cursor;

use libfuzzer_sys::fuzz_target;
use tilesight_jobs::batch::{Archive, Member};

/// Maximum size of a photo, in bytes: small enough for small inputs to reach it.
const LIMIT: usize = 4096;

fuzz_target!(|bytes: &[u8]| {
    let Ok(mut archive) = Archive::open(Cursor::new(bytes)) else { return };
    let members: Vec<Member> = archive.pictures().collect();
    // Each member's entry in the directory takes 46 bytes.
    assert!(members.len() <= bytes.len() / 46, "{} members", members.len());
    let names: HashSet<&str> = members.iter().map(|member| member.name.as_str()).collect();
    assert_eq!(names.len(), members.len(), "each has a name of its own");
    for member in members {
        if let Ok(content) = archive.read(member.place, LIMIT) {
            assert!(content.len() <= LIMIT);
        }
    }
    let _ = archive.index_of("manifest.jsonl");
});
