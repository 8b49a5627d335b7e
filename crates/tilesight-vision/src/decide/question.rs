//! The questions that doubts ask, in five languages.
//!
//! Input: the subject of a doubt. Output: one sentence for a person. Tiles are named by their
//! codes, as everywhere in a reading. Invariant: every question has its five texts here, and a new
//! one does not compile without them.

use std::fmt;

use tilesight_core::context::ContextField;
use tilesight_core::explain::{Lang, Message, said};
use tilesight_core::plural::format_count;
use tilesight_core::rules::Contradiction;
use tilesight_core::tile::{Bonus, Face, Tile};

use crate::pixels::classify::name;

/// Question of a doubt.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Question {
    /// Too few or too many tiles for a hand.
    TileCount {
        /// Number of tiles that were seen.
        seen: usize,
        /// Number of tiles that the hand needs.
        needed: usize,
    },
    /// A tile beside the hand would complete it.
    Offered {
        /// The tile.
        tile: Tile,
    },
    /// A tile that was left out touches the hand.
    Touching {
        /// The tile.
        tile: Tile,
    },
    /// A tile's face could be a different one.
    Face {
        /// Face that the tile was given.
        face: Face,
    },
    /// The limits of a hand gave a tile another face than the one it most resembles.
    LooksLike {
        /// Face that the tile most resembles; `None` for an object that is not a tile.
        looks: Option<Face>,
        /// Face that the tile was given.
        face: Face,
    },
    /// The hand would win with another face in one place.
    Repair {
        /// Face that the tile was given.
        face: Tile,
    },
    /// The hand has more tiles of a face than exist.
    TooManyCopies {
        /// The face.
        face: Face,
        /// Number of tiles with this face.
        count: usize,
    },
    /// The hands of a table have more tiles of a face than exist.
    TooManyOnTable {
        /// The face.
        face: Face,
        /// Number of tiles with this face.
        count: usize,
    },
    /// No tile is set apart as the winning tile.
    NoWinningTile,
    /// Two tiles could be the winning tile.
    WinningTile,
    /// A tile lies across the others of a set that was read as concealed.
    LiesAcross,
    /// A set lies apart: it may be claimed or concealed.
    ExposedSet,
    /// A kong lies apart: it may be claimed or concealed.
    ConcealedKong,
    /// A pung may have been extended to a kong.
    AddedKong,
    /// A tile that was left out may be the fourth of a pung.
    FourthTile {
        /// The tile.
        tile: Tile,
    },
    /// A kong shows only backs.
    HiddenKong,
    /// Tiles lie together like a set, but do not form one.
    NotASet {
        /// Faces of the tiles.
        faces: Vec<Face>,
    },
    /// A flower may or may not be the winner's.
    Flower {
        /// The flower.
        flower: Bonus,
    },
    /// The hand has a flower, but its rules are played without flowers.
    FlowerNotPlayed {
        /// The flower.
        flower: Bonus,
    },
    /// Two flowers have room for another one between them.
    FlowerGap,
    /// The photo's edge cuts tiles off.
    CutTile,
    /// The tiles are complete, but do not win.
    NotAWin,
    /// The tiles can't be a hand.
    NotAHand,
    /// A field of the win context contradicts the hand.
    Contradiction {
        /// The field.
        field: ContextField,
        /// Reason for the contradiction.
        reason: Reason,
    },
    /// Several players fed the sets whose feeder pays, and it is unknown who fed the last one.
    Feeder,
}

/// Reason why a field of the win context contradicts a hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// The rules exclude it.
    Rules(Contradiction),
    /// Whichever tile won, no kong was robbed of it.
    NoTileWasRobbed,
    /// Whichever tile won, it is not the last of its kind.
    NoTileIsLast,
}

