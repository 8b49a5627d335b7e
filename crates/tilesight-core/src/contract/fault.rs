//! Faults of a request other than those of its hand, its win context and the rules, in five
//! languages.
//!
//! Input: none. Output: a [`RequestFault`] for each sentence. Invariant: the same mistake has the
//! same message in every form of request.

use std::fmt;

use crate::explain::{Lang, Message, said};
use crate::printable::complaint;
use crate::tile::{Tile, Wind};

/// A fault of a field or a part of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum RequestFault {
    /// A part or parameter occurs twice.
    GivenTwice,
    /// A field occurs twice, with different values.
    GivenDifferently {
        /// First value, as clients write it.
        one: String,
        /// Second value.
        other: String,
    },
    /// The query and the body contradict each other.
    QueryAndBodyDiffer,
    /// The query is not form-encoded.
    BadQuery,
    /// A part of the form is missing.
    PartMissing,
    /// A part of the form is too large.
    PartTooLarge {
        /// Maximum number of bytes.
        limit: usize,
    },
    /// A photo has no bytes.
    EmptyPhoto,
    /// A text is not base64.
    NotBase64,
    /// More photos of one hand than are read together.
    TooManyPhotos {
        /// Maximum number of photos.
        limit: usize,
    },
    /// The JSON of a hand is too large.
    HandTooLarge {
        /// Maximum number of bytes.
        limit: usize,
    },
    /// More concealed tiles than any hand has.
    TooManyTiles {
        /// Number of tiles in the request.
        found: usize,
    },
    /// More melds than any hand has.
    TooManyMelds {
        /// Number of melds in the request.
        found: usize,
    },
    /// More tiles than any meld has.
    TooManyInMeld {
        /// Number of tiles in the request.
        found: usize,
    },
    /// More flowers than exist.
    TooManyFlowers {
        /// Number of flowers in the request.
        found: usize,
    },
    /// The claimed tile is not part of its meld.
    NotInMeld {
        /// The tile.
        tile: Tile,
    },
    /// The tiles of a meld do not form its kind of set.
    NotAMeld {
        /// `chow`, `pung` or `kong`.
        kind: &'static str,
        /// Tiles of the meld, as they were sent.
        tiles: String,
    },
    /// A concealed meld is not a kong.
    OnlyKongConcealed,
    /// A tile was added to a meld that is not a kong.
    OnlyKongAdded,
    /// A concealed kong has an added tile.
    ConcealedKongAdded,
    /// A concealed kong has a claimed tile.
    ConcealedKongClaimed,
    /// A chow has a tile from another player than the one to the left.
    ChowFromLeft,
    /// A list of rule sets is empty.
    NoRulesets,
    /// More hands than players beside the winner.
    TooManyOthers {
        /// Number of players who did not win.
        most: usize,
    },
    /// The winner's photo is of a hand that has not won.
    WinnerNotFirst,
    /// The only hand of a request has not won.
    OtherNotWon,
    /// Photos of other hands for a rule set that scores only the winner.
    WinnerAlone {
        /// The rule set.
        ruleset: String,
        /// Names of the rule sets that score every player.
        every: String,
    },
    /// A second hand is in the seat that the winner has by default.
    SeatAssumed {
        /// The seat.
        seat: Wind,
    },
    /// A second hand is in the winner's seat.
    SeatOfWinner {
        /// The seat.
        seat: Wind,
    },
    /// A list has more entries than are accepted.
    TooMany {
        /// Maximum number of entries.
        most: usize,
    },
    /// The reading has no doubt of this id.
    UnknownDoubt,
    /// The doubt has no such answer.
    NotAnAnswer {
        /// Answers of the doubt, separated by commas.
        answers: String,
    },
    /// The answer does not determine the hand.
    AnswerNeedsHand,
    /// A value is not a point in a photo.
    NotAPoint,
    /// A value is not a list of points.
    NotPoints,
    /// A value is neither a photo nor a list of photos.
    NotPhotos,
    /// A value is neither the index of a tile nor its outline.
    NotATile,
    /// A number is not whole or is out of range.
    OutOfRange {
        /// Smallest accepted number.
        least: u64,
        /// Largest accepted number.
        most: u64,
    },
    /// A part of a form is not in UTF-8.
    PartNotUtf8,
    /// The discarder of the winning tile is missing.
    WhoDiscarded,
    /// A text has no characters.
    EmptyText,
    /// A text contains a character that can't be printed.
    Unprintable {
        /// The character.
        letter: char,
    },
    /// A line is too long.
    LineTooLong {
        /// Maximum number of bytes.
        most: usize,
    },
}

