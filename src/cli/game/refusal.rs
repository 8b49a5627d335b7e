//! Errors of `tilesight game` in addition to those of the game itself, in five languages.

use tilesight_core::explain::{Lang, Message, said};
use tilesight_vision::NoHand;

/// Fault of the arguments or of the photo.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum Refusal {
    /// Error when no folder was named.
    #[error("the folder of the games is missing: pass --data FOLDER, or set TILESIGHT_DATA")]
    NoFolder,
    /// Error when there are more or fewer than four players.
    #[error("--players needs four names, separated by commas; {0} given")]
    Players(usize),
    /// Error when no id begins with the text.
    #[error("there is no such game: no id begins with {0}; `tilesight game list` shows all")]
    NoGame(String),
    /// Error when a service or another command changed the game meanwhile.
    #[error("somebody else changed the game meanwhile and nothing was entered: repeat the command")]
    Stale,
    /// Error when several ids begin with the text.
    #[error("several games begin with {0}: type more of the id; `tilesight game list` shows all")]
    SeveralGames(String),
    /// Error when no player has that name.
    #[error("{name} is not a player: the players are {players}")]
    NoPlayer {
        /// Name as it was typed.
        name: String,
        /// Names of all four players.
        players: String,
    },
    /// Error when several players have similar names and none has exactly that one.
    #[error("{name} can be {players}: type the name exactly, or rename the players")]
    SeveralPlayers {
        /// Name as it was typed.
        name: String,
        /// Players with a similar name.
        players: String,
    },
    /// Error when points are given together with a win context.
    #[error("--points takes no win context: winner and discarder say who pays")]
    ContextOfPoints,
    /// Error when the hand of another player has no name.
    #[error("--other needs a name, `=` and a hand, such as Anna=[CCC,1]11m; this is {0}")]
    Other(String),
    /// Error when a photo is given for an existing entry.
    #[error("a photo is read for the next deal: correct an entry by its hand as text")]
    PhotoOfEntry,
    /// Error when a photo shows no hand.
    #[error(
        "{file}: {found}; nothing was entered: take the photo from above with every tile of the \
         hand in view, or type the hand, such as `tilesight game win {game} 123456789m11pFFF \
         --winner {winner}`"
    )]
    NoHand {
        /// File of the photo.
        file: String,
        /// Content of the photo.
        found: NoHand,
        /// Id of the game.
        game: String,
        /// Name of the winner.
        winner: String,
    },
    /// Error when a reading needs review by a person.
    #[error(
        "{file}: the reading is doubtful and was not entered: check it and type the hand: {hand}"
    )]
    Doubtful {
        /// File of the photo.
        file: String,
        /// The hand as it was read.
        hand: String,
    },
}

