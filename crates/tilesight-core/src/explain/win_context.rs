//! The way in which a hand was won, and the count of a line, in words. The printed table, the
//! picture and the list of the other players use these words.
//!
//! Input: a [`Context`] or a line. Output: words in the language of the [`Labels`].

use crate::context::{Context, ContextField, DeclaredSet, Feeder, RiichiCall};
use crate::rules::{Award, Exclusion, Score};
use crate::tile::{PrintedTile, Wind};

use super::{Labels, Lang, fill};
use crate::plural::choose_form;

impl Labels {
    /// Describes how the hand was won, one field each: `discard`, `from the left`,
    /// `last of its kind`.
    #[must_use]
    pub fn won_by(&self, context: &Context) -> Vec<String> {
        let win = context.win;
        let mut words = vec![self.wins[win.kind() as usize]];
        words.extend(win.from().map(|from| self.from[from as usize]));
        words.extend(context.last_wall_tile.then_some(self.last_wall_tile));
        words.extend(context.last_of_kind.then_some(self.last_of_kind));
        words.extend(context.feeder.map(|feeder| self.feeders[feeder as usize]));
        words.extend(context.declared.iter().map(|one| self.declared[one as usize]));
        let mut words: Vec<String> = words.into_iter().map(str::to_owned).collect();
        words.extend(context.completes.map(|set| fill(self.completes, "set", set)));
        words.extend(self.words_of_riichi(context));
        let elsewhere = context.dealer != Wind::East;
        words.extend(elsewhere.then(|| fill(self.dealer, "seat", self.wind(context.dealer))));
        let streak = context.dealer_streak.get();
        words.extend((streak > 0).then(|| fill(self.dealer_streak, "count", streak)));
        words
    }

    /// Describes the fields that riichi alone uses: `riichi`, `2 honba`.
    fn words_of_riichi(&self, context: &Context) -> Vec<String> {
        let call = Some(context.riichi).filter(|&call| call != RiichiCall::No);
        let dora = context.dora_indicators;
        let ura = context.ura_indicators;
        let honba = context.honba.get();
        let sticks = context.riichi_sticks.get();
        let set_aside = u32::from(context.norths);
        let [one, more] = self.riichi_sticks;
        let [north, norths] = self.norths;
        let words = [
            call.map(|call| self.riichi_call(call).to_owned()),
            context.ippatsu.then(|| self.ippatsu.to_owned()),
            (!dora.is_empty()).then(|| fill(self.dora_indicators, "tiles", dora)),
            (!ura.is_empty()).then(|| fill(self.ura_indicators, "tiles", ura)),
            (honba > 0).then(|| fill(self.honba, "count", honba)),
            (sticks > 0).then(|| fill(choose_form(u32::from(sticks), one, more), "count", sticks)),
            (set_aside > 0)
                .then(|| fill(choose_form(set_aside, north, norths), "count", set_aside)),
        ];
        words.into_iter().flatten().collect()
    }
}

impl Labels {
    /// Returns whether, and how, riichi was declared.
    pub(super) fn riichi_call(&self, call: RiichiCall) -> &'static str {
        match call {
            RiichiCall::No => self.no_riichi,
            RiichiCall::Riichi => self.riichi_calls[0],
            RiichiCall::Double => self.riichi_calls[1],
        }
    }

    /// Returns the declarations; without any, that the hand was not declared ready, which is the
    /// only one that is asked.
    pub(super) fn declarations(&self, declared: DeclaredSet) -> String {
        if declared.is_empty() {
            return self.no_ready.to_owned();
        }
        declared.iter().map(|one| self.declared[one as usize]).collect::<Vec<_>>().join(self.list)
    }

    fn wind(&self, wind: Wind) -> &'static str {
        self.winds[wind as usize]
    }

    /// Returns a field that got a default, with its value; `feeder` is the one that the score
    /// assumed.
    #[must_use]
    pub fn assumed_value(
        &self,
        field: ContextField,
        context: &Context,
        feeder: Option<Feeder>,
    ) -> String {
        match field {
            ContextField::Seat => format!("{} {}", self.seat, self.wind(context.seat)),
            ContextField::Prevalent => {
                format!("{} {}", self.prevalent, self.wind(context.prevalent))
            }
            ContextField::Win => self.wins[context.win.kind() as usize].to_owned(),
            ContextField::From => {
                context.win.from().map_or("", |from| self.from[from as usize]).to_owned()
            }
            ContextField::LastWallTile => self.last_wall_tile.to_owned(),
            ContextField::LastOfKind => self.last_of_kind.to_owned(),
            ContextField::Declared => self.declarations(context.declared),
            ContextField::Completes => {
                context.completes.map_or(String::new(), |set| fill(self.completes, "set", set))
            }
            ContextField::Feeder => {
                feeder.map_or("", |feeder| self.feeders[feeder as usize]).to_owned()
            }
            ContextField::Riichi => self.riichi_call(context.riichi).to_owned(),
            ContextField::Ippatsu => self.no_ippatsu.to_owned(),
            ContextField::DoraIndicators => self.no_indicators.to_owned(),
            ContextField::Norths => self.no_norths.to_owned(),
            ContextField::Dealer => fill(self.dealer, "seat", self.wind(context.dealer)),
            ContextField::DealerStreak => fill(self.dealer_streak, "count", context.dealer_streak),
            // None of these ever gets a default that is listed.
            ContextField::UraIndicators | ContextField::Honba | ContextField::RiichiSticks => {
                self.words_of_riichi(context).join(self.list)
            }
        }
    }
}

impl Labels {
    /// Returns the red fives that a score counts although nobody named them; `None` if there are
    /// none.
    #[must_use]
    pub fn assumed_red_fives(&self, score: &Score) -> Option<String> {
        let reds = &score.riichi.as_ref()?.assumed_reds;
        let codes: Vec<String> = reds.iter().map(PrintedTile::to_string).collect();
        (!codes.is_empty()).then(|| fill(self.assumed_reds, "tiles", codes.join(" ")))
    }
}

impl Award {
    /// Returns the name of the line with its count: `Pung of Dragons × 2`.
    #[must_use]
    pub fn name(&self, lang: Lang) -> String {
        format_flag_count(self.rule.name(lang), self.count)
    }
}

impl Exclusion {
    /// Returns the name of the line with the count that it would have had.
    #[must_use]
    pub fn name(&self, lang: Lang) -> String {
        format_flag_count(self.rule.name(lang), self.count)
    }
}

fn format_flag_count(name: &str, count: u32) -> String {
    if count > 1 { format!("{name} × {count}") } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::Notation;

    #[test]
    fn every_field_is_named_once() {
        let notation: Notation = "123m456m789m11p22p2p|SE0010".parse().expect("a hand");
        let (context, _) = notation.context.resolve().expect("plain");
        let words = Lang::En.labels().won_by(&context);
        assert_eq!(words, ["discard", "from the left", "last tile of the wall"]);
    }
}