impl fmt::Display for RequestFault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RequestFault::GivenTwice => out.write_str("given twice"),
            RequestFault::GivenDifferently { one, other } => {
                write!(out, "given twice, as {one} and as {other}")
            }
            RequestFault::QueryAndBodyDiffer => {
                out.write_str("the query and the body name different ones")
            }
            RequestFault::BadQuery => out.write_str("the query is not form-encoded"),
            RequestFault::PartMissing => out.write_str("the part is missing"),
            RequestFault::PartTooLarge { limit } => {
                write!(out, "the part may have at most {limit} bytes")
            }
            RequestFault::EmptyPhoto => out.write_str("the photo is empty"),
            RequestFault::NotBase64 => out.write_str(
                "expected the photo in base64 (RFC 4648, also in its URL-safe form), or a data URL",
            ),
            RequestFault::TooManyPhotos { limit } => {
                write!(out, "at most {limit} photos of one hand are read together")
            }
            RequestFault::HandTooLarge { limit } => {
                write!(out, "a hand may have at most {limit} bytes")
            }
            RequestFault::TooManyTiles { found } => {
                write!(out, "{found} tiles: a hand has at most 18")
            }
            RequestFault::TooManyMelds { found } => {
                write!(out, "{found} melds: a hand has at most four")
            }
            RequestFault::TooManyInMeld { found } => {
                write!(out, "{found} tiles: a meld has at most four")
            }
            RequestFault::TooManyFlowers { found } => {
                write!(out, "{found} flowers: there are eight")
            }
            RequestFault::NotInMeld { tile } => write!(out, "{tile} is not one of its tiles"),
            RequestFault::NotAMeld { kind, tiles } => write!(out, "not a {kind}: {tiles}"),
            RequestFault::OnlyKongConcealed => out.write_str("only a kong can be a concealed meld"),
            RequestFault::OnlyKongAdded => {
                out.write_str("only a kong can be made by adding a tile")
            }
            RequestFault::ConcealedKongAdded => {
                out.write_str("a concealed kong did not have a tile added")
            }
            RequestFault::ConcealedKongClaimed => {
                out.write_str("nothing was claimed for a concealed kong")
            }
            RequestFault::ChowFromLeft => out.write_str("a chow can only be claimed from the left"),
            RequestFault::NoRulesets => out.write_str("the list of rule sets is empty"),
            RequestFault::TooManyOthers { most } => {
                write!(out, "at most {most} hands: {most} players did not win")
            }
            RequestFault::WinnerNotFirst => {
                out.write_str("when the hands of others are sent, `photo` is the hand that won")
            }
            RequestFault::OtherNotWon => out.write_str(
                "a hand that has not won is scored beside the winning hand, as one of `others`",
            ),
            RequestFault::WinnerAlone { ruleset, every } => write!(
                out,
                "{ruleset} scores only the winner's hand; every player's is scored by {every}"
            ),
            RequestFault::SeatAssumed { seat } => write!(
                out,
                "{seat} is assumed to be the winner's seat, because `context.seat` is not given"
            ),
            RequestFault::SeatOfWinner { seat } => write!(out, "{seat} is the winner's seat"),
            RequestFault::TooMany { most } => write!(out, "at most {most} entries"),
            RequestFault::UnknownDoubt => out.write_str("the reading has no doubt with this `id`"),
            RequestFault::NotAnAnswer { answers } => {
                write!(out, "not an answer of this doubt: expected {answers}")
            }
            RequestFault::AnswerNeedsHand => out.write_str(
                "this answer does not say what the hand is then: send the corrected `hand`",
            ),
            RequestFault::NotAPoint => out.write_str(
                "expected a point in pixels, such as {\"x\": 412, \"y\": 300} or \"412,300\"",
            ),
            RequestFault::NotPoints => out.write_str(
                "expected a list of points in pixels, such as [[96, 310], [1460, 610]] for a box",
            ),
            RequestFault::NotPhotos => {
                out.write_str("expected a photo in base64, or a list of photos")
            }
            RequestFault::NotATile => out.write_str("expected the index of a tile or its outline"),
            RequestFault::OutOfRange { least, most } => {
                write!(out, "expected a whole number from {least} to {most}")
            }
            RequestFault::PartNotUtf8 => out.write_str("the part is not in UTF-8"),
            RequestFault::WhoDiscarded => out.write_str("who discarded the winning tile?"),
            RequestFault::EmptyText => out.write_str("the text is empty"),
            RequestFault::Unprintable { letter } => out.write_str(&complaint(*letter)),
            RequestFault::LineTooLong { most } => {
                write!(out, "the line has more than {most} bytes")
            }
        }
    }
}

