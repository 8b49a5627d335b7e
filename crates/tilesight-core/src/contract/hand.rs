//! Conversion of the contract's `hand` from and to a [`HandSetup`].
//!
//! Tiles are kept as the texts that were sent, so that one check of a hand reports all its faults.
//! A flower without a known name is written `?`.

use serde::{Deserialize, Serialize};

use crate::explain::Message;
use crate::hand::{Flowers, HandSetup, Reds};
use crate::meld::{Chow, KongKind, Meld, Relation};
use crate::notation::Notation;
use crate::tile::{Bonus, ParseTileError, PrintedTile, Tile};

use super::codes::{FlowerText, TileText};
use super::fault::RequestFault;
use super::object::objects;
use super::problem::{FieldError, Problem, ProblemKind};

/// Code of a flower without a name.
const UNNAMED: &str = "?";

/// Maximum lengths of lists that are checked code by code. The limits for tiles and melds are twice
/// those of a hand (14 tiles, and one more for each of four kongs): a miscounted hand gets all its
/// errors, and a longer list can't be a mistyped hand.
const MAX_TILES: usize = 36;
const MAX_MELDS: usize = 8;
const MAX_MELD_TILES: usize = 4;
const MAX_FLOWERS: usize = 8;

/// A hand.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(default, deny_unknown_fields, expecting = "an object with the tiles of a hand")]
#[schema(as = Hand)]
pub struct HandDto {
    /// Tiles in the hand without the winning tile.
    #[schema(value_type = Vec<TileText>, max_items = 36)]
    pub concealed: Vec<String>,
    /// Tile that completed the hand.
    #[schema(value_type = Option<TileText>)]
    pub winning_tile: Option<String>,
    /// Exposed sets and concealed kongs.
    #[serde(deserialize_with = "objects")]
    #[schema(max_items = 8)]
    pub melds: Vec<MeldDto>,
    /// Flowers and seasons, `?` for one without a name.
    #[schema(value_type = Vec<FlowerText>, max_items = 8)]
    pub flowers: Vec<String>,
    /// The hand in one line. It is derived from the other fields and ignored beside them. A hand
    /// with no other field is read from it, its win context included.
    pub notation: String,
}

/// A set apart from the concealed tiles.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields, expecting = "an object with a meld")]
#[schema(as = Meld)]
pub struct MeldDto {
    /// Kind of the set.
    pub kind: MeldKind,
    /// Tiles of the set. The claimed tile of a chow comes first, as it lies on the table.
    #[schema(value_type = Vec<TileText>, max_items = 4)]
    pub tiles: Vec<String>,
    /// Whether all four tiles of a kong were drawn.
    #[serde(default)]
    pub concealed: bool,
    /// Whether the fourth tile was added to an exposed pung.
    #[serde(default)]
    pub added: bool,
    /// The claimed tile, if known.
    #[serde(default)]
    #[schema(value_type = Option<TileText>)]
    pub claimed: Option<String>,
    /// Player from whom the tile was claimed, if known.
    #[serde(default)]
    pub from: Option<Relation>,
}

/// Kinds of melds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum MeldKind {
    /// Three consecutive tiles of a suit.
    Chow,
    /// Three of a kind.
    Pung,
    /// Four of a kind.
    Kong,
}

impl HandDto {
    /// Returns the hand with its win context. A hand that has only its notation takes both from it.
    ///
    /// # Errors
    /// A [`Problem`] with the paths of all wrong fields.
    pub(crate) fn to_notation(&self) -> Result<Notation, Problem> {
        if self.notation.is_empty() || !self.has_no_tiles() {
            return self.to_setup().map(Notation::from_hand);
        }
        self.notation.parse().map_err(|error| {
            let field = "hand.notation".to_owned();
            let error = FieldError { field, ..FieldError::from_notation(&self.notation, &error) };
            Problem::with_errors(ProblemKind::UnreadableNotation, vec![error])
        })
    }

    /// Returns the listed tiles, melds and flowers.
    ///
    /// # Errors
    /// Those of [`to_notation`](HandDto::to_notation).
    pub fn to_setup(&self) -> Result<HandSetup, Problem> {
        self.read_fields().map_err(|errors| Problem::with_errors(ProblemKind::InvalidHand, errors))
    }

