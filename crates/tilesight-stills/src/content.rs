//! Content of a file as its survey found it, before anything is decoded.

use super::colour::Colour;
use super::heif::Still;
use super::limits::PngHeader;
use super::webp::WebP;

/// Content of a file, by its kind.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Content<'a> {
    Jpeg(JpegContent<'a>),
    Png(PngContent<'a>),
    WebP(WebP<'a>),
    /// A parsed HEIC or AVIF.
    Still(Still<'a>),
}

/// Content of a JPEG.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct JpegContent<'a> {
    /// Frame header; a file without one is broken.
    pub(super) frame: Option<JpegFrame>,
    pub(super) colour: Colour<'a>,
}

/// Claims of a JPEG's frame header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct JpegFrame {
    pub(super) size: (u32, u32),
    /// Number of components.
    pub(super) components: u8,
    pub(super) is_progressive: bool,
}

/// Content of a PNG.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct PngContent<'a> {
    /// The file with only the chunks that the decoder needs. Compressed profiles and texts are left
    /// out: decoding a 130 KB file with a 128 MiB profile costs the profile's full size even when
    /// the file is only probed.
    pub(super) chunks: Vec<u8>,
    /// Header; a file without one is broken.
    pub(super) header: Option<PngHeader>,
    pub(super) has_transparency: bool,
    pub(super) colour: Colour<'a>,
}
