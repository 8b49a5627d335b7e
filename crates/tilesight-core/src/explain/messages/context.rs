//! Errors of a win context that contradicts itself, or has unknown words.

use crate::context::{
    CompletedSetError, ContextError, CountError, Declaration, DeclaredError, IndicatorsError,
    MAX_COUNT,
};
use crate::explain::{Lang, Message, display_english};
use crate::texts;

display_english!(ContextError);

impl Message for ContextError {
    fn text(&self, lang: Lang) -> String {
        match self {
            ContextError::SelfDrawnFromSomebody => {
                texts::context_error::self_drawn_from_somebody(lang).to_owned()
            }
            ContextError::WonByNothing => texts::context_error::won_by_nothing(lang).to_owned(),
        }
    }
}

display_english!(CompletedSetError);

impl Message for CompletedSetError {
    fn text(&self, lang: Lang) -> String {
        let CompletedSetError(text) = self;
        texts::invalid::completed_set(lang, text)
    }
}

display_english!(IndicatorsError, CountError);

impl Message for IndicatorsError {
    fn text(&self, lang: Lang) -> String {
        match self {
            IndicatorsError::Tile(error) => error.text(lang),
            IndicatorsError::TooMany => texts::indicators_error::too_many(lang).to_owned(),
        }
    }
}

impl Message for CountError {
    fn text(&self, lang: Lang) -> String {
        texts::indicators_error::not_a_count(lang, &self.0, MAX_COUNT)
    }
}

display_english!(DeclaredError);

impl Message for DeclaredError {
    fn text(&self, lang: Lang) -> String {
        match self {
            DeclaredError::Unknown(code) => {
                let known = Declaration::NAMES.join(lang.labels().list);
                texts::declared_error::unknown(lang, code, known)
            }
            DeclaredError::Twice(code) => texts::declared_error::twice(lang, code),
        }
    }
}