    fn read_fields(&self) -> Result<HandSetup, Vec<FieldError>> {
        let mut errors = self.overlong();
        if !errors.is_empty() {
            return Err(errors);
        }
        let concealed = tiles("hand.concealed", &self.concealed, &mut errors);
        let won_by = self
            .winning_tile
            .as_deref()
            .and_then(|code| tile(|| "hand.winning_tile".to_owned(), code, &mut errors));
        let mut melds = Vec::new();
        for (place, meld) in self.melds.iter().enumerate() {
            match meld.to_meld(&format!("hand.melds[{place}]")) {
                Ok(meld) => melds.push(meld),
                Err(more) => errors.extend(more),
            }
        }
        let flowers = flowers(&self.flowers, &mut errors);
        let in_melds: Vec<PrintedTile> = self
            .melds
            .iter()
            .flat_map(|meld| meld.tiles.iter().filter_map(|code| code.parse().ok()))
            .collect();
        let reds = Reds::new(&concealed, won_by, &in_melds);
        let winning = won_by.map(|tile| tile.tile);
        let setup = HandSetup { concealed: kinds(&concealed), winning, melds, flowers, reds };
        if errors.is_empty() { Ok(setup) } else { Err(errors) }
    }

    /// Returns an error for each list that is longer than that of any hand.
    fn overlong(&self) -> Vec<FieldError> {
        let mut errors = Vec::new();
        if self.concealed.len() > MAX_TILES {
            let fault = RequestFault::TooManyTiles { found: self.concealed.len() };
            errors.push(FieldError::from_message("hand.concealed", &fault));
        }
        if self.melds.len() > MAX_MELDS {
            let fault = RequestFault::TooManyMelds { found: self.melds.len() };
            errors.push(FieldError::from_message("hand.melds", &fault));
        }
        if self.flowers.len() > MAX_FLOWERS {
            let fault = RequestFault::TooManyFlowers { found: self.flowers.len() };
            errors.push(FieldError::from_message("hand.flowers", &fault));
        }
        for (place, meld) in self.melds.iter().enumerate().take(MAX_MELDS) {
            if meld.tiles.len() > MAX_MELD_TILES {
                let fault = RequestFault::TooManyInMeld { found: meld.tiles.len() };
                errors.push(FieldError::from_message(format!("hand.melds[{place}].tiles"), &fault));
            }
        }
        errors
    }

    fn has_no_tiles(&self) -> bool {
        self.concealed.is_empty()
            && self.winning_tile.is_none()
            && self.melds.is_empty()
            && self.flowers.is_empty()
    }
}

impl From<&HandSetup> for HandDto {
    fn from(setup: &HandSetup) -> HandDto {
        let named = setup.flowers.iter().map(|flower| flower.to_string());
        let unnamed = usize::from(setup.flowers.unnamed_count());
        let reds = setup.reds;
        let in_melds = reds.print_melds(&setup.melds);
        HandDto {
            concealed: codes(&reds.print_concealed(&setup.concealed)),
            winning_tile: setup.winning.map(|tile| reds.print_winning(tile).to_string()),
            melds: setup
                .melds
                .iter()
                .zip(in_melds)
                .map(|(meld, tiles)| MeldDto::new(*meld, tiles))
                .collect(),
            flowers: named.chain(std::iter::repeat_n(UNNAMED.to_owned(), unnamed)).collect(),
            notation: Notation::from_hand(setup.clone()).to_string(),
        }
    }
}

impl From<&Meld> for MeldDto {
    fn from(meld: &Meld) -> MeldDto {
        MeldDto::new(*meld, meld.tiles().map(PrintedTile::plain).collect())
    }
}

impl MeldDto {
    /// Returns the JSON of a meld with the print of its tiles. The claimed tile of a chow comes
    /// first.
    fn new(meld: Meld, mut tiles: Vec<PrintedTile>) -> MeldDto {
        let claimed = meld.claimed_tile();
        let kind = match meld {
            Meld::Chow(_) => MeldKind::Chow,
            Meld::Pung { .. } => MeldKind::Pung,
            Meld::Kong { .. } => MeldKind::Kong,
        };
        if kind == MeldKind::Chow {
            tiles.sort_by_key(|tile| (Some(tile.tile) != claimed, tile.tile));
        }
        MeldDto {
            kind,
            tiles: codes(&tiles),
            concealed: meld.is_concealed(),
            added: matches!(meld, Meld::Kong { kind: KongKind::Added { .. }, .. }),
            claimed: claimed.map(|tile| tile.to_string()),
            from: meld.from(),
        }
    }
}

