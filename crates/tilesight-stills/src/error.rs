//! Reasons why a file is not a usable photo.

use super::FileKind;

/// Why a file is not a usable photo. The sender can correct all of these.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// The bytes are of a kind that is not read here.
    #[error("{kind} is not supported: send a JPEG, PNG, WebP, HEIC or AVIF")]
    Unsupported {
        /// What the bytes are, as far as they show.
        kind: FileKind,
    },
    /// The kind of file is read, but not all that it can be.
    #[error("this {kind} file uses {feature}, which is not supported: send the photo as JPEG")]
    UnsupportedFeature {
        /// HEIC or AVIF.
        kind: FileKind,
        /// What is not supported, by the name that the format's standard has for it: that is the
        /// same in all languages.
        feature: String,
    },
    /// The file claims to be a picture but cannot be decoded.
    #[error("the picture is broken: {0}")]
    Broken(String),
    /// The file has too many bytes.
    #[error("the file has {bytes} bytes; at most {limit} are accepted")]
    TooLarge {
        /// Bytes of the file.
        bytes: usize,
        /// The limit.
        limit: usize,
    },
    /// The picture has too many pixels.
    #[error("the picture is {width}x{height}; at most {limit} pixels are accepted")]
    TooManyPixels {
        /// Width by the file's header.
        width: u32,
        /// Height by the file's header.
        height: u32,
        /// The limit.
        limit: u64,
    },
    /// A progressive JPEG with more scans than a camera writes.
    #[error("the JPEG has more than {limit} scans")]
    TooManyScans {
        /// The limit.
        limit: usize,
    },
    /// Profiles, Exif blocks and comments are larger than those of a photo.
    #[error("the picture carries more than {limit} bytes of metadata")]
    TooMuchMetadata {
        /// The limit.
        limit: usize,
    },
    /// A HEIC or AVIF of more boxes, items or tiles than a camera writes.
    #[error("the picture consists of more than {limit} parts")]
    TooManyParts {
        /// The limit.
        limit: usize,
    },
    /// One side is longer than that of any camera's picture.
    #[error("the picture is {width}x{height}; at most {limit} pixels along a side are accepted")]
    TooLong {
        /// Width by the file's header.
        width: u32,
        /// Height by the file's header.
        height: u32,
        /// The limit.
        limit: u32,
    },
    /// Far fewer bytes than a photo of this size has.
    #[error(
        "the picture claims {width}x{height} in {bytes} bytes of pixels, far fewer than a photo of that \
         size has: send the photo as the camera wrote it"
    )]
    Implausible {
        /// Width by the file's header.
        width: u32,
        /// Height by the file's header.
        height: u32,
        /// Bytes that code the pixels.
        bytes: usize,
    },
    /// The picture is too small to show a tile.
    #[error("the picture is {width}x{height}: too small to show tiles")]
    TooSmall {
        /// Width in pixels.
        width: u32,
        /// Height in pixels.
        height: u32,
    },
}

/// Returns the error for a file that ends before its picture does.
pub(super) fn cut_short() -> DecodeError {
    DecodeError::Broken("the file ends before the picture does".to_owned())
}
