//! Errors of a win context that contradicts itself, or has unknown words.

use crate::context::{CompletedSetError, ContextError, Declaration, DeclaredError};
use crate::explain::{Lang, Message, said};

impl Message for ContextError {
    fn said(&self, lang: Lang) -> String {
        match self {
            ContextError::SelfDrawnFromSomebody => said!(
                self,
                lang,
                "der Schlussziegel wurde selbst gezogen: niemand hat ihn abgelegt",
                "vinderbrikken blev trukket selv: ingen har kasseret den",
                "den vinnande brickan drogs själv: ingen har kastat den",
                "和牌张是自摸的：没有人打出它",
            ),
            ContextError::WonByNothing => said!(
                self,
                lang,
                "die Hand hat nicht gewonnen: sie hat keinen Schlussziegel",
                "hånden har ikke vundet: den har ingen vinderbrik",
                "handen har inte vunnit: den har ingen vinnande bricka",
                "这手牌没有和：不存在和牌张",
            ),
        }
    }
}

impl Message for CompletedSetError {
    fn said(&self, lang: Lang) -> String {
        let CompletedSetError(text) = self;
        said!(
            self,
            lang,
            "`{text}` ist keine Figur: erwartet wird ein Paar, ein Drilling oder eine Folge, etwa 99s, EEE oder 456m",
            "`{text}` er ikke et sæt: forventet er et par, en pung eller en chow, f.eks. 99s, EEE eller 456m",
            "`{text}` är ingen kombination: väntat var ett par, en pung eller en chow, t.ex. 99s, EEE eller 456m",
            "`{text}` 不是一副牌：应为将、刻子或顺子，如 99s、EEE 或 456m",
        )
    }
}

impl Message for DeclaredError {
    fn said(&self, lang: Lang) -> String {
        match self {
            DeclaredError::Unknown(code) => {
                let known = Declaration::NAMES.join(", ");
                said!(
                    self,
                    lang,
                    "`{code}` kann nicht angesagt werden: erwartet wird {known}",
                    "`{code}` kan ikke meldes: forventet er {known}",
                    "`{code}` kan inte anmälas: väntat var {known}",
                    "`{code}` 不能声明：应为 {known}",
                )
            }
            DeclaredError::Twice(code) => said!(
                self,
                lang,
                "`{code}` ist zweimal angesagt",
                "`{code}` er meldt to gange",
                "`{code}` är anmält två gånger",
                "`{code}` 声明了两次",
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain::check;

    #[test]
    fn every_contradiction_of_a_context_is_said_in_five_languages() {
        check([ContextError::SelfDrawnFromSomebody, ContextError::WonByNothing], &[]);
    }

    #[test]
    fn words_that_mean_nothing_are_said_in_five_languages() {
        check([CompletedSetError("EW".to_owned())], &["`EW`", "99s", "456m"]);
        let declared =
            [DeclaredError::Unknown("hell".to_owned()), DeclaredError::Twice(Declaration::Heaven)];
        check(declared, &["`hell`", "`heaven`", "heaven, earth"]);
    }
}
