//! The rule sets that hands can be scored by: the context fields that they use, their differences
//! and their lines.
//!
//! Output: the answer of `GET /v1/rulesets`, in one language, with the names of the lines in all
//! languages. All data comes from the [`rules`](crate::rules) themselves, so that the list agrees
//! with the scores.

use serde::Serialize;
use serde_json::{Value, json};

use super::riichi::ValueRowDto;
use crate::context::{
    Context, ContextSetup, ContextValue, Count, FieldEntry, FieldVisitor, Spelling,
};
use crate::explain::Lang;
use crate::hand::HandSize;
use crate::meld::{Relation, Seats};
use crate::rules::{Book, Conventions, Halves, Profile, Rule, Ruleset, RulesetId, Unit, Worth};
use crate::settle::Share;
use crate::tile::Wind;

/// Every rule set.
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
#[schema(as = Rulesets)]
pub struct RulesetsDto {
    /// The rule sets, the default first.
    pub rulesets: Vec<RulesetDto>,
}

/// A rule set.
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
#[schema(as = Ruleset)]
pub struct RulesetDto {
    /// Identifier of the rule set in requests.
    pub id: RulesetId,
    /// Display name.
    pub name: String,
    /// Display name where space is limited, such as `MCR 2006`. It equals `name` if there is no
    /// shorter one.
    pub short_name: String,
    /// Rule family that the rule set belongs to.
    pub game: String,
    /// Short description.
    pub summary: String,
    /// Minimum of a legal winning hand; 0 if every winning hand is legal.
    pub minimum: u32,
    /// Unit of the minimum.
    pub minimum_unit: Unit,
    /// Whether the hands of players who did not win count too, and may be sent as `others`.
    pub scores_everybody: bool,
    /// Seats that players take, in the order of play: three where three play.
    pub seats: Vec<Wind>,
    /// Size of a winning hand.
    pub hand: HandSizeDto,
    /// Conventions for laying tiles on the table.
    pub conventions: Conventions,
    /// Payments for a hand of which only the value is known, for each winner and discarder.
    pub payments: Vec<PaymentRuleDto>,
    /// Value that the payments are shares of, for each total from 0 on; the last one holds for all
    /// higher totals. Absent if the total itself is settled.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub values: Vec<u32>,
    /// Fields of the win context that the rule set uses.
    pub context: Vec<FieldChoicesDto>,
    /// Options for the points on which published versions of the rules differ.
    pub options: Vec<OptionDto>,
    /// Table of values by han and fu, in riichi alone.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub value_table: Vec<ValueRowDto>,
    /// Every line that can count, in the order of the rules: in MCR the fans, from most to fewest
    /// points.
    pub lines: Vec<LineDto>,
}

/// Size of a winning hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[schema(as = HandSize)]
pub struct HandSizeDto {
    /// Number of sets beside the pair.
    pub sets: usize,
    /// Number of tiles with the winning one, each kong counted as three.
    pub tiles: usize,
}

impl From<HandSize> for HandSizeDto {
    fn from(size: HandSize) -> HandSizeDto {
        HandSizeDto { sets: size.sets(), tiles: size.tiles() }
    }
}

/// Payments for a hand, for one winner and discarder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[schema(as = PaymentRule)]
pub struct PaymentRuleDto {
    /// Seat that won.
    pub winner: Wind,
    /// Seat that discarded the winning tile; `null` on a self-draw.
    pub discarder: Option<Wind>,
    /// Share of each seat that pays.
    pub shares: Vec<ShareDto>,
}

/// Payment of a seat: `basic + value * times / per` points, rounded down, and `for_streak` for each
/// deal that the dealer has stayed on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[schema(as = Share)]
pub struct ShareDto {
    /// Seat that pays.
    pub seat: Wind,
    /// Fixed payment for every hand.
    pub basic: u32,
    /// Numerator of the share of the hand's value.
    pub times: u32,
    /// Denominator of the share of the hand's value.
    pub per: u32,
    /// Fixed payment besides for each deal that the dealer has stayed on, in the game of sixteen
    /// tiles alone. There the seats are counted from the dealer as East.
    #[serde(skip_serializing_if = "is_nothing")]
    #[schema(required = false)]
    pub for_streak: u32,
}

