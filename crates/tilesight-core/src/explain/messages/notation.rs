//! Errors of a text in the notation.

use crate::explain::{Lang, Message, said};
use crate::notation::{Expectation, FoundChar, MarkedSet, NotationError};

impl Message for NotationError {
    fn said(&self, lang: Lang) -> String {
        let column = self.position().column + 1;
        match self {
            NotationError::Unexpected { found, expected, .. } => {
                let (found, expected) = (found.said(lang), expected.said(lang));
                said!(
                    self,
                    lang,
                    "Zeichen {column}: gefunden {found}, erwartet {expected}",
                    "tegn {column}: fandt {found}, ventede {expected}",
                    "tecken {column}: hittade {found}, väntade {expected}",
                    "第 {column} 个字符：遇到 {found}，应为 {expected}",
                )
            }
            NotationError::NoSuchTile { number, suit, expected, .. } => {
                let expected = expected.said(lang);
                said!(
                    self,
                    lang,
                    "Zeichen {column}: gefunden `{number}` vor `{suit}`, erwartet {expected}",
                    "tegn {column}: fandt `{number}` før `{suit}`, ventede {expected}",
                    "tecken {column}: hittade `{number}` före `{suit}`, väntade {expected}",
                    "第 {column} 个字符：`{suit}` 前遇到 `{number}`，应为 {expected}",
                )
            }
            NotationError::NotASet { tiles, .. } => said!(
                self,
                lang,
                "Zeichen {column}: gefunden {tiles} als ausgelegte Figur, erwartet Folge, Drilling oder Vierling",
                "tegn {column}: fandt {tiles} som udlagt sæt, ventede en chow, en pung eller en kong",
                "tecken {column}: hittade {tiles} som utlagd kombination, väntade en chow, en pung eller en kong",
                "第 {column} 个字符：遇到副露 {tiles}，应为顺子、刻子或杠",
            ),
            NotationError::SeveralWinningTiles { tiles, .. } => said!(
                self,
                lang,
                "Zeichen {column}: gefunden die Ziegel {tiles}, erwartet ein Schlussziegel",
                "tegn {column}: fandt brikkerne {tiles}, ventede én vinderbrik",
                "tecken {column}: hittade brickorna {tiles}, väntade en vinnande bricka",
                "第 {column} 个字符：遇到 {tiles}，应为一张和牌张",
            ),
            NotationError::WrongMark { found, kind, .. } => wrong_mark(self, lang, *found, *kind),
            NotationError::MarkOnUnsortedChow { rising, .. } => said!(
                self,
                lang,
                "Zeichen {column}: gefunden eine Marke an einer Folge, die nicht aufsteigt, erwartet `[{rising},..]`",
                "tegn {column}: fandt et mærke på en chow, som ikke er stigende, ventede `[{rising},..]`",
                "tecken {column}: hittade ett märke på en chow som inte är stigande, väntade `[{rising},..]`",
                "第 {column} 个字符：顺子未按升序排列却带有标记，应为 `[{rising},..]`",
            ),
            NotationError::HalfKnownWin { found, .. } => {
                let found = found.said(lang);
                said!(
                    self,
                    lang,
                    "Zeichen {column}: gefunden {found}, erwartet für Selbstzug und Vierling beide 0 oder 1, oder beide `?`",
                    "tegn {column}: fandt {found}, ventede at selvtræk og kong begge er 0 eller 1, eller begge `?`",
                    "tecken {column}: hittade {found}, väntade att självdrag och kong båda är 0 eller 1, eller båda `?`",
                    "第 {column} 个字符：遇到 {found}，自摸与杠两个标志应都为 0 或 1，或都为 `?`",
                )
            }
            NotationError::Flowers { found, .. } => {
                let found = found.said(lang);
                said!(
                    self,
                    lang,
                    "Zeichen {column}: gefunden {found}, erwartet höchstens acht Glücksziegel, jeder einmal",
                    "tegn {column}: fandt {found}, ventede højst otte blomster, hver én gang",
                    "tecken {column}: hittade {found}, väntade högst åtta blommor, var och en en gång",
                    "第 {column} 个字符：遇到 {found}，花牌最多八张，每张只出现一次",
                )
            }
        }
    }
}

fn wrong_mark(error: &NotationError, lang: Lang, found: FoundChar, kind: MarkedSet) -> String {
    let (column, found) = (error.position().column + 1, found.said(lang));
    match kind {
        MarkedSet::Chow => said!(
            error,
            lang,
            "Zeichen {column}: gefunden {found} als Marke einer Folge, erwartet 1, 2 oder 3 (der gerufene Ziegel, vom niedrigsten an) oder `?`",
            "tegn {column}: fandt {found} som mærke på en chow, ventede 1, 2 eller 3 (den tagne brik, fra den laveste) eller `?`",
            "tecken {column}: hittade {found} som märke på en chow, väntade 1, 2 eller 3 (den tagna brickan, från den lägsta) eller `?`",
            "第 {column} 个字符：顺子的标记为 {found}，应为 1、2 或 3（吃进的牌，从小到大）或 `?`",
        ),
        MarkedSet::Pung => said!(
            error,
            lang,
            "Zeichen {column}: gefunden {found} als Marke eines Drillings, erwartet 1 (links), 2 (gegenüber), 3 (rechts) oder `?`",
            "tegn {column}: fandt {found} som mærke på en pung, ventede 1 (venstre), 2 (overfor), 3 (højre) eller `?`",
            "tecken {column}: hittade {found} som märke på en pung, väntade 1 (vänster), 2 (mittemot), 3 (höger) eller `?`",
            "第 {column} 个字符：刻子的标记为 {found}，应为 1（上家）、2（对家）、3（下家）或 `?`",
        ),
    }
}