impl fmt::Display for Question {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Question::TileCount { seen, needed } => {
                let tiles = format_count(*seen, "tile", "tiles");
                write!(out, "{tiles} seen, {needed} needed: is the whole hand in the photo?")
            }
            Question::Offered { tile } => {
                write!(out, "with this {tile} the hand wins: is it the winner's?")
            }
            Question::Touching { tile } => write!(
                out,
                "this tile ({tile}) touches the hand and was left out: does it belong to it?"
            ),
            Question::Face { face } => write!(out, "is this tile {face}?"),
            Question::LooksLike { looks: None, face } => {
                write!(out, "this does not look like a tile; is it {face}?")
            }
            Question::LooksLike { looks, face } => {
                write!(out, "this tile looks like {}; is it {face}?", name(*looks))
            }
            Question::Repair { face } => {
                write!(out, "with {face} here the hand does not win: is this tile another one?")
            }
            Question::TooManyCopies { face: face @ Face::Bonus(_), count } => write!(
                out,
                "{face} was seen {count} times, but it exists once: which of them is another tile?"
            ),
            Question::TooManyCopies { face, count } => write!(
                out,
                "{count} tiles look like {face}, but there are four: which of them is another tile?"
            ),
            Question::TooManyOnTable { face: face @ Face::Bonus(_), count } => write!(
                out,
                "{face} lies before {count} players, but it exists once: is this one another tile?"
            ),
            Question::TooManyOnTable { face, count } => write!(
                out,
                "there are {count} of {face} in the hands of this table, but a set has four: is one \
                 of these another tile?"
            ),
            Question::NoWinningTile => {
                out.write_str("nothing sets the winning tile apart: which tile won?")
            }
            Question::WinningTile => out.write_str("which tile won?"),
            Question::LiesAcross => out.write_str(
                "one of these tiles lies across, as a claimed one does: was it claimed?",
            ),
            Question::ExposedSet => out.write_str(
                "these tiles lie apart: were they claimed, or are they concealed?",
            ),
            Question::ConcealedKong => {
                out.write_str("was this kong claimed, or drawn by the winner alone?")
            }
            Question::AddedKong => out.write_str(
                "was this pung made a kong: does a fourth tile lie beneath, or beside it?",
            ),
            Question::FourthTile { tile } => {
                write!(out, "does this {tile} make the pung of {tile} a kong?")
            }
            Question::HiddenKong => out.write_str("this kong lies face down: which tile is it?"),
            Question::NotASet { faces } => {
                write!(out, "{} lie together like a set, but do not form one", names(faces))
            }
            Question::Flower { flower } => write!(out, "is this flower ({flower}) the winner's?"),
            Question::FlowerNotPlayed { flower } => write!(
                out,
                "these rules are played without flowers: is this one ({flower}) part of the hand?"
            ),
            Question::FlowerGap => out
                .write_str("there is room for a flower between these two: does one lie there?"),
            Question::CutTile => out.write_str(
                "the photo's edge cuts through these tiles: are they named correctly, and is nothing \
                 beyond the edge?",
            ),
            Question::NotAWin => out.write_str(
                "these tiles do not form a winning hand: is one of them named incorrectly?",
            ),
            Question::NotAHand => out
                .write_str("these tiles do not form a hand: are all of them named correctly?"),
            Question::Contradiction { field, reason } => write!(
                out,
                "`{field}` can't be true of this hand ({reason}): is it wrong, or the reading?"
            ),
            Question::Feeder => out.write_str(
                "several players fed these sets, and who completed the last of them pays: who was it?",
            ),
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Rules(contradiction) => contradiction.fmt(out),
            Reason::NoTileWasRobbed => out.write_str(
                "whichever tile won, the hand holds another of its kind, so no kong was robbed of it",
            ),
            Reason::NoTileIsLast => out.write_str(
                "whichever tile won, another of its kind is among the concealed tiles",
            ),
        }
    }
}

fn names(faces: &[Face]) -> String {
    faces.iter().map(Face::to_string).collect::<Vec<_>>().join(" ")
}