/// A field of the win context, with its values.
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
#[schema(as = FieldChoices)]
pub struct FieldChoicesDto {
    /// Name of the field in the `context`.
    pub field: String,
    /// Possible values; empty if they depend on the hand.
    pub values: Vec<Value>,
    /// Value if the field is absent.
    pub default: Value,
}

/// A point on which published versions of the rules differ.
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
#[schema(as = RulesetOption)]
pub struct OptionDto {
    /// Name of the option.
    pub name: String,
    /// A number, a word, or whether the option is set.
    pub value: Value,
    /// Explanation of the option.
    pub explanation: String,
}

/// A line of a rule set.
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
#[schema(as = RulesetLine)]
pub struct LineDto {
    /// Code of the line, the same in all languages.
    pub code: &'static str,
    /// Number of the line, if the rules number their lines, as those of the WMO do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<u8>,
    /// Reference to the paragraph in the rules.
    pub paragraph: String,
    /// Name of the line in the requested language.
    pub name: String,
    /// Points of one occurrence; 0 for doubles, limits, faan and tai.
    pub points: u32,
    /// Doubles of one occurrence, in steps of one half.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<f64>)]
    pub doublings: Option<Halves>,
    /// Limits of one occurrence, in steps of one half.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<f64>)]
    pub limits: Option<Halves>,
    /// Faan of one occurrence; the limit for a line that is worth it, 0 for a line that is not
    /// played.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub faan: Option<u32>,
    /// Tai of one occurrence; 0 for a line that is not played.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tai: Option<u32>,
    /// Han of the line in a closed hand.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub han: Option<u32>,
    /// Han of the line in an open hand; absent if only a closed hand can have it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub han_open: Option<u32>,
    /// Conditions of the line.
    pub explanation: String,
    /// Name of the line in every language.
    pub names: NamesDto,
}

/// A name in every language.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[schema(as = Names)]
pub struct NamesDto {
    /// English.
    pub en: String,
    /// German.
    pub de: String,
    /// Danish.
    pub da: String,
    /// Swedish.
    pub sv: String,
    /// Chinese in simplified characters.
    pub zh: String,
    /// Chinese in traditional characters.
    pub zh_hant: String,
    /// Japanese.
    pub ja: String,
    /// Pinyin of the name in traditional characters, in the game of sixteen tiles alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pinyin: Option<String>,
}

impl RulesetsDto {
    /// Lists all rule sets of a book, in a language.
    #[must_use]
    pub fn new(book: &Book, lang: Lang) -> RulesetsDto {
        let rulesets = book.profiles().map(|profile| RulesetDto::new(profile, lang));
        RulesetsDto { rulesets: rulesets.collect() }
    }
}

impl RulesetDto {
    /// Describes a rule set in a language.
    #[must_use]
    pub fn new(profile: &Profile, lang: Lang) -> RulesetDto {
        let rules = profile.rules();
        let (minimum, minimum_unit) = rules.minimum();
        let lines = rules.lines().into_iter();
        RulesetDto {
            id: profile.id(),
            name: profile.title(lang).to_owned(),
            short_name: profile.short_title(lang).to_owned(),
            game: profile.game().to_owned(),
            summary: profile.summary(lang).to_owned(),
            minimum,
            minimum_unit,
            scores_everybody: profile.scores_everybody(),
            seats: rules.seats().winds().to_vec(),
            hand: rules.size().into(),
            conventions: rules.conventions(),
            payments: payment_rules(rules),
            values: rules.values(),
            context: fields(rules),
            options: options(rules, lang),
            value_table: rules.value_table().iter().map(ValueRowDto::from).collect(),
            lines: lines.map(|(rule, worth)| LineDto::new(rules, (rule, worth), lang)).collect(),
        }
    }
}

