//! Choice of pictures by file name, for sources in which photos are not named individually.
//!
//! Input: the name of a file in a folder or an archive. Invariant: the name decides only whether a
//! file is chosen; its bytes decide what it is. Unsupported kinds are chosen too, so that such a
//! photo becomes a failure with advice instead of going missing unnoticed.

use std::path::Path;

/// Extensions that cameras, phones and scanners give to pictures.
const PICTURES: [&str; 22] = [
    "jpg", "jpeg", "jpe", "jfif", "mpo", "png", "apng", "webp", "heic", "heics", "heif", "heifs",
    "hif", "avif", "avifs", "gif", "bmp", "tif", "tiff", "dng", "jxl", "jp2",
];

/// Folder that macOS adds to archives: it holds no photos, but files that are named like them.
const RESOURCES: &str = "__MACOSX";

/// Returns whether a file with this name is meant to be read.
#[must_use]
pub fn is_picture(path: &Path) -> bool {
    let kind = path.extension().and_then(|kind| kind.to_str()).map(str::to_ascii_lowercase);
    kind.is_some_and(|kind| PICTURES.contains(&kind.as_str())) && !is_hidden(path)
}

/// Returns whether a file with this name is a ZIP archive.
#[must_use]
pub fn is_zip(path: &Path) -> bool {
    path.extension().is_some_and(|kind| kind.eq_ignore_ascii_case("zip"))
}

/// Returns whether any part of the path is hidden, or a resource fork.
#[must_use]
pub fn is_hidden(path: &Path) -> bool {
    path.components().any(|part| match part {
        std::path::Component::Normal(name) => {
            name.as_encoded_bytes().starts_with(b".") || name == RESOURCES
        }
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_chosen_by_name() {
        for (name, expected) in [
            ("a.jpg", true),
            ("club/IMG_1.JPEG", true),
            ("b.HEIC", true),
            ("DSC01234.HIF", true),
            ("dsc01235.hif", true),
            ("burst.heics", true),
            ("../up/c.png", true),
            ("./d.webp", true),
            ("notes.txt", false),
            ("jpg", false),
            (".jpg", false),
            ("._a.jpg", false),
            (".thumbnails/a.jpg", false),
            ("__MACOSX/club/a.jpg", false),
        ] {
            assert_eq!(is_picture(Path::new(name)), expected, "{name}");
        }
    }
}
