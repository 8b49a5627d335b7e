//! A win context that contradicts itself, and words in it that mean nothing.

use crate::context::ContextError;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain::check;

    #[test]
    fn every_contradiction_of_a_context_is_said_in_five_languages() {
        check([ContextError::SelfDrawnFromSomebody, ContextError::WonByNothing], &[]);
    }
}