impl LineDto {
    fn new(rules: &dyn Ruleset, (rule, worth): (&'static Rule, Worth), lang: Lang) -> LineDto {
        LineDto {
            code: rule.code,
            number: rule.number(),
            paragraph: rule.paragraph.to_string(),
            name: rule.name(lang).to_owned(),
            points: worth.points(),
            doublings: worth.doublings(),
            limits: worth.limits(),
            faan: worth.faan(),
            tai: worth.tai(),
            han: worth.han(),
            han_open: rules.open_worth(rule).and_then(Worth::han),
            explanation: rule.explanation(lang).to_owned(),
            names: NamesDto::new(rule, rules.pinyin(rule)),
        }
    }
}

impl NamesDto {
    fn new(rule: &Rule, pinyin: Option<&str>) -> NamesDto {
        NamesDto {
            en: rule.name(Lang::En).to_owned(),
            de: rule.name(Lang::De).to_owned(),
            da: rule.name(Lang::Da).to_owned(),
            sv: rule.name(Lang::Sv).to_owned(),
            zh: rule.name(Lang::Zh).to_owned(),
            zh_hant: rule.name(Lang::ZhHant).to_owned(),
            ja: rule.name(Lang::Ja).to_owned(),
            pinyin: pinyin.map(str::to_owned),
        }
    }
}

/// Returns the payments for each winner and each way to win.
fn payment_rules(rules: &dyn Ruleset) -> Vec<PaymentRuleDto> {
    let seats = rules.seats();
    let sources = seats.winds().iter().copied().map(Some).chain([None]);
    let wins = seats.winds().iter().flat_map(|&winner| {
        let sources = sources.clone().filter(move |&discarder| discarder != Some(winner));
        sources.map(move |discarder| (winner, discarder))
    });
    let rules = wins.map(|(winner, discarder)| {
        let context = Context::plain_win(seats, winner, discarder);
        let shares = rules.shares(&context);
        let dealer_streak = Count::new(1).unwrap_or_default();
        let after_stay = rules.shares(&Context { dealer_streak, ..context });
        let payers = Wind::ALL.into_iter().filter(|&seat| shares.for_seat(seat) != Share::NOTHING);
        let paid = payers.map(|seat| {
            let Share { basic, times, per } = shares.for_seat(seat);
            let for_streak = after_stay.for_seat(seat).basic - basic;
            ShareDto { seat, basic, times, per, for_streak }
        });
        PaymentRuleDto { winner, discarder, shares: paid.collect() }
    });
    rules.collect()
}

const fn is_nothing(points: &u32) -> bool {
    *points == 0
}

/// Returns the fields that a rule set uses, with their possible values and their defaults.
fn fields(rules: &dyn Ruleset) -> Vec<FieldChoicesDto> {
    let (defaults, _) = ContextSetup::default().resolve().expect("nothing is given");
    let mut choices = Choices { rules, fields: Vec::new() };
    ContextSetup::from(defaults).visit(&mut choices);
    rules
        .context_fields()
        .iter()
        .filter_map(|field| choices.fields.iter().find(|one| one.field == field.name()).cloned())
        .collect()
}

/// Visitor that collects fields with their values and defaults.
struct Choices<'a> {
    rules: &'a dyn Ruleset,
    fields: Vec<FieldChoicesDto>,
}

impl FieldVisitor for Choices<'_> {
    fn visit<T: ContextValue>(
        &mut self,
        field: &FieldEntry,
        default: Option<T>,
        _: Option<T>,
    ) -> Option<T> {
        let values = match T::SPELLING {
            Spelling::Flag => vec![json!(false), json!(true)],
            Spelling::OneOf(names) => {
                let seats = self.rules.seats();
                let taken = names.iter().filter(|name| is_taken(seats, field.name, name));
                taken.map(|&name| json!(name)).collect()
            }
            // The only list is that of declarations, which differ by rule family.
            Spelling::SomeOf(_) => {
                self.rules.declared().iter().map(|one| json!(one.name())).collect()
            }
            // Any set that contains the winning tile is possible, any tile and any number.
            Spelling::Text | Spelling::Tiles | Spelling::Number { .. } => Vec::new(),
        };
        let field = field.name.to_owned();
        self.fields.push(FieldChoicesDto { field, values, default: json!(default) });
        default
    }
}

