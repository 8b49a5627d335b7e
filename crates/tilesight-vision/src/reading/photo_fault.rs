//! Kinds of files, and the messages about unusable photos, in every language.
//!
//! The image library's messages about broken files stay in English.

use std::fmt;

use tilesight_core::explain::{Lang, Message};
use tilesight_stills::{DecodeError, FileKind};

use crate::texts;

/// Returns the name of a kind of file in a language.
fn kind_in(kind: FileKind, lang: Lang) -> String {
    match kind {
        // Names of formats are the same everywhere.
        FileKind::Heic
        | FileKind::Avif
        | FileKind::Gif
        | FileKind::Bmp
        | FileKind::Pdf
        | FileKind::JpegXl => kind.to_string(),
        FileKind::Video => texts::file_kind::video(lang).to_owned(),
        FileKind::Empty => texts::file_kind::empty(lang).to_owned(),
        FileKind::TiffOrRaw => texts::file_kind::tiff_or_raw(lang).to_owned(),
        FileKind::Other => texts::file_kind::other(lang).to_owned(),
        FileKind::Variant => texts::file_kind::variant(lang).to_owned(),
    }
}

/// An error of the decoder as a message: the decoder itself knows no languages.
#[derive(Debug, Clone, Copy)]
pub struct PhotoFault<'a>(pub &'a DecodeError);

impl fmt::Display for PhotoFault<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Message for PhotoFault<'_> {
    fn text(&self, lang: Lang) -> String {
        match self.0 {
            DecodeError::Unsupported { kind } => {
                let kind = kind_in(*kind, lang);
                texts::photo_fault::unsupported(lang, kind)
            }
            DecodeError::UnsupportedFeature { kind, feature } => {
                texts::photo_fault::unsupported_feature(lang, kind, feature)
            }
            DecodeError::Broken(reason) => texts::photo_fault::broken(lang, reason),
            DecodeError::TooLarge { bytes, limit } => {
                texts::photo_fault::too_large(lang, bytes, limit)
            }
            DecodeError::TooManyPixels { width, height, limit } => {
                texts::photo_fault::too_many_pixels(lang, width, height, limit)
            }
            DecodeError::TooLong { width, height, limit } => {
                texts::photo_fault::too_long(lang, width, height, limit)
            }
            DecodeError::Implausible { width, height, bytes } => {
                texts::photo_fault::implausible(lang, width, height, bytes)
            }
            DecodeError::TooManyScans { limit } => texts::photo_fault::too_many_scans(lang, limit),
            DecodeError::TooMuchMetadata { limit } => {
                texts::photo_fault::too_much_metadata(lang, limit)
            }
            DecodeError::TooManyParts { limit } => texts::photo_fault::too_many_parts(lang, limit),
            DecodeError::TooMuchMemory { width, height, needed, limit } => {
                texts::photo_fault::too_much_memory(lang, width, height, needed, limit)
            }
            DecodeError::TooSmall { width, height } => {
                texts::photo_fault::too_small(lang, width, height)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The decoder has no languages and writes its errors in English itself.
    #[test]
    fn english_texts_are_those_of_the_decoder() {
        let kinds = [
            FileKind::Heic,
            FileKind::Avif,
            FileKind::Video,
            FileKind::Empty,
            FileKind::Gif,
            FileKind::Bmp,
            FileKind::TiffOrRaw,
            FileKind::Pdf,
            FileKind::JpegXl,
            FileKind::Other,
            FileKind::Variant,
        ];
        let unsupported = kinds.map(|kind| DecodeError::Unsupported { kind });
        let errors = [
            DecodeError::Broken("cut off".to_owned()),
            DecodeError::TooLarge { bytes: 21, limit: 20 },
            DecodeError::TooManyPixels { width: 7, height: 8, limit: 55 },
            DecodeError::TooLong { width: 7, height: 99, limit: 98 },
            DecodeError::Implausible { width: 7, height: 8, bytes: 3 },
            DecodeError::TooManyScans { limit: 64 },
            DecodeError::TooMuchMetadata { limit: 2048 },
            DecodeError::TooManyParts { limit: 8192 },
            DecodeError::UnsupportedFeature { kind: FileKind::Heic, feature: "iovl".to_owned() },
            DecodeError::TooMuchMemory { width: 7, height: 8, needed: 56, limit: 55 },
            DecodeError::TooSmall { width: 3, height: 4 },
        ];
        for error in unsupported.iter().chain(&errors) {
            assert_eq!(PhotoFault(error).text(Lang::En), error.to_string());
        }
    }
}