impl Message for Question {
    fn said(&self, lang: Lang) -> String {
        match self {
            Question::TileCount { seen, needed } => {
                let brikker = format_count(*seen, "brik", "brikker");
                let brickor = format_count(*seen, "bricka sedd", "brickor sedda");
                said!(
                    self,
                    lang,
                    "{seen} Ziegel gesehen, {needed} nötig: ist die ganze Hand auf dem Foto?",
                    "{brikker} set, {needed} nødvendige: er hele hånden på billedet?",
                    "{brickor}, {needed} behövs: är hela handen med på bilden?",
                    "看到 {seen} 张牌，需要 {needed} 张：整副牌都在照片里吗？",
                )
            }
            Question::Offered { tile } => said!(
                self,
                lang,
                "mit diesem Ziegel ({tile}) gewinnt die Hand: gehört er dem Sieger?",
                "med denne brik ({tile}) vinder hånden: er den vinderens?",
                "med den här brickan ({tile}) vinner handen: är den vinnarens?",
                "加上这张 {tile} 就和牌：它是和牌者的吗？",
            ),
            Question::Touching { tile } => said!(
                self,
                lang,
                "dieser Ziegel ({tile}) berührt die Hand und wurde ausgelassen: gehört er dazu?",
                "denne brik ({tile}) rører hånden og blev udeladt: hører den til?",
                "den här brickan ({tile}) rör vid handen och utelämnades: hör den dit?",
                "这张牌（{tile}）挨着手牌，但没有计入：它属于这手牌吗？",
            ),
            Question::Face { face } => said!(
                self,
                lang,
                "ist dieser Ziegel {face}?",
                "er denne brik {face}?",
                "är den här brickan {face}?",
                "这张牌是 {face} 吗？",
            ),
            Question::LooksLike { looks: None, face } => said!(
                self,
                lang,
                "das sieht nicht wie ein Ziegel aus; ist es {face}?",
                "dette ligner ikke en brik; er det {face}?",
                "det här liknar inte en bricka; är det {face}?",
                "这看起来不像一张牌；它是 {face} 吗？",
            ),
            Question::LooksLike { looks, face } => {
                let looks = name(*looks);
                said!(
                    self,
                    lang,
                    "dieser Ziegel sieht wie {looks} aus; ist er {face}?",
                    "denne brik ligner {looks}; er den {face}?",
                    "den här brickan liknar {looks}; är den {face}?",
                    "这张牌看起来像 {looks}；它是 {face} 吗？",
                )
            }
            Question::Repair { face } => said!(
                self,
                lang,
                "mit {face} an dieser Stelle gewinnt die Hand nicht: ist das ein anderer Ziegel?",
                "med {face} her vinder hånden ikke: er det en anden brik?",
                "med {face} här vinner handen inte: är det en annan bricka?",
                "这里是 {face} 就不能和牌：它是别的牌吗？",
            ),
            Question::TooManyCopies { face: face @ Face::Bonus(_), count } => said!(
                self,
                lang,
                "{face} wurde {count}-mal gesehen, aber es gibt ihn einmal: welcher davon ist ein anderer?",
                "{face} blev set {count} gange, men findes én gang: hvilken er en anden brik?",
                "{face} sågs {count} gånger, men finns en gång: vilken är en annan bricka?",
                "{face} 出现 {count} 次，但只有一张：哪一张是别的牌？",
            ),
            Question::TooManyCopies { face, count } => said!(
                self,
                lang,
                "{count} Ziegel sehen wie {face} aus, aber es gibt vier: welcher davon ist ein anderer?",
                "{count} brikker ligner {face}, men der er fire: hvilken er en anden brik?",
                "{count} brickor liknar {face}, men det finns fyra: vilken är en annan bricka?",
                "{count} 张牌像 {face}，但只有四张：哪一张是别的牌？",
            ),
            Question::TooManyOnTable { face: face @ Face::Bonus(_), count } => said!(
                self,
                lang,
                "{face} liegt vor {count} Spielern, aber es gibt ihn einmal: ist dies ein anderer?",
                "{face} ligger foran {count} spillere, men findes én gang: er dette en anden brik?",
                "{face} ligger framför {count} spelare, men finns en gång: är detta en annan bricka?",
                "{count} 家面前都有 {face}，但只有一张：这张是别的牌吗？",
            ),
            Question::TooManyOnTable { face, count } => said!(
                self,
                lang,
                "in den Händen dieses Tisches sind {count} {face}, aber ein Satz hat vier: ist einer von diesen ein anderer?",
                "der er {count} {face} i hænderne på dette bord, men et sæt har fire: er en af disse en anden brik?",
                "det finns {count} {face} i händerna på det här bordet, men ett spel har fyra: är en av dessa en annan bricka?",
                "这一桌的牌里有 {count} 张 {face}，但一副牌只有四张：其中有一张是别的牌吗？",
            ),
            Question::NoWinningTile => said!(
                self,
                lang,
                "der Schlussziegel liegt nicht für sich: welcher Ziegel hat gewonnen?",
                "vinderbrikken ligger ikke for sig: hvilken brik vandt?",
                "den vinnande brickan ligger inte för sig: vilken bricka vann?",
                "和牌张没有单独放置：和的是哪张？",
            ),
            Question::WinningTile => said!(
                self,
                lang,
                "welcher Ziegel hat gewonnen?",
                "hvilken brik vandt?",
                "vilken bricka vann?",
                "和的是哪张？",
            ),
            Question::LiesAcross => said!(
                self,
                lang,
                "einer dieser Ziegel liegt quer, wie ein gerufener: wurde er gerufen?",
                "en af disse brikker ligger på tværs som en taget: blev den taget?",
                "en av de här brickorna ligger på tvären som en tagen: togs den?",
                "其中一张横放，像吃碰来的牌：它是吃碰来的吗？",
            ),
            Question::ExposedSet => said!(
                self,
                lang,
                "diese Ziegel liegen abseits: wurden sie gerufen, oder sind sie verdeckt?",
                "disse brikker ligger for sig: blev de taget, eller er de skjulte?",
                "de här brickorna ligger för sig: togs de, eller är de dolda?",
                "这些牌单独放着：是吃碰来的，还是暗的？",
            ),
            Question::ConcealedKong => said!(
                self,
                lang,
                "wurde dieser Vierling gerufen oder ganz selbst gezogen?",
                "blev denne kong taget eller trukket helt af vinderen?",
                "togs den här kongen, eller drogs den helt av vinnaren?",
                "这副杠是明杠还是暗杠？",
            ),
            Question::AddedKong => said!(
                self,
                lang,
                "wurde dieser Drilling zum Vierling: liegt ein vierter Ziegel darunter oder daneben?",
                "blev denne pung til en kong: ligger der en fjerde brik under eller ved siden af?",
                "blev den här pungen en kong: ligger en fjärde bricka under eller bredvid?",
                "这副刻子加成了杠吗：下面或旁边有第四张牌吗？",
            ),
            Question::FourthTile { tile } => said!(
                self,
                lang,
                "macht dieser Ziegel ({tile}) den Drilling aus {tile} zum Vierling?",
                "gør denne brik ({tile}) pungen af {tile} til en kong?",
                "gör den här brickan ({tile}) pungen av {tile} till en kong?",
                "这张 {tile} 使 {tile} 刻子成为杠吗？",
            ),
            Question::HiddenKong => said!(
                self,
                lang,
                "dieser Vierling liegt verdeckt: welcher Ziegel ist es?",
                "denne kong ligger med bagsiden op: hvilken brik er det?",
                "den här kongen ligger med baksidan upp: vilken bricka är det?",
                "这副杠扣着：是什么牌？",
            ),
            Question::NotASet { faces } => {
                let faces = names(faces);
                said!(
                    self,
                    lang,
                    "{faces} liegen zusammen wie eine Figur, bilden aber keine",
                    "{faces} ligger sammen som et sæt, men danner ikke noget",
                    "{faces} ligger ihop som en kombination, men bildar ingen",
                    "{faces} 放在一起像一副，但不成副",
                )
            }
            Question::Flower { flower } => said!(
                self,
                lang,
                "gehört dieser Glücksziegel ({flower}) dem Sieger?",
                "er denne blomst ({flower}) vinderens?",
                "är den här blomman ({flower}) vinnarens?",
                "这张花牌（{flower}）是和牌者的吗？",
            ),
            Question::FlowerNotPlayed { flower } => said!(
                self,
                lang,
                "diese Regeln werden ohne Glücksziegel gespielt: gehört dieser ({flower}) zur Hand?",
                "disse regler spilles uden blomster: hører denne ({flower}) til hånden?",
                "de här reglerna spelas utan blommor: hör den här ({flower}) till handen?",
                "这套规则不用花牌：这张（{flower}）属于这手牌吗？",
            ),
            Question::FlowerGap => said!(
                self,
                lang,
                "zwischen diesen beiden ist Platz für einen Glücksziegel: liegt dort einer?",
                "der er plads til en blomst mellem disse to: ligger der en?",
                "det finns plats för en blomma mellan de här två: ligger det en där?",
                "这两张之间放得下一张花牌：那里有一张吗？",
            ),
            Question::CutTile => said!(
                self,
                lang,
                "der Bildrand schneidet diese Ziegel an: sind sie richtig benannt, und liegt nichts jenseits des Rands?",
                "billedets kant skærer disse brikker af: er de navngivet rigtigt, og ligger der intet uden for kanten?",
                "bildens kant skär av de här brickorna: är de rätt namngivna, och ligger inget utanför kanten?",
                "照片边缘切掉了这些牌：认得对吗？边缘外没有别的牌吗？",
            ),
            Question::NotAWin => said!(
                self,
                lang,
                "diese Ziegel bilden keine Siegerhand: ist einer von ihnen falsch benannt?",
                "disse brikker danner ikke en vinderhånd: er en af dem navngivet forkert?",
                "de här brickorna bildar ingen vinsthand: är någon av dem fel namngiven?",
                "这些牌没有和：是不是认错了一张？",
            ),
            Question::NotAHand => said!(
                self,
                lang,
                "diese Ziegel bilden keine Hand: sind alle richtig benannt?",
                "disse brikker danner ikke en hånd: er de alle navngivet rigtigt?",
                "de här brickorna bildar ingen hand: är alla rätt namngivna?",
                "这些牌不成一手牌：都认对了吗？",
            ),
            Question::Contradiction { field, reason } => {
                let reason = reason.said(lang);
                said!(
                    self,
                    lang,
                    "`{field}` kann bei dieser Hand nicht stimmen ({reason}): ist das falsch, oder die Lesung?",
                    "`{field}` kan ikke passe til denne hånd ({reason}): er det forkert, eller aflæsningen?",
                    "`{field}` kan inte stämma med handen ({reason}): är det fel, eller avläsningen?",
                    "`{field}` 与这手牌矛盾（{reason}）：是它错了，还是识别错了？",
                )
            }
            Question::Feeder => said!(
                self,
                lang,
                "mehrere haben diese Figuren zugespielt, und wer die letzte vollendet hat, zahlt: wer war es?",
                "flere har fodret disse sæt, og den, der fuldendte det sidste, betaler: hvem var det?",
                "flera har matat de här kombinationerna, och den som fullbordade den sista betalar: vem var det?",
                "这些副由多家供牌，供成最后一副的人包牌：是谁？",
            ),
        }
    }
}