impl Message for Refusal {
    fn said(&self, lang: Lang) -> String {
        match self {
            Refusal::NoFolder => said!(
                self,
                lang,
                "der Ordner der Spiele fehlt: gib --data FOLDER an, oder setze TILESIGHT_DATA",
                "mappen med spillene mangler: angiv --data FOLDER, eller sæt TILESIGHT_DATA",
                "mappen med spelen saknas: ange --data FOLDER, eller sätt TILESIGHT_DATA",
                "缺少牌局的文件夹：请指定 --data FOLDER，或设置 TILESIGHT_DATA",
            ),
            Refusal::Players(given) => said!(
                self,
                lang,
                "--players braucht vier Namen, getrennt durch Kommas; angegeben: {given}",
                "--players skal have fire navne, adskilt af kommaer; der er angivet {given}",
                "--players behöver fyra namn, åtskilda av kommatecken; {given} angavs",
                "--players 需要四个名字，以逗号分隔；现有 {given} 个",
            ),
            Refusal::NoGame(id) => said!(
                self,
                lang,
                "dieses Spiel gibt es nicht: keine Kennung beginnt mit {id}; `tilesight game list` zeigt alle",
                "spillet findes ikke: intet id begynder med {id}; `tilesight game list` viser alle",
                "spelet finns inte: inget id börjar med {id}; `tilesight game list` visar alla",
                "没有这个牌局：没有以 {id} 开头的编号；`tilesight game list` 列出全部",
            ),
            Refusal::Stale => said!(
                self,
                lang,
                "jemand anderes hat das Spiel inzwischen geändert, und nichts wurde eingetragen: wiederhole den Befehl",
                "en anden har ændret spillet imens, og intet blev indført: gentag kommandoen",
                "någon annan har ändrat spelet under tiden, och inget fördes in: upprepa kommandot",
                "牌局已被他人更改，未作记录：请重新执行命令",
            ),
            Refusal::SeveralGames(id) => said!(
                self,
                lang,
                "mehrere Spiele beginnen mit {id}: gib mehr von der Kennung ein; `tilesight game list` zeigt alle",
                "flere spil begynder med {id}: skriv mere af id'et; `tilesight game list` viser alle",
                "flera spel börjar med {id}: skriv mer av id:t; `tilesight game list` visar alla",
                "有多个牌局以 {id} 开头：请多输入几位；`tilesight game list` 列出全部",
            ),
            Refusal::NoPlayer { name, players } => said!(
                self,
                lang,
                "{name} spielt nicht mit: es spielen {players}",
                "{name} er ikke med i spillet: spillerne er {players}",
                "{name} är inte med i spelet: spelarna är {players}",
                "{name} 不是本局玩家：玩家为 {players}",
            ),
            Refusal::SeveralPlayers { name, players } => said!(
                self,
                lang,
                "{name} kann {players} sein: gib den Namen genau ein, oder benenne die Spieler um",
                "{name} kan være {players}: skriv navnet nøjagtigt, eller omdøb spillerne",
                "{name} kan vara {players}: skriv namnet exakt, eller byt namn på spelarna",
                "{name} 可能是 {players}：请准确输入名字，或为玩家改名",
            ),
            Refusal::ContextOfPoints => said!(
                self,
                lang,
                "--points nimmt keine Angaben zum Gewinn: Gewinner und Ablegender sagen, wer zahlt",
                "--points tager ingen oplysninger om gevinsten: vinder og kasserende siger, hvem der betaler",
                "--points tar inga uppgifter om vinsten: vinnare och kastare säger vem som betalar",
                "--points 不接受和牌情况：由和牌者与点和者决定谁付分",
            ),
            Refusal::Other(text) => said!(
                self,
                lang,
                "--other braucht einen Namen, `=` und eine Hand, wie Anna=[CCC,1]11m; dies ist {text}",
                "--other skal have et navn, `=` og en hånd, som Anna=[CCC,1]11m; dette er {text}",
                "--other behöver ett namn, `=` och en hand, som Anna=[CCC,1]11m; det här är {text}",
                "--other 需要名字、`=` 和手牌，例如 Anna=[CCC,1]11m；现为 {text}",
            ),
            Refusal::PhotoOfEntry => said!(
                self,
                lang,
                "ein Foto wird für das nächste Spiel gelesen: berichtige einen Eintrag mit seiner Hand als Text",
                "et billede læses til næste spil: ret en post med hånden som tekst",
                "en bild läses för nästa giv: rätta en post med handen som text",
                "照片只用于下一副牌：请以文字更正记录中的手牌",
            ),
            Refusal::NoHand { file, found, game, winner } => {
                let found = found.said(lang);
                said!(
                    self,
                    lang,
                    "{file}: {found}; nichts wurde eingetragen: fotografiere von oben, mit allen Ziegeln der Hand im Bild, oder tippe die Hand, etwa `tilesight game win {game} 123456789m11pFFF --winner {winner}`",
                    "{file}: {found}; intet blev indført: tag billedet ovenfra med alle håndens brikker, eller skriv hånden, for eksempel `tilesight game win {game} 123456789m11pFFF --winner {winner}`",
                    "{file}: {found}; inget fördes in: ta bilden uppifrån med alla handens brickor, eller skriv handen, till exempel `tilesight game win {game} 123456789m11pFFF --winner {winner}`",
                    "{file}：{found}；未作记录：请从上方拍摄，使整副手牌都在画面内，或输入手牌，例如 `tilesight game win {game} 123456789m11pFFF --winner {winner}`",
                )
            }
            Refusal::Doubtful { file, hand } => said!(
                self,
                lang,
                "{file}: die Lesung ist unsicher und wurde nicht eingetragen: prüfe sie und tippe die Hand: {hand}",
                "{file}: aflæsningen er usikker og blev ikke indført: tjek den, og skriv hånden: {hand}",
                "{file}: läsningen är osäker och fördes inte in: kontrollera den och skriv handen: {hand}",
                "{file}：识别结果有疑问，未作记录：请核对后输入手牌：{hand}",
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use tilesight_core::explain::check;

    use super::*;

    #[test]
    fn every_refusal_is_said_in_five_languages() {
        let (name, players) = ("Xaver".to_owned(), "Anna, Bo".to_owned());
        let refusals = [
            Refusal::NoFolder,
            Refusal::Players(31),
            Refusal::NoGame("0198".to_owned()),
            Refusal::Stale,
            Refusal::SeveralGames("0199".to_owned()),
            Refusal::NoPlayer { name: name.clone(), players: players.clone() },
            Refusal::SeveralPlayers { name, players },
            Refusal::ContextOfPoints,
            Refusal::Other("11m".to_owned()),
            Refusal::PhotoOfEntry,
            Refusal::NoHand {
                file: "hand.jpg".to_owned(),
                found: NoHand::default(),
                game: "0199".to_owned(),
                winner: "Anna".to_owned(),
            },
            Refusal::Doubtful { file: "hand.jpg".to_owned(), hand: "123m".to_owned() },
        ];
        let parts = [
            "--data", "31", "0198", "0199", "Xaver", "Anna", "--points", "11m", "hand.jpg", "123m",
        ];
        check(refusals, &parts);
    }
}
