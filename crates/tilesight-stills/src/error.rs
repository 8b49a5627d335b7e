//! Reasons why a file is not a usable photo.

use super::FileKind;

/// Error when a file is not a usable photo. The sender can correct each of these errors.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// Kind of file that is not supported.
    #[error("{kind} is not supported: send a JPEG, PNG, WebP, HEIC or AVIF")]
    Unsupported {
        /// Kind of the file by its first bytes.
        kind: FileKind,
    },
    /// Supported kind of file with a feature that is not supported.
    #[error("this {kind} file uses {feature}, which is not supported: send the photo as JPEG")]
    UnsupportedFeature {
        /// HEIC or AVIF.
        kind: FileKind,
        /// Name of the feature in the format's standard, which is the same in all languages.
        feature: String,
    },
    /// The file claims to be a picture but cannot be decoded.
    #[error("the picture is broken: {0}")]
    Broken(String),
    /// The file has too many bytes.
    #[error("the file has {bytes} bytes; at most {limit} are accepted")]
    TooLarge {
        /// Size of the file.
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
    /// A progressive JPEG has more scans than a camera writes.
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
    /// A HEIC or AVIF has more boxes, items or grid cells than a camera writes.
    #[error("the picture consists of more than {limit} parts")]
    TooManyParts {
        /// The limit.
        limit: usize,
    },
    /// A side is longer than that of any camera's picture.
    #[error("the picture is {width}x{height}; at most {limit} pixels along a side are accepted")]
    TooLong {
        /// Width by the file's header.
        width: u32,
        /// Height by the file's header.
        height: u32,
        /// The limit.
        limit: u32,
    },
    /// The file has far fewer bytes than a photo of this size.
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
    /// Decoding the picture would hold more memory than all photos together may.
    #[error(
        "the picture is {width}x{height}: decoding it takes {needed} bytes of memory, and at most \
         {limit} are available"
    )]
    TooMuchMemory {
        /// Width by the file's header.
        width: u32,
        /// Height by the file's header.
        height: u32,
        /// Number of bytes that decoding would hold.
        needed: u64,
        /// The limit.
        limit: u64,
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