impl Message for RequestFault {
    fn said(&self, lang: Lang) -> String {
        match self {
            RequestFault::GivenTwice => said!(
                self,
                lang,
                "doppelt angegeben",
                "angivet to gange",
                "angivet två gånger",
                "重复给出"
            ),
            RequestFault::GivenDifferently { one, other } => said!(
                self,
                lang,
                "doppelt angegeben, als {one} und als {other}",
                "angivet to gange, som {one} og som {other}",
                "angivet två gånger, som {one} och som {other}",
                "重复给出：{one} 和 {other}"
            ),
            RequestFault::QueryAndBodyDiffer => said!(
                self,
                lang,
                "Query und Inhalt nennen Verschiedenes",
                "forespørgslen og indholdet angiver noget forskelligt",
                "frågesträngen och innehållet anger olika saker",
                "查询参数与正文不一致"
            ),
            RequestFault::BadQuery => said!(
                self,
                lang,
                "die Query ist nicht als Formular kodiert",
                "forespørgslen er ikke formularkodet",
                "frågesträngen är inte formulärkodad",
                "查询参数不是表单编码"
            ),
            RequestFault::PartMissing => {
                said!(self, lang, "der Teil fehlt", "delen mangler", "delen saknas", "缺少该部分")
            }
            RequestFault::PartTooLarge { limit } => said!(
                self,
                lang,
                "der Teil darf höchstens {limit} Byte haben",
                "delen må højst være {limit} byte",
                "delen får ha högst {limit} byte",
                "该部分最多 {limit} 字节"
            ),
            RequestFault::EmptyPhoto => said!(
                self,
                lang,
                "das Foto ist leer",
                "billedet er tomt",
                "bilden är tom",
                "照片为空"
            ),
            RequestFault::NotBase64 => said!(
                self,
                lang,
                "erwartet: das Foto in Base64 (RFC 4648, auch in der Form für URLs), oder eine data-URL",
                "forventet: billedet i base64 (RFC 4648, også i formen til URL'er), eller en data-URL",
                "förväntat: bilden i base64 (RFC 4648, även i formen för URL:er), eller en data-URL",
                "应为 base64 的照片（RFC 4648，也可用 URL 安全形式），或 data URL"
            ),
            RequestFault::TooManyPhotos { limit } => said!(
                self,
                lang,
                "höchstens {limit} Fotos einer Hand werden zusammen gelesen",
                "højst {limit} billeder af en hånd læses sammen",
                "högst {limit} bilder av en hand läses tillsammans",
                "同一手牌最多一起识别 {limit} 张照片"
            ),
            RequestFault::HandTooLarge { limit } => said!(
                self,
                lang,
                "eine Hand darf höchstens {limit} Byte haben",
                "en hånd må højst være {limit} byte",
                "en hand får ha högst {limit} byte",
                "一手牌最多 {limit} 字节"
            ),
            RequestFault::TooManyTiles { found } => said!(
                self,
                lang,
                "{found} Ziegel: eine Hand hat höchstens 18",
                "{found} brikker: en hånd har højst 18",
                "{found} brickor: en hand har högst 18",
                "{found} 张牌：一手牌最多 18 张"
            ),
            RequestFault::TooManyMelds { found } => said!(
                self,
                lang,
                "{found} ausgelegte Figuren: eine Hand hat höchstens vier",
                "{found} udlagte sæt: en hånd har højst fire",
                "{found} utlagda kombinationer: en hand har högst fyra",
                "{found} 副副露：一手牌最多四副"
            ),
            RequestFault::TooManyInMeld { found } => said!(
                self,
                lang,
                "{found} Ziegel: eine ausgelegte Figur hat höchstens vier",
                "{found} brikker: et udlagt sæt har højst fire",
                "{found} brickor: en utlagd kombination har högst fyra",
                "{found} 张牌：一副副露最多四张"
            ),
            RequestFault::TooManyFlowers { found } => said!(
                self,
                lang,
                "{found} Glücksziegel: es gibt acht",
                "{found} blomster: der er otte",
                "{found} blommor: det finns åtta",
                "{found} 张花牌：一共八张"
            ),
            RequestFault::NotInMeld { tile } => said!(
                self,
                lang,
                "{tile} ist keiner ihrer Ziegel",
                "{tile} er ikke en af dets brikker",
                "{tile} är inte en av dess brickor",
                "{tile} 不在这副牌中"
            ),
            RequestFault::NotAMeld { kind, tiles } => said!(
                self,
                lang,
                "nicht `{kind}`: {tiles}",
                "ikke `{kind}`: {tiles}",
                "inte `{kind}`: {tiles}",
                "不是 `{kind}`：{tiles}"
            ),
            RequestFault::OnlyKongConcealed => said!(
                self,
                lang,
                "nur ein Vierling kann verdeckt ausgelegt sein",
                "kun en kong kan ligge skjult på bordet",
                "bara en kong kan ligga dold på bordet",
                "只有杠可以是暗的副露"
            ),
            RequestFault::OnlyKongAdded => said!(
                self,
                lang,
                "nur ein Vierling kann durch Ergänzen entstehen",
                "kun en kong kan opstå ved at tilføje en brik",
                "bara en kong kan bildas genom att lägga till en bricka",
                "只有杠可以由加牌而成"
            ),
            RequestFault::ConcealedKongAdded => said!(
                self,
                lang,
                "ein verdeckter Vierling wurde nicht ergänzt",
                "en skjult kong er ikke udvidet",
                "en dold kong har inte utökats",
                "暗杠不是加成的"
            ),
            RequestFault::ConcealedKongClaimed => said!(
                self,
                lang,
                "für einen verdeckten Vierling wurde nichts gerufen",
                "intet blev taget til en skjult kong",
                "inget togs till en dold kong",
                "暗杠没有吃碰来的牌"
            ),
            RequestFault::ChowFromLeft => said!(
                self,
                lang,
                "eine Folge kann nur von links gerufen werden",
                "en chow kan kun tages fra venstre",
                "en chow kan bara tas från vänster",
                "顺子只能吃上家的牌"
            ),
            RequestFault::NoRulesets => said!(
                self,
                lang,
                "die Liste der Regelwerke ist leer",
                "listen over regelsæt er tom",
                "listan över regler är tom",
                "规则列表为空"
            ),
            RequestFault::TooManyOthers { most } => said!(
                self,
                lang,
                "höchstens {most} Hände: {most} Spieler haben nicht gewonnen",
                "højst {most} hænder: {most} spillere vandt ikke",
                "högst {most} händer: {most} spelare vann inte",
                "最多 {most} 手牌：有 {most} 家没有和"
            ),
            RequestFault::WinnerNotFirst => said!(
                self,
                lang,
                "werden Hände anderer mitgeschickt, ist `photo` die Siegerhand",
                "når andres hænder sendes med, er `photo` vinderhånden",
                "när andras händer skickas med är `photo` vinsthanden",
                "发送别家的牌时，`photo` 应为和牌者的牌"
            ),
            RequestFault::OtherNotWon => said!(
                self,
                lang,
                "eine Hand, die nicht gewonnen hat, wird neben der Siegerhand gewertet, als eine der `others`",
                "en hånd, der ikke har vundet, regnes ved siden af vinderhånden, som en af `others`",
                "en hand som inte har vunnit räknas bredvid vinsthanden, som en av `others`",
                "没有和的牌应作为 `others` 之一，与和牌者的牌一起计分"
            ),
            RequestFault::WinnerAlone { ruleset, every } => said!(
                self,
                lang,
                "{ruleset} wertet nur die Siegerhand; die aller Spieler werten {every}",
                "{ruleset} regner kun vinderens hånd; alle spilleres regnes af {every}",
                "{ruleset} räknar bara vinnarens hand; allas räknas av {every}",
                "{ruleset} 只计和牌者的牌；计所有人牌的规则有 {every}"
            ),
            RequestFault::SeatAssumed { seat } => said!(
                self,
                lang,
                "{seat} gilt als Platz des Siegers, weil `context.seat` nicht angegeben ist",
                "{seat} antages at være vinderens plads, fordi `context.seat` ikke er angivet",
                "{seat} antas vara vinnarens plats, eftersom `context.seat` inte är angiven",
                "未给出 `context.seat`，因此假定 {seat} 为和牌者的座位"
            ),
            RequestFault::SeatOfWinner { seat } => said!(
                self,
                lang,
                "{seat} ist der Platz des Siegers",
                "{seat} er vinderens plads",
                "{seat} är vinnarens plats",
                "{seat} 是和牌者的座位"
            ),
            RequestFault::TooMany { most } => said!(
                self,
                lang,
                "höchstens {most} Einträge",
                "højst {most} poster",
                "högst {most} poster",
                "最多 {most} 项"
            ),
            RequestFault::UnknownDoubt => said!(
                self,
                lang,
                "die Lesung hat keinen Zweifel mit dieser `id`",
                "aflæsningen har ingen tvivl med denne `id`",
                "avläsningen har inget tvivel med denna `id`",
                "识别结果中没有此 `id` 的疑问"
            ),
            RequestFault::NotAnAnswer { answers } => said!(
                self,
                lang,
                "keine Antwort auf diesen Zweifel: erwartet wird {answers}",
                "ikke et svar på denne tvivl: forventet {answers}",
                "inget svar på detta tvivel: förväntat {answers}",
                "不是此疑问的答案：应为 {answers}"
            ),
            RequestFault::AnswerNeedsHand => said!(
                self,
                lang,
                "diese Antwort sagt nicht, wie die Hand dann ist: die berichtigte `hand` senden",
                "svaret siger ikke, hvordan hånden så er: send den rettede `hand`",
                "svaret säger inte hur handen då är: skicka den rättade `hand`",
                "此答案没有说明手牌变成什么：请发送更正后的 `hand`"
            ),
            RequestFault::NotAPoint => said!(
                self,
                lang,
                "erwartet: ein Punkt in Pixeln, etwa {{\"x\": 412, \"y\": 300}} oder \"412,300\"",
                "forventet: et punkt i pixel, f.eks. {{\"x\": 412, \"y\": 300}} eller \"412,300\"",
                "förväntat: en punkt i bildpunkter, t.ex. {{\"x\": 412, \"y\": 300}} eller \"412,300\"",
                "应为像素点，如 {{\"x\": 412, \"y\": 300}} 或 \"412,300\""
            ),
            RequestFault::NotPoints => said!(
                self,
                lang,
                "erwartet: eine Liste von Punkten in Pixeln, etwa [[96, 310], [1460, 610]] für ein Rechteck",
                "forventet: en liste af punkter i pixel, f.eks. [[96, 310], [1460, 610]] for et rektangel",
                "förväntat: en lista med punkter i bildpunkter, t.ex. [[96, 310], [1460, 610]] för en rektangel",
                "应为像素点的列表，如矩形 [[96, 310], [1460, 610]]"
            ),
            RequestFault::NotPhotos => said!(
                self,
                lang,
                "erwartet: ein Foto in Base64 oder eine Liste von Fotos",
                "forventet: et billede i base64 eller en liste af billeder",
                "förväntat: en bild i base64 eller en lista med bilder",
                "应为 base64 的照片，或照片的列表"
            ),
            RequestFault::NotATile => said!(
                self,
                lang,
                "erwartet: die Nummer eines Ziegels oder sein Umriss",
                "forventet: en briks nummer eller dens omrids",
                "förväntat: en brickas nummer eller dess kontur",
                "应为牌的序号或其轮廓"
            ),
            RequestFault::OutOfRange { least, most } => said!(
                self,
                lang,
                "erwartet: eine ganze Zahl von {least} bis {most}",
                "forventet: et helt tal fra {least} til {most}",
                "förväntat: ett heltal från {least} till {most}",
                "应为 {least} 到 {most} 的整数"
            ),
            RequestFault::PartNotUtf8 => said!(
                self,
                lang,
                "der Teil ist nicht in UTF-8",
                "delen er ikke i UTF-8",
                "delen är inte i UTF-8",
                "该部分不是 UTF-8"
            ),
            RequestFault::WhoDiscarded => said!(
                self,
                lang,
                "wer hat den Schlussziegel abgelegt?",
                "hvem kasserede vinderbrikken?",
                "vem kastade den vinnande brickan?",
                "谁打出了和牌张？"
            ),
            RequestFault::EmptyText => {
                said!(
                    self,
                    lang,
                    "der Text ist leer",
                    "teksten er tom",
                    "texten är tom",
                    "文本为空"
                )
            }
            RequestFault::Unprintable { letter } => {
                let code = u32::from(*letter);
                said!(
                    self,
                    lang,
                    "das Zeichen U+{code:04X} ist nicht druckbar: entferne es",
                    "tegnet U+{code:04X} kan ikke udskrives: fjern det",
                    "tecknet U+{code:04X} kan inte skrivas ut: ta bort det",
                    "字符 U+{code:04X} 无法打印：请删除"
                )
            }
            RequestFault::LineTooLong { most } => said!(
                self,
                lang,
                "die Zeile hat mehr als {most} Byte",
                "linjen har mere end {most} byte",
                "raden har mer än {most} byte",
                "该行超过 {most} 字节"
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain::check;

    #[test]
    fn every_fault_of_a_request_is_said_in_five_languages() {
        let (found, limit, seat) = (47, 4711, Wind::South);
        let tile: Tile = "7p".parse().expect("a tile");
        let text = |text: &str| text.to_owned();
        let faults = [
            RequestFault::GivenTwice,
            RequestFault::GivenDifferently { one: text("\"S\""), other: text("\"E\"") },
            RequestFault::QueryAndBodyDiffer,
            RequestFault::BadQuery,
            RequestFault::PartMissing,
            RequestFault::PartTooLarge { limit },
            RequestFault::EmptyPhoto,
            RequestFault::NotBase64,
            RequestFault::TooManyPhotos { limit },
            RequestFault::HandTooLarge { limit },
            RequestFault::TooManyTiles { found },
            RequestFault::TooManyMelds { found },
            RequestFault::TooManyInMeld { found },
            RequestFault::TooManyFlowers { found },
            RequestFault::NotInMeld { tile },
            RequestFault::NotAMeld { kind: "chow", tiles: text("1m 2m 4m") },
            RequestFault::OnlyKongConcealed,
            RequestFault::OnlyKongAdded,
            RequestFault::ConcealedKongAdded,
            RequestFault::ConcealedKongClaimed,
            RequestFault::ChowFromLeft,
            RequestFault::NoRulesets,
            RequestFault::TooManyOthers { most: 3 },
            RequestFault::WinnerNotFirst,
            RequestFault::OtherNotWon,
            RequestFault::WinnerAlone {
                ruleset: text("mcr-wmo"),
                every: text("mmm, classical-dmjl"),
            },
            RequestFault::SeatAssumed { seat },
            RequestFault::SeatOfWinner { seat },
            RequestFault::TooMany { most: 64 },
            RequestFault::UnknownDoubt,
            RequestFault::NotAnAnswer { answers: "yes, no".to_owned() },
            RequestFault::AnswerNeedsHand,
            RequestFault::NotAPoint,
            RequestFault::NotPoints,
            RequestFault::NotPhotos,
            RequestFault::NotATile,
            RequestFault::OutOfRange { least: 47, most: 4711 },
            RequestFault::PartNotUtf8,
            RequestFault::WhoDiscarded,
            RequestFault::EmptyText,
            RequestFault::Unprintable { letter: '\u{7}' },
            RequestFault::LineTooLong { most: 4711 },
        ];
        let parts = [
            "47",
            "4711",
            "7p",
            "1m 2m 4m",
            "18",
            "3",
            "`photo`",
            "`others`",
            "mcr-wmo",
            "mmm, classical-dmjl",
            "`context.seat`",
            "\"S\"",
            "\"E\"",
            "U+0007",
        ];
        check(faults, &parts);
    }
}
