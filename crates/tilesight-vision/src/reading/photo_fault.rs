//! Kinds of files, and the messages about unusable photos, in five languages.
//!
//! The image library's messages about broken files stay in English.

use std::fmt;

use tilesight_core::explain::{Lang, Message, said};
use tilesight_stills::{DecodeError, FileKind};

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
        FileKind::Video => said!(&kind, lang, "ein Video", "en video", "en video", "视频"),
        FileKind::Empty => {
            said!(&kind, lang, "eine leere Datei", "en tom fil", "en tom fil", "空文件")
        }
        FileKind::TiffOrRaw => said!(
            &kind,
            lang,
            "TIFF oder ein Rohbild",
            "TIFF eller et råbillede",
            "TIFF eller en råbild",
            "TIFF 或原始照片"
        ),
        FileKind::Other => {
            said!(
                &kind,
                lang,
                "diese Art Datei",
                "denne slags fil",
                "den här sortens fil",
                "这种文件"
            )
        }
        FileKind::Variant => said!(
            &kind,
            lang,
            "diese Spielart des Formats",
            "denne variant af formatet",
            "den här varianten av formatet",
            "该格式的这种变体"
        ),
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
    fn said(&self, lang: Lang) -> String {
        match self.0 {
            DecodeError::Unsupported { kind } => {
                let kind = kind_in(*kind, lang);
                said!(
                    self,
                    lang,
                    "{kind} wird nicht unterstützt: sende JPEG, PNG, WebP, HEIC oder AVIF",
                    "{kind} understøttes ikke: send JPEG, PNG, WebP, HEIC eller AVIF",
                    "{kind} stöds inte: skicka JPEG, PNG, WebP, HEIC eller AVIF",
                    "不支持{kind}：请发送 JPEG、PNG、WebP、HEIC 或 AVIF",
                )
            }
            DecodeError::UnsupportedFeature { kind, feature } => said!(
                self,
                lang,
                "diese {kind}-Datei benutzt {feature}, was nicht unterstützt wird: sende das Foto als JPEG",
                "denne {kind}-fil bruger {feature}, som ikke understøttes: send billedet som JPEG",
                "den här {kind}-filen använder {feature}, som inte stöds: skicka bilden som JPEG",
                "此 {kind} 文件使用了不支持的 {feature}：请以 JPEG 格式发送照片",
            ),
            DecodeError::Broken(reason) => said!(
                self,
                lang,
                "das Bild ist beschädigt: {reason}",
                "billedet er beskadiget: {reason}",
                "bilden är skadad: {reason}",
                "图片已损坏：{reason}",
            ),
            DecodeError::TooLarge { bytes, limit } => said!(
                self,
                lang,
                "die Datei hat {bytes} Byte; höchstens {limit} werden angenommen",
                "filen har {bytes} byte; højst {limit} tages imod",
                "filen har {bytes} byte; högst {limit} tas emot",
                "文件有 {bytes} 字节；最多接受 {limit} 字节",
            ),
            DecodeError::TooManyPixels { width, height, limit } => said!(
                self,
                lang,
                "das Bild ist {width}x{height} groß; höchstens {limit} Pixel werden angenommen",
                "billedet er {width}x{height}; højst {limit} pixel tages imod",
                "bilden är {width}x{height}; högst {limit} bildpunkter tas emot",
                "图片为 {width}x{height}；最多接受 {limit} 像素",
            ),
            DecodeError::TooLong { width, height, limit } => said!(
                self,
                lang,
                "das Bild ist {width}x{height} groß; an jeder Seite werden höchstens {limit} Pixel angenommen",
                "billedet er {width}x{height}; højst {limit} pixel tages imod langs en side",
                "bilden är {width}x{height}; högst {limit} bildpunkter tas emot längs en sida",
                "图片为 {width}x{height}；每边最多接受 {limit} 像素",
            ),
            DecodeError::Implausible { width, height, bytes } => said!(
                self,
                lang,
                "das Bild will {width}x{height} groß sein, hat aber nur {bytes} Byte Bilddaten, viel weniger als ein Foto dieser Größe: sende das Foto, wie die Kamera es schrieb",
                "billedet siges at være {width}x{height}, men har kun {bytes} byte billeddata, langt færre end et foto af den størrelse: send billedet, som kameraet skrev det",
                "bilden sägs vara {width}x{height} men har bara {bytes} byte bilddata, långt färre än ett foto av den storleken: skicka bilden som kameran skrev den",
                "图片声称为 {width}x{height}，但图像数据只有 {bytes} 字节，远少于该尺寸的照片：请发送相机原始照片",
            ),
            DecodeError::TooManyScans { limit } => said!(
                self,
                lang,
                "das JPEG hat mehr als {limit} Durchläufe",
                "JPEG-filen har mere end {limit} gennemløb",
                "JPEG-filen har fler än {limit} genomgångar",
                "JPEG 的扫描超过 {limit} 次",
            ),
            DecodeError::TooMuchMetadata { limit } => said!(
                self,
                lang,
                "das Bild trägt mehr als {limit} Byte Metadaten",
                "billedet har mere end {limit} byte metadata",
                "bilden har mer än {limit} byte metadata",
                "图片的元数据超过 {limit} 字节",
            ),
            DecodeError::TooManyParts { limit } => said!(
                self,
                lang,
                "das Bild besteht aus mehr als {limit} Teilen",
                "billedet består af mere end {limit} dele",
                "bilden består av fler än {limit} delar",
                "图片由超过 {limit} 个部分组成",
            ),
            DecodeError::TooSmall { width, height } => said!(
                self,
                lang,
                "das Bild ist {width}x{height} groß: zu klein, um Ziegel zu zeigen",
                "billedet er {width}x{height}: for lille til at vise brikker",
                "bilden är {width}x{height}: för liten för att visa brickor",
                "图片为 {width}x{height}：太小，看不出牌",
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use tilesight_core::explain::check;

    use super::*;

    #[test]
    fn everything_that_is_wrong_with_a_file_is_said_in_five_languages() {
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
        check(
            kinds.map(|kind| DecodeError::Unsupported { kind }).iter().map(PhotoFault),
            &["HEIC", "GIF", "WebP", "AVIF"],
        );
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
            DecodeError::TooSmall { width: 3, height: 4 },
        ];
        check(
            errors.iter().map(PhotoFault),
            &[
                "cut off", "21", "20", "7x8", "7x99", "98", "55", "64", "2048", "8192", "HEIC",
                "iovl", "3x4",
            ],
        );
    }
}