impl Message for Reason {
    fn said(&self, lang: Lang) -> String {
        match self {
            Reason::Rules(contradiction) => contradiction.said(lang),
            Reason::NoTileWasRobbed => said!(
                self,
                lang,
                "welcher Ziegel auch gewann, die Hand hat noch einen davon, also wurde kein Vierling um ihn beraubt",
                "uanset hvilken brik der vandt, har hånden endnu en af slagsen, så ingen kong blev røvet for den",
                "vilken bricka som än vann har handen en till av samma slag, så ingen kong plundrades på den",
                "无论和的是哪张，手牌里还有同样的牌，所以没有抢杠",
            ),
            Reason::NoTileIsLast => said!(
                self,
                lang,
                "welcher Ziegel auch gewann, ein weiterer davon ist unter den verdeckten",
                "uanset hvilken brik der vandt, er endnu en af slagsen blandt de skjulte",
                "vilken bricka som än vann finns en till av samma slag bland de dolda",
                "无论和的是哪张，立牌中还有同样的牌",
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use tilesight_core::explain::check;

    use super::*;
    use crate::DoubtKind;

    /// Returns a question of each kind, as the table in `docs/contract.md` shows it.
    fn documented() -> [(DoubtKind, Question); 14] {
        let tile = |code: &str| code.parse::<Tile>().expect("a tile");
        let face = |code: &str| Face::Tile(tile(code));
        let set = ["1m", "2m", "4m"].map(face).to_vec();
        let (field, reason) = (ContextField::Win, Reason::NoTileWasRobbed);
        let flower: Bonus = "f1".parse().expect("a flower");
        [
            (DoubtKind::TileCount, Question::TileCount { seen: 13, needed: 14 }),
            (DoubtKind::WinningTile, Question::NoWinningTile),
            (DoubtKind::Tile, Question::Face { face: face("7m") }),
            (DoubtKind::TooManyCopies, Question::TooManyCopies { face: face("5s"), count: 5 }),
            (DoubtKind::ExposedSet, Question::ExposedSet),
            (DoubtKind::ConcealedKong, Question::ConcealedKong),
            (DoubtKind::AddedKong, Question::AddedKong),
            (DoubtKind::HiddenKong, Question::HiddenKong),
            (DoubtKind::NotASet, Question::NotASet { faces: set }),
            (DoubtKind::Flower, Question::Flower { flower }),
            (DoubtKind::CutTile, Question::CutTile),
            (DoubtKind::NotAWin, Question::NotAWin),
            (DoubtKind::Contradiction, Question::Contradiction { field, reason }),
            (DoubtKind::Feeder, Question::Feeder),
        ]
    }

    #[test]
    fn every_kind_of_doubt_is_documented_with_its_question() {
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/contract.md");
        let page = std::fs::read_to_string(page).expect("the docs are committed");
        let page = page.split("\n## ").find(|part| part.starts_with("Doubts\n")).expect("a part");
        let documented = documented();
        assert_eq!(documented.each_ref().map(|(kind, _)| *kind), DoubtKind::ALL);
        for (kind, question) in documented {
            let head = format!("| `{}` | ", kind.name());
            let mut rows = page.lines().filter(|line| line.starts_with(&head));
            let row = rows.next().unwrap_or_else(|| panic!("no row {head} in docs/contract.md"));
            let cells: Vec<&str> = row.trim_matches('|').split(" | ").map(str::trim).collect();
            assert_eq!(cells.len(), 5, "{row}");
            assert!(cells.iter().all(|cell| !cell.is_empty()), "{row}");
            assert_eq!(cells[2], question.to_string(), "the question of {}", kind.name());
            assert_eq!(rows.next(), None, "{head} is there twice");
        }
    }

    #[test]
    fn every_question_is_asked_in_five_languages() {
        let tile: Tile = "7p".parse().expect("a tile");
        let flower: Bonus = "f3".parse().expect("a flower");
        let (face, bonus) = (Face::Tile(tile), Face::Bonus(flower));
        let looks = "6s".parse().ok();
        let field = ContextField::Win;
        let reasons = [
            Reason::Rules(Contradiction::RobbedTileInHand { tile }),
            Reason::NoTileWasRobbed,
            Reason::NoTileIsLast,
        ];
        let questions = [
            Question::TileCount { seen: 12, needed: 14 },
            Question::TileCount { seen: 1, needed: 14 },
            Question::Offered { tile },
            Question::Touching { tile },
            Question::Face { face },
            Question::LooksLike { looks, face },
            Question::LooksLike { looks: None, face },
            Question::Repair { face: tile },
            Question::TooManyCopies { face, count: 5 },
            Question::TooManyCopies { face: bonus, count: 2 },
            Question::TooManyOnTable { face, count: 5 },
            Question::TooManyOnTable { face: bonus, count: 2 },
            Question::NoWinningTile,
            Question::WinningTile,
            Question::LiesAcross,
            Question::ExposedSet,
            Question::ConcealedKong,
            Question::AddedKong,
            Question::FourthTile { tile },
            Question::HiddenKong,
            Question::NotASet { faces: vec![face, face, bonus] },
            Question::Flower { flower },
            Question::FlowerNotPlayed { flower },
            Question::FlowerGap,
            Question::CutTile,
            Question::NotAWin,
            Question::NotAHand,
            Question::Feeder,
        ];
        let contradictions = reasons.map(|reason| Question::Contradiction { field, reason });
        let parts = ["7p", "f3", "6s", "12", "14", "5", "2", "7p 7p f3", "`win`"];
        check(questions.into_iter().chain(contradictions), &parts);
        check(reasons, &parts);
    }
}
