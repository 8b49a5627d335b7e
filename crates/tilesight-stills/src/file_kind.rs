//! Kinds of files that are named in errors.

use std::fmt;

/// A kind of file, as far as messages name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    /// HEIC or HEIF, which iPhones write.
    Heic,
    /// AVIF.
    Avif,
    /// A film.
    Video,
    /// No bytes.
    Empty,
    /// GIF.
    Gif,
    /// BMP.
    Bmp,
    /// TIFF, or a camera's raw file, which begins in the same way.
    TiffOrRaw,
    /// PDF.
    Pdf,
    /// JPEG XL.
    JpegXl,
    /// Anything else.
    Other,
    /// A JPEG, PNG or WebP with a feature that is not read.
    Variant,
}

impl fmt::Display for FileKind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            FileKind::Heic => "HEIC",
            FileKind::Avif => "AVIF",
            FileKind::Video => "a video",
            FileKind::Empty => "an empty file",
            FileKind::Gif => "GIF",
            FileKind::Bmp => "BMP",
            FileKind::TiffOrRaw => "TIFF or a raw photo",
            FileKind::Pdf => "PDF",
            FileKind::JpegXl => "JPEG XL",
            FileKind::Other => "this kind of file",
            FileKind::Variant => "this variant of the format",
        })
    }
}