impl MeldDto {
    /// Checks the meld; `path` is its place in the request.
    fn to_meld(&self, path: &str) -> Result<Meld, Vec<FieldError>> {
        let mut errors = Vec::new();
        let mut sorted = kinds(&tiles(&format!("{path}.tiles"), &self.tiles, &mut errors));
        sorted.sort_unstable();
        let claimed = self
            .claimed
            .as_deref()
            .and_then(|code| tile(|| format!("{path}.claimed"), code, &mut errors))
            .map(|tile| tile.tile);
        if errors.is_empty() {
            if let Some(tile) = claimed.filter(|tile| !sorted.contains(tile)) {
                let fault = RequestFault::NotInMeld { tile };
                errors.push(FieldError::from_message(format!("{path}.claimed"), &fault));
            }
            if self.form(&sorted, claimed).is_none() {
                let tiles = self.tiles.join(" ");
                let fault = RequestFault::NotAMeld { kind: self.kind.name(), tiles };
                errors.push(FieldError::from_message(format!("{path}.tiles"), &fault));
            }
        }
        self.check_flags(path, &mut errors);
        match self.form(&sorted, claimed) {
            Some(meld) if errors.is_empty() => Ok(meld),
            _ => Err(errors),
        }
    }

    /// Returns the meld of these sorted tiles, if they form one of this kind.
    fn form(&self, sorted: &[Tile], claimed: Option<Tile>) -> Option<Meld> {
        let from = self.from;
        let same = sorted.windows(2).all(|pair| pair[0] == pair[1]);
        match (self.kind, sorted) {
            (MeldKind::Chow, &[low, _, _]) => {
                let chow = Chow::new(low).filter(|chow| chow.tiles() == sorted)?;
                Some(Meld::Chow(claimed.and_then(|tile| chow.claiming(tile)).unwrap_or(chow)))
            }
            (MeldKind::Pung, &[tile, _, _]) if same => Some(Meld::Pung { tile, from }),
            (MeldKind::Kong, &[tile, _, _, _]) if same => {
                let kind = match (self.concealed, self.added) {
                    (true, _) => KongKind::Concealed,
                    (false, true) => KongKind::Added { from },
                    (false, false) => KongKind::Exposed { from },
                };
                Some(Meld::Kong { tile, kind })
            }
            _ => None,
        }
    }

    /// Checks that only kongs are concealed or added to, that no tile of a concealed kong was
    /// claimed, and that a chow was claimed from the left.
    fn check_flags(&self, path: &str, errors: &mut Vec<FieldError>) {
        let kong = self.kind == MeldKind::Kong;
        let from_aside = matches!(self.from, Some(Relation::Across | Relation::Right));
        let checks = [
            (self.concealed && !kong, "concealed", RequestFault::OnlyKongConcealed),
            (self.added && !kong, "added", RequestFault::OnlyKongAdded),
            (self.added && self.concealed, "added", RequestFault::ConcealedKongAdded),
            (
                self.concealed && self.claimed.is_some(),
                "claimed",
                RequestFault::ConcealedKongClaimed,
            ),
            (self.concealed && self.from.is_some(), "from", RequestFault::ConcealedKongClaimed),
            (self.kind == MeldKind::Chow && from_aside, "from", RequestFault::ChowFromLeft),
        ];
        let wrong = checks.into_iter().filter(|(wrong, ..)| *wrong);
        errors.extend(
            wrong.map(|(_, field, fault)| {
                FieldError::from_message(format!("{path}.{field}"), &fault)
            }),
        );
    }
}

impl MeldKind {
    const fn name(self) -> &'static str {
        match self {
            MeldKind::Chow => "chow",
            MeldKind::Pung => "pung",
            MeldKind::Kong => "kong",
        }
    }
}

fn codes(tiles: &[PrintedTile]) -> Vec<String> {
    tiles.iter().map(ToString::to_string).collect()
}

/// Returns tiles without their print.
fn kinds(tiles: &[PrintedTile]) -> Vec<Tile> {
    tiles.iter().map(|tile| tile.tile).collect()
}

fn tiles(field: &str, codes: &[String], errors: &mut Vec<FieldError>) -> Vec<PrintedTile> {
    let read = codes
        .iter()
        .enumerate()
        .filter_map(|(place, code)| tile(|| format!("{field}[{place}]"), code, errors));
    read.collect()
}

fn tile(
    field: impl FnOnce() -> String,
    code: &str,
    errors: &mut Vec<FieldError>,
) -> Option<PrintedTile> {
    let read = code.parse();
    read.map_err(|error: ParseTileError| errors.push(FieldError::from_message(field(), &error)))
        .ok()
}

fn flowers(codes: &[String], errors: &mut Vec<FieldError>) -> Flowers {
    let mut flowers = Flowers::NONE;
    for (place, code) in codes.iter().enumerate() {
        match add_flower(flowers, code, place) {
            Ok(more) => flowers = more,
            Err(error) => errors.push(error),
        }
    }
    flowers
}

