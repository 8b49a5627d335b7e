//! Translations of the errors on changing a game.

use super::{GameError, PlayerError};
use crate::explain::{Lang, Message, said};

impl Message for GameError {
    fn said(&self, lang: Lang) -> String {
        match self {
            GameError::Over => said!(
                self,
                lang,
                "das Spiel ist beendet: nimm sein Ende zurück, bevor du weitermachst",
                "spillet er slut: fortryd slutningen, før du fortsætter",
                "spelet är slut: ångra slutet innan du fortsätter",
                "牌局已结束：继续之前请撤销结束",
            ),
            GameError::NoEntry(entry) => said!(
                self,
                lang,
                "es gibt keinen Eintrag {entry}",
                "der er ingen post {entry}",
                "det finns ingen post {entry}",
                "没有记录 {entry}",
            ),
            GameError::NoChange(change) => said!(
                self,
                lang,
                "es gibt keine Änderung {change}, die sich zurücknehmen ließe",
                "der er ingen ændring {change}, som kan fortrydes",
                "det finns ingen ändring {change} som kan ångras",
                "没有可以撤销的更改 {change}",
            ),
            GameError::NothingToUndo => said!(
                self,
                lang,
                "es gibt nichts zurückzunehmen",
                "der er intet at fortryde",
                "det finns inget att ångra",
                "没有可以撤销的操作",
            ),
            GameError::Names(most) => said!(
                self,
                lang,
                "die Spieler brauchen vier verschiedene Namen aus 1 bis {most} Zeichen",
                "spillerne skal have fire forskellige navne på 1 til {most} tegn",
                "spelarna ska ha fyra olika namn på 1 till {most} tecken",
                "四位玩家的名字须各不相同，每个 1 至 {most} 个字符",
            ),
            GameError::AlikeNames { first, second } => said!(
                self,
                lang,
                "die Namen {first} und {second} unterscheiden sich nur in Groß- und Kleinschreibung, Leerzeichen oder Unicode-Form: wähle Namen, die sich unterscheiden lassen",
                "navnene {first} og {second} adskiller sig kun ved store og små bogstaver, mellemrum eller Unicode-form: vælg navne, der kan skelnes",
                "namnen {first} och {second} skiljer sig bara i stora och små bokstäver, mellanslag eller Unicode-form: välj namn som går att skilja åt",
                "名字 {first} 和 {second} 只有大小写、空格或 Unicode 形式不同：请取能够区分的名字",
            ),
            GameError::InvisibleName(player) => said!(
                self,
                lang,
                "der Name von Spieler {player} hat kein sichtbares Zeichen: gib einen Namen ein",
                "navnet på spiller {player} har intet synligt tegn: skriv et navn",
                "namnet på spelare {player} har inget synligt tecken: skriv ett namn",
                "玩家 {player} 的名字没有可见的字符：请输入名字",
            ),
            GameError::TooLong { field, most } => said!(
                self,
                lang,
                "{field} darf höchstens {most} Zeichen haben",
                "{field} må højst have {most} tegn",
                "{field} får ha högst {most} tecken",
                "{field} 最多 {most} 个字符",
            ),
            GameError::Unprintable { field, letter } => {
                let code = u32::from(*letter);
                said!(
                    self,
                    lang,
                    "{field} enthält ein Zeichen, das nicht erlaubt ist: U+{code:04X}",
                    "{field} har et tegn, som ikke er tilladt: U+{code:04X}",
                    "{field} har ett tecken som inte är tillåtet: U+{code:04X}",
                    "{field} 含有不允许的字符：U+{code:04X}",
                )
            }
            GameError::Full(most) => said!(
                self,
                lang,
                "ein Spiel fasst {most} Änderungen: beginne ein neues",
                "et spil rummer {most} ændringer: begynd et nyt",
                "ett spel rymmer {most} ändringar: börja ett nytt",
                "一个牌局最多 {most} 次更改：请开始新的牌局",
            ),
            GameError::TooLarge(most) => said!(
                self,
                lang,
                "ein Spiel fasst {most} Byte an Änderungen: beginne ein neues",
                "et spil rummer {most} byte ændringer: begynd et nyt",
                "ett spel rymmer {most} byte ändringar: börja ett nytt",
                "一个牌局的更改最多 {most} 字节：请开始新的牌局",
            ),
            GameError::Unbalanced(sum) => said!(
                self,
                lang,
                "Zahlungen müssen sich zu null ergänzen; diese ergeben {sum}",
                "betalinger skal give nul tilsammen; disse giver {sum}",
                "betalningar ska bli noll tillsammans; de här blir {sum}",
                "各家收付之和须为零；现为 {sum}",
            ),
            GameError::TooManyPoints { most, .. } => said!(
                self,
                lang,
                "höchstens {most} Punkte sind möglich",
                "højst {most} point er mulige",
                "högst {most} poäng är möjliga",
                "最多 {most} 分",
            ),
            GameError::Sum => said!(
                self,
                lang,
                "die Summen sind zu groß, um addiert zu werden",
                "totalerne er for store til at lægges sammen",
                "summorna är för stora för att läggas ihop",
                "总分过大，无法相加",
            ),
            GameError::KeyReused => said!(
                self,
                lang,
                "dieser Schlüssel gehört zu einer anderen Aktion",
                "denne nøgle hører til en anden handling",
                "den här nyckeln hör till en annan åtgärd",
                "该键已用于另一个操作",
            ),
            GameError::Unreadable(problem) => problem.detail.said(lang).to_owned(),
            GameError::OwnDiscard => said!(
                self,
                lang,
                "niemand gewinnt mit dem eigenen abgelegten Ziegel: lass bei Selbstzug den Ablegenden weg",
                "ingen vinder på sin egen kasserede brik: udelad den kasserende ved selvtræk",
                "ingen vinner på sin egen kastade bricka: utelämna kastaren vid självdrag",
                "不能和自己打出的牌：自摸时不要填写点和者",
            ),
            GameError::Hand { entry, problem } => {
                let problem = problem.detail.said(lang);
                said!(
                    self,
                    lang,
                    "Eintrag {entry}: {problem}",
                    "post {entry}: {problem}",
                    "post nr {entry}: {problem}",
                    "记录 {entry}：{problem}",
                )
            }
            GameError::BelowMinimum { entry, needed, missing, .. } => said!(
                self,
                lang,
                "Eintrag {entry}: kein gültiger Gewinn: das Minimum ist {needed}, es fehlen {missing}",
                "post {entry}: ikke en gyldig gevinst: minimum er {needed}, der mangler {missing}",
                "post {entry}: ingen giltig vinst: minimum är {needed}, det saknas {missing}",
                "记录 {entry}：不够起和：起和为 {needed}，还差 {missing}",
            ),
        }
    }
}