impl Message for FoundChar {
    fn said(&self, lang: Lang) -> String {
        match self.0 {
            Some(_) => self.to_string(),
            None => said!(
                self,
                lang,
                "das Ende des Texts",
                "slutningen af teksten",
                "slutet av texten",
                "文本结尾"
            ),
        }
    }
}

impl Message for Expectation {
    fn said(&self, lang: Lang) -> String {
        match self {
            Expectation::Tile => said!(
                self,
                lang,
                "ein Ziegel (Zahlen mit m, p, s oder z, oder eines von E S W N C F P)",
                "en brik (tal med m, p, s eller z, eller en af E S W N C F P)",
                "en bricka (siffror med m, p, s eller z, eller en av E S W N C F P)",
                "一张牌（数字加 m、p、s 或 z，或 E S W N C F P 之一）",
            ),
            Expectation::InHand => said!(
                self,
                lang,
                "ein Ziegel, `[` für eine ausgelegte Figur, `+` für den Schlussziegel oder `|`",
                "en brik, `[` for et udlagt sæt, `+` for vinderbrikken eller `|`",
                "en bricka, `[` för en utlagd kombination, `+` för den vinnande brickan eller `|`",
                "一张牌、`[`（副露）、`+`（和牌张）或 `|`",
            ),
            Expectation::InMeld => said!(
                self,
                lang,
                "ein Ziegel, `]`, oder `,` und eine Marke",
                "en brik, `]`, eller `,` og et mærke",
                "en bricka, `]`, eller `,` och ett märke",
                "一张牌、`]`，或 `,` 加标记",
            ),
            Expectation::Suit => said!(
                self,
                lang,
                "die Farbe dieser Zahlen: m, p, s oder z als Kleinbuchstabe",
                "kuløren til disse tal: m, p, s eller z med små bogstaver",
                "färgen för siffrorna: m, p, s eller z med små bokstäver",
                "这些数字的花色：小写的 m、p、s 或 z",
            ),
            Expectation::NumberOfSuit => said!(self, lang, "0 bis 9", "0 til 9", "0–9", "0 至 9"),
            Expectation::NumberOfHonor => said!(
                self,
                lang,
                "1 bis 7 (E S W N C F P)",
                "1 til 7 (E S W N C F P)",
                "1–7 (E S W N C F P)",
                "1 至 7（E S W N C F P）",
            ),
            Expectation::WinningTile => said!(
                self,
                lang,
                "der Schlussziegel, oder `?`",
                "vinderbrikken, eller `?`",
                "den vinnande brickan, eller `?`",
                "和牌张或 `?`",
            ),
            Expectation::Mark => said!(
                self,
                lang,
                "eine Marke: 0 bis 3, 5 bis 7, `?` oder `+`",
                "et mærke: 0 til 3, 5 til 7, `?` eller `+`",
                "ett märke: 0–3, 5–7, `?` eller `+`",
                "标记：0 至 3、5 至 7、`?` 或 `+`",
            ),
            // The character itself, in every language.
            Expectation::EndOfMeld => self.to_string(),
            Expectation::Wind => said!(
                self,
                lang,
                "ein Wind: E, S, W, N, oder `?`",
                "en vind: E, S, W, N, eller `?`",
                "en vind: E, S, W, N eller `?`",
                "风：E、S、W、N 或 `?`",
            ),
            Expectation::Flag => {
                said!(
                    self,
                    lang,
                    "0, 1 oder `?`",
                    "0, 1 eller `?`",
                    "0, 1 eller `?`",
                    "0、1 或 `?`"
                )
            }
            Expectation::From => said!(
                self,
                lang,
                "1 (links), 2 (gegenüber) oder 3 (rechts)",
                "1 (venstre), 2 (overfor) eller 3 (højre)",
                "1 (vänster), 2 (mittemot) eller 3 (höger)",
                "1（上家）、2（对家）或 3（下家）",
            ),
            Expectation::Flower => said!(
                self,
                lang,
                "eine Anzahl Glücksziegel, dann Buchstaben a bis h, f1 bis f4 oder s1 bis s4",
                "et antal blomster, derefter bogstaver a til h, f1 til f4 eller s1 til s4",
                "ett antal blommor, sedan bokstäver a till h, f1 till f4 eller s1 till s4",
                "花牌张数，然后是字母 a 至 h、f1 至 f4 或 s1 至 s4",
            ),
            Expectation::NumberOfFlower => said!(self, lang, "1 bis 4", "1 til 4", "1–4", "1 至 4"),
            Expectation::EndOfText => {
                said!(
                    self,
                    lang,
                    "das Ende des Texts",
                    "slutningen af teksten",
                    "slutet av texten",
                    "文本结尾"
                )
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::explain::check;
    use crate::notation::Notation;

    /// Checks that each error and each expectation has a text in every language.
    #[test]
    fn every_error_of_a_text_is_said_in_five_languages() {
        let texts = [
            "123x",
            "[",
            "[x",
            "[123m",
            "[123m;",
            "123",
            "8z",
            "123m+",
            "123m+12p",
            "[123m,x]",
            "[124m]",
            "[123m,5]",
            "[321m,1]",
            "[222m,5]",
            "1m|x",
            "1m|EE2",
            "1m|EE???0",
            "1m|EE0000,4",
            "1m||x",
            "1m||9",
            "1m||aa",
            "1m||f9",
            "1m|EE0000|1|",
            "1m|EE0000x",
        ];
        let errors = texts.map(|text| text.parse::<Notation>().expect_err(text));
        check(errors, &["`x`", "8", "`z`", "12p", "124m", "123m", "f4", "`?`", "`]`"]);
    }
}