/// Returns whether a value of a field is possible with these seats.
fn is_taken(seats: Seats, field: &str, value: &str) -> bool {
    match field {
        "seat" => seats.winds().iter().any(|seat| seat.to_string() == value),
        "from" | "feeder" if value == "across" => {
            seats.neighbor(Wind::East, Relation::Across).is_some()
        }
        _ => true,
    }
}

/// Returns every option with its explanation.
fn options(rules: &dyn Ruleset, lang: Lang) -> Vec<OptionDto> {
    let options = rules.options().into_iter().map(|(name, value)| OptionDto {
        explanation: rules.option_text(&name, lang).unwrap_or_default(),
        name,
        value,
    });
    options.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::ContextDto;
    use crate::texts;

    #[test]
    fn every_option_is_explained_in_every_language() {
        for lang in Lang::ALL {
            for ruleset in RulesetsDto::new(&Book::shipped(), lang).rulesets {
                for option in ruleset.options {
                    let text = &option.explanation;
                    assert!(text.ends_with(['.', '。']), "{lang} {}: {text}", option.name);
                    assert!(!text.contains(['{', '}']), "{lang} {}: {text}", option.name);
                }
            }
        }
        let german =
            Book::shipped().usual().rules().option_text("two_concealed_kongs_points", Lang::De);
        assert_eq!(german.as_deref(), Some("Punkte für Zwei verdeckte Vierlinge (48)."));
    }

    #[test]
    fn every_explained_option_exists() {
        let book = Book::shipped();
        let explained = [
            ("mcr", texts::mcr::OPTIONS),
            ("mmm", texts::mmm::OPTIONS),
            ("classical", texts::classical::OPTIONS),
            ("hongkong", texts::hongkong::OPTIONS),
            ("taiwan", texts::taiwan::OPTIONS),
            ("riichi", texts::riichi::OPTIONS),
        ];
        for (game, names) in explained {
            let profile = book.profiles().find(|profile| profile.game() == game).expect(game);
            let options = profile.rules().options();
            for name in names {
                assert!(options.contains_key(*name), "{game} has no option {name}");
            }
        }
    }

    #[test]
    fn a_short_name_fits_beside_others_and_tells_rule_sets_apart() {
        for lang in Lang::ALL {
            let all = RulesetsDto::new(&Book::shipped(), lang).rulesets;
            let short: std::collections::HashSet<_> =
                all.iter().map(|one| one.short_name.as_str()).collect();
            assert_eq!(short.len(), all.len(), "{lang}: {short:?}");
            for one in &all {
                let length = one.short_name.chars().count();
                assert!((3..=18).contains(&length), "{lang} {}: {}", one.id, one.short_name);
            }
        }
        let own = "id = \"club\"\ngame = \"mcr\"\nextends = \"mcr-wmo\"\ntitle = \"Our club\"\n";
        let profile = Profile::parse(own).expect("a profile");
        let named = RulesetDto::new(&profile, Lang::De);
        assert_eq!((named.name.as_str(), named.short_name.as_str()), ("Our club", "Our club"));
    }

    /// Properties that every rule family's table of lines must have.
    #[test]
    fn every_line_has_its_own_code_and_its_words_in_every_language() {
        for ruleset in RulesetsDto::new(&Book::shipped(), Lang::En).rulesets {
            let codes: std::collections::HashSet<_> =
                ruleset.lines.iter().map(|line| line.code).collect();
            assert_eq!(codes.len(), ruleset.lines.len(), "{}", ruleset.id);
        }
        for lang in Lang::ALL {
            for line in RulesetsDto::new(&Book::shipped(), lang)
                .rulesets
                .into_iter()
                .flat_map(|one| one.lines)
            {
                assert!(!line.name.trim().is_empty(), "{lang} {}", line.code);
                let explained = line.explanation.ends_with(['.', '。']);
                assert!(explained, "{lang} {}: {}", line.code, line.explanation);
            }
        }
    }

    /// Returns the payments of a win.
    fn rule(ruleset: &RulesetDto, winner: Wind, discarder: Option<Wind>) -> &PaymentRuleDto {
        let mut rules = ruleset.payments.iter();
        rules
            .find(|rule| (rule.winner, rule.discarder) == (winner, discarder))
            .expect("every win is listed")
    }

    /// Returns what each player pays for a win of a value.
    fn paid(
        ruleset: &RulesetDto,
        winner: Wind,
        discarder: Option<Wind>,
        value: u32,
    ) -> Vec<(Wind, u32)> {
        let shares = rule(ruleset, winner, discarder).shares.iter();
        shares.map(|one| (one.seat, one.basic + value * one.times / one.per)).collect()
    }

    /// Returns what each player pays for a self-drawn win: the basic payment, and that for each
    /// deal that the dealer stayed on.
    fn paid_in_tai(ruleset: &RulesetDto, winner: Wind) -> Vec<(Wind, u32, u32)> {
        let shares = rule(ruleset, winner, None).shares.iter();
        shares.map(|one| (one.seat, one.basic, one.for_streak)).collect()
    }

    /// Examples of the rules: 20 points self-drawn in MCR, MMM's 1.4, the classical game's East.
    #[test]
    fn payments_are_listed_for_every_winner_and_discarder() {
        let all = RulesetsDto::new(&Book::shipped(), Lang::En).rulesets;
        let [mcr, mmm, classical] = [RulesetId::MCR_WMO, RulesetId::MMM, RulesetId::CLASSICAL_DMJL]
            .map(|id| {
                let ruleset = all.iter().find(|one| one.id == id).expect("shipped");
                assert_eq!(ruleset.payments.len(), 16);
                ruleset
            });
        use Wind::{East, North, South, West};
        let drawn = [(East, 28), (West, 28), (North, 28)];
        assert_eq!(paid(mcr, South, None, 20), drawn);
        let discarded = [(South, 8), (West, 8), (North, 40)];
        assert_eq!(paid(mcr, East, Some(North), 32), discarded);
        assert_eq!(paid(mmm, West, None, 80), [(East, 40), (South, 20), (North, 20)]);
        assert_eq!(paid(mmm, South, Some(East), 80), [(East, 80)]);
        let doubled = [(East, 400), (West, 200), (North, 200)];
        assert_eq!(paid(classical, South, Some(West), 200), doubled);
    }

    /// Base 100, 20 for each tai, and 1 and 2 tai of the dealer.
    #[test]
    fn payments_in_tai_know_the_dealer_and_each_deal_that_he_stayed_on() {
        let all = RulesetsDto::new(&Book::shipped(), Lang::En).rulesets;
        let common = all.iter().find(|one| one.id == RulesetId::TW_COMMON).expect("shipped");
        assert_eq!(common.values[..3], [100, 120, 140]);
        use Wind::{East, North, South, West};
        assert_eq!(paid_in_tai(common, East), [(South, 20, 40), (West, 20, 40), (North, 20, 40)]);
        assert_eq!(paid_in_tai(common, South), [(East, 20, 40), (West, 0, 0), (North, 0, 0)]);
        let others = all.iter().filter(|one| one.game != "taiwan");
        let mut shares = others.flat_map(|one| &one.payments).flat_map(|rule| &rule.shares);
        assert!(shares.all(|share| share.for_streak == 0));
    }

    #[test]
    fn points_are_those_of_the_rules() {
        let all = RulesetsDto::new(&Book::shipped(), Lang::En).rulesets;
        let kongs = all[..2].iter().map(|ruleset| {
            ruleset.lines.iter().find(|line| line.number == Some(48)).map(|line| line.points)
        });
        assert_eq!(kongs.collect::<Vec<_>>(), [Some(8), Some(6)]);
    }

    /// Compares the values with those that the contract accepts, and the defaults with those of the
    /// context.
    #[test]
    fn every_value_is_taken_and_every_default_is_the_one_assumed() {
        let (assumed, _) = ContextSetup::default().resolve().expect("plain");
        let assumed = serde_json::to_value(ContextSetup::from(assumed)).expect("JSON");
        for ruleset in RulesetsDto::new(&Book::shipped(), Lang::En).rulesets {
            for one in ruleset.context {
                for value in &one.values {
                    let json = json!({ &one.field: value }).to_string();
                    assert!(ContextDto::from_json(json.as_bytes()).is_ok(), "{json}");
                }
                assert_eq!(assumed[&one.field], one.default, "{}", one.field);
            }
        }
    }
}