impl Message for PlayerError {
    fn said(&self, lang: Lang) -> String {
        said!(
            self,
            lang,
            "kein Spieler: erwartet wird 0, 1, 2 oder 3, die als Ost, Süd, West und Nord begannen",
            "ikke en spiller: forventet er 0, 1, 2 eller 3, som begyndte som øst, syd, vest og nord",
            "ingen spelare: väntat var 0, 1, 2 eller 3, som började som öst, syd, väst och nord",
            "不是玩家：应为 0、1、2 或 3，即开局时的东、南、西、北家",
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::{Problem, ProblemKind};
    use crate::evening::EntryId;
    use crate::explain::check;
    use crate::rules::RulesError;

    #[test]
    fn everything_that_a_game_refuses_is_said_in_five_languages() {
        let entry = EntryId(31);
        let problem = Box::new(Problem::from_message(ProblemKind::NotAWin, &RulesError::NotAWin));
        let errors = [
            GameError::Over,
            GameError::NoEntry(entry),
            GameError::NoChange(32),
            GameError::NothingToUndo,
            GameError::Names(40),
            GameError::AlikeNames { first: "Åse".to_owned(), second: "åse".to_owned() },
            GameError::InvisibleName(3),
            GameError::TooLong { field: "title", most: 200 },
            GameError::Unprintable { field: "title", letter: '\u{7}' },
            GameError::Full(500),
            GameError::TooLarge(600),
            GameError::Unbalanced(-8),
            GameError::TooManyPoints { field: "points", most: 900 },
            GameError::Sum,
            GameError::KeyReused,
            GameError::Unreadable(problem.clone()),
            GameError::OwnDiscard,
            GameError::Hand { entry, problem },
            GameError::BelowMinimum { entry, field: "hand", needed: 8, missing: 3 },
        ];
        check(
            errors,
            &["31", "32", "40", "Åse", "åse", "3", "200", "U+0007", "500", "600", "-8", "900"],
        );
        check([PlayerError], &["0", "1", "2", "3"]);
    }
}
