//! Resolution of the given fields into a complete win context.
//!
//! Input: a [`ContextSetup`]. Output: a [`Context`] and the fields that got a default, or a
//! [`ContextError`]. Invariant: the same fields always get the same defaults, and all of them are
//! listed except those whose default changes no score.

use super::{Context, ContextField, ContextSetup, WinKind, WinSource};
use crate::meld::Relation;

/// Error when a context contradicts itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ContextError {
    /// A discarder was given for a self-drawn tile.
    SelfDrawnFromSomebody,
    /// A source of the winning tile was given for a hand that has not won.
    WonByNothing,
}

impl ContextError {
    /// Returns the field to change.
    #[must_use]
    pub const fn field(self) -> ContextField {
        match self {
            ContextError::SelfDrawnFromSomebody => ContextField::From,
            ContextError::WonByNothing => ContextField::Win,
        }
    }
}

impl ContextSetup {
    /// Fills absent fields with their defaults and lists these fields, in the order of the
    /// contract. The two last-tile flags (off), the declarations (none), the completed set (the
    /// winner's choice), the feeder (nobody), the fields of riichi (none) and the dealer (East, no
    /// streak) are not listed.
    ///
    /// # Errors
    /// [`ContextError`] when the fields contradict each other.
    pub fn resolve(&self) -> Result<(Context, Vec<ContextField>), ContextError> {
        self.complete().map(|context| (context, self.defaulted_fields(context.win)))
    }

    /// Fills absent fields with their defaults, as [`resolve`](Self::resolve) does.
    #[inline]
    pub(crate) fn complete(&self) -> Result<Context, ContextError> {
        if self.has_not_won() && (self.win.is_some() || self.from.is_some()) {
            return Err(ContextError::WonByNothing);
        }
        let win = self.win.unwrap_or(WinKind::Discard);
        let from = self.from.unwrap_or(Relation::Left);
        let win = match (win, self.from) {
            (WinKind::Discard, _) => WinSource::Discard { from },
            (WinKind::RobbedKong, _) => WinSource::RobbedKong { from },
            (_, Some(_)) => return Err(ContextError::SelfDrawnFromSomebody),
            (WinKind::SelfDrawn, None) => WinSource::SelfDrawn,
            (WinKind::KongReplacement, None) => WinSource::KongReplacement,
        };
        Ok(Context {
            seat: self.seat.unwrap_or_default(),
            prevalent: self.prevalent.unwrap_or_default(),
            win,
            last_wall_tile: self.last_wall_tile.unwrap_or(false),
            last_of_kind: self.last_of_kind.unwrap_or(false),
            declared: self.declared.unwrap_or_default(),
            completes: self.completes,
            feeder: self.feeder,
            riichi: self.riichi.unwrap_or_default(),
            ippatsu: self.ippatsu.unwrap_or(false),
            dora_indicators: self.dora_indicators.unwrap_or_default(),
            ura_indicators: self.ura_indicators.unwrap_or_default(),
            honba: self.honba.unwrap_or_default(),
            riichi_sticks: self.riichi_sticks.unwrap_or_default(),
            norths: self.norths.unwrap_or_default(),
            dealer: self.dealer.unwrap_or_default(),
            dealer_streak: self.dealer_streak.unwrap_or_default(),
        })
    }

    /// Returns whether the setup says that the hand did not win.
    #[must_use]
    pub fn has_not_won(&self) -> bool {
        self.won == Some(false)
    }

    /// Returns the listed fields that got a default.
    pub(crate) fn defaulted_fields(&self, win: WinSource) -> Vec<ContextField> {
        let needs_payer = !win.is_self_drawn() && !self.has_not_won();
        [
            (self.seat.is_none(), ContextField::Seat),
            (self.prevalent.is_none(), ContextField::Prevalent),
            (self.win.is_none() && !self.has_not_won(), ContextField::Win),
            (self.from.is_none() && needs_payer, ContextField::From),
        ]
        .into_iter()
        .filter_map(|(absent, field)| absent.then_some(field))
        .collect()
    }
}

impl From<Context> for ContextSetup {
    fn from(context: Context) -> ContextSetup {
        ContextSetup {
            seat: Some(context.seat),
            prevalent: Some(context.prevalent),
            win: Some(context.win.kind()),
            from: context.win.from(),
            last_wall_tile: Some(context.last_wall_tile),
            last_of_kind: Some(context.last_of_kind),
            declared: Some(context.declared),
            completes: context.completes,
            feeder: context.feeder,
            riichi: Some(context.riichi),
            ippatsu: Some(context.ippatsu),
            dora_indicators: Some(context.dora_indicators),
            ura_indicators: Some(context.ura_indicators),
            honba: Some(context.honba),
            riichi_sticks: Some(context.riichi_sticks),
            norths: Some(context.norths),
            dealer: Some(context.dealer),
            dealer_streak: Some(context.dealer_streak),
            won: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::{Declaration, DeclaredSet, Feeder};
    use crate::tile::Wind;

    #[test]
    fn absent_fields_get_defaults_and_are_listed() {
        let (context, assumed) = ContextSetup::default().resolve().expect("nothing contradicts");
        assert_eq!(context.win, WinSource::Discard { from: Relation::Left });
        let names: Vec<_> = assumed.into_iter().map(ContextField::name).collect();
        assert_eq!(names, ["seat", "prevalent", "win", "from"]);
    }

    #[test]
    fn a_self_draw_needs_no_payer() {
        let setup = ContextSetup { win: Some(WinKind::KongReplacement), ..Default::default() };
        let (context, assumed) = setup.resolve().expect("nothing contradicts");
        assert_eq!(context.win, WinSource::KongReplacement);
        assert_eq!(assumed, [ContextField::Seat, ContextField::Prevalent]);
    }

    #[test]
    fn a_self_drawn_tile_from_somebody_is_refused() {
        let setup = ContextSetup {
            win: Some(WinKind::SelfDrawn),
            from: Some(Relation::Right),
            ..Default::default()
        };
        let error = setup.resolve().expect_err("a contradiction");
        assert_eq!(error.field(), ContextField::From);
    }

    #[test]
    fn a_context_resolves_to_itself() {
        let context = Context {
            seat: Wind::West,
            prevalent: Wind::South,
            win: WinSource::RobbedKong { from: Relation::Across },
            last_wall_tile: true,
            declared: DeclaredSet::NONE.with(Declaration::OriginalCall),
            completes: "456m".parse().ok(),
            feeder: Some(Feeder::Nobody),
            ..Context::PLAIN
        };
        assert_eq!(ContextSetup::from(context).resolve(), Ok((context, vec![])));
    }
}