fn add_flower(flowers: Flowers, code: &str, place: usize) -> Result<Flowers, FieldError> {
    if code == UNNAMED {
        return flowers
            .with_unnamed(flowers.unnamed_count() + 1)
            .map_err(|error| wrong_flower(place, &error));
    }
    let flower = code.parse::<Bonus>().map_err(|error| wrong_flower(place, &error))?;
    flowers.with(flower).map_err(|error| wrong_flower(place, &error))
}

fn wrong_flower(place: usize, detail: &impl Message) -> FieldError {
    FieldError::from_message(format!("hand.flowers[{place}]"), detail)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dto(json: &str) -> HandDto {
        serde_json::from_str(json).expect(json)
    }

    #[test]
    fn a_hand_goes_out_and_comes_back() {
        let text = "[234m,2][EEE,3][5555p,6][CCCC]6s6s||1af";
        let setup = text.parse::<Notation>().expect(text).hand;
        let out = HandDto::from(&setup);
        assert_eq!(out.notation, text);
        assert_eq!(out.flowers, ["f1", "s2", "?"]);
        assert_eq!(out.melds[0].tiles, ["3m", "2m", "4m"]);
        assert_eq!(out.melds[0].from, Some(Relation::Left));
        assert_eq!(out.to_setup(), Ok(setup));
    }

    #[test]
    fn a_hand_can_come_as_its_notation_alone() {
        let text = "123456789m11pFFF|SS1000,2|a";
        let read = dto(&format!(r#"{{ "notation": "{text}" }}"#)).to_notation();
        assert_eq!(read, Ok(text.parse().expect(text)));
        let problem = dto(r#"{ "notation": "1x" }"#).to_notation().expect_err("no suit");
        let error = &problem.errors[0];
        assert_eq!(problem.kind, ProblemKind::UnreadableNotation);
        assert_eq!((error.field.as_str(), error.character), ("hand.notation", Some(2)));
    }

    #[test]
    fn a_list_longer_than_a_hand_is_refused_unread() {
        let many = |what: &str, count: usize| vec![what; count].join(",");
        let meld = r#"{ "kind": "pung", "tiles": ["x","x","x","x","x"] }"#;
        for (json, fields) in [
            (format!(r#"{{ "concealed": [{}] }}"#, many("\"x\"", 37)), &["hand.concealed"][..]),
            (format!(r#"{{ "flowers": [{}] }}"#, many("\"x\"", 9)), &["hand.flowers"]),
            (format!(r#"{{ "melds": [{meld}] }}"#), &["hand.melds[0].tiles"]),
            (
                format!(r#"{{ "melds": [{}] }}"#, many(&meld.replace(r#","x","x"]"#, "]"), 9)),
                &["hand.melds"],
            ),
        ] {
            let problem = dto(&json).to_setup().expect_err("too long");
            let named: Vec<_> = problem.errors.iter().map(|error| error.field.as_str()).collect();
            assert_eq!(named, fields, "{json}");
        }
    }

    #[test]
    fn every_wrong_field_is_named_at_once() {
        let hand = dto(r#"{ "concealed": ["1m", "0z", "X"], "winning_tile": "f1",
                 "melds": [
                   { "kind": "chow", "tiles": ["7p", "6p", "9p"] },
                   { "kind": "kong", "tiles": ["E", "E", "E", "E"], "concealed": true, "from": "left" },
                   { "kind": "pung", "tiles": ["5s", "?", "5s"], "concealed": true },
                   { "kind": "chow", "tiles": ["7p", "6p", "8p"], "claimed": "5p", "from": "right" }
                 ],
                 "flowers": ["f1", "f1", "E", "?"] }"#);
        let problem = hand.to_setup().expect_err("many mistakes");
        let fields: Vec<_> = problem.errors.iter().map(|error| error.field.as_str()).collect();
        assert_eq!(
            fields,
            [
                "hand.concealed[1]",
                "hand.concealed[2]",
                "hand.winning_tile",
                "hand.melds[0].tiles",
                "hand.melds[1].from",
                "hand.melds[2].tiles[1]",
                "hand.melds[2].concealed",
                "hand.melds[3].claimed",
                "hand.melds[3].from",
                "hand.flowers[1]",
                "hand.flowers[2]",
            ]
        );
    }

    #[test]
    fn a_misspelt_field_is_refused() {
        let error = serde_json::from_str::<HandDto>(r#"{ "winning": "1m" }"#).expect_err("unknown");
        assert!(error.to_string().contains("`winning`"), "{error}");
    }
}
