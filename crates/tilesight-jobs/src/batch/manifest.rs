//! Lines of a manifest: one photo with its id, its win context and its rule sets.
//!
//! ```json
//! {"custom_id": "t3-h12", "file": "t3/12.jpg", "context": {"seat": "S", "win": "self_drawn"}, "rulesets": ["mcr-wmo"]}
//! ```
//!
//! A line may also have a `focus`, `"412,300"`, which selects one of several hands in the photo;
//! the hands of the players who did not win, as photos (`photo_E`, `photo_S`, `photo_W`, `photo_N`)
//! or typed (`others`); and a person's correction: `hand`, `winning_tile`, `no_hand`, `game`,
//! `accepted`, `answers`. Only `file` is required. Invariant: unknown fields and values are
//! refused, never ignored: a misspelled field would silently change the score.

use serde::Deserialize;
use tilesight_core::contract::{
    ContextDto, FieldError, HandField, OtherDto, OtherInRequest, Problem, ProblemKind, RegionDto,
    RequestFault, ScoreRequest, check_named, check_number_of_others, objects, read_json,
};
use tilesight_core::photo_json;
use tilesight_core::printable::unprintable;
use tilesight_core::rules::Book;
use tilesight_core::tile::{Tile, Wind};
use tilesight_vision::contract::{GivenAnswer, TableRequest};
use utoipa::ToSchema;

use crate::corrections::Correction;

/// Maximum length of a line in bytes: far more than a line with every field has.
const MAX_LINE: usize = ScoreRequest::MAX_BYTES;

photo_json! {
    /// Photo as a manifest lists it.
    #[derive(Debug, Clone, PartialEq, Eq, Deserialize, ToSchema)]
    #[serde(deny_unknown_fields, expecting = "an object with `file`")]
    pub struct ManifestLine {
        /// Id of the row; defaults to the file's name.
        #[serde(default)]
        pub custom_id: Option<String>,
        /// File of the photo: a path relative to the manifest, or the name of a member or a part.
        pub file: String,
        /// Photo of East's hand, if East did not win and the rules score every player; named like
        /// `file`.
        #[serde(default, rename = "photo_E")]
        pub photo_e: Option<String>,
        /// Photo of South's hand.
        #[serde(default, rename = "photo_S")]
        pub photo_s: Option<String>,
        /// Photo of West's hand.
        #[serde(default, rename = "photo_W")]
        pub photo_w: Option<String>,
        /// Photo of North's hand.
        #[serde(default, rename = "photo_N")]
        pub photo_n: Option<String>,
        /// Typed hands of the players who did not win.
        #[serde(default, deserialize_with = "objects")]
        pub others: Vec<OtherDto>,
        /// The hand as a person corrected it, in notation.
        #[serde(default)]
        pub hand: Option<String>,
        /// The tile that completed the hand.
        #[serde(default)]
        pub winning_tile: Option<Tile>,
        /// Whether the photo shows no hand to score.
        #[serde(default)]
        pub no_hand: bool,
        /// Name of the other game that the hand belongs to.
        #[serde(default)]
        pub game: Option<String>,
        /// Whether a person accepted the reading as right.
        #[serde(default)]
        pub accepted: bool,
        /// Answers of a person to doubts of the reading.
        #[serde(default)]
        pub answers: Vec<GivenAnswer>,
    }
}

impl ManifestLine {
    /// Returns the person's correction, without the win context.
    #[must_use]
    pub fn correction(&self) -> Correction {
        Correction {
            accepted: self.accepted,
            answers: self.answers.clone(),
            hand: self.hand.clone(),
            winning_tile: self.winning_tile,
            no_hand: self.no_hand,
            game: self.game.clone(),
            context: ContextDto::default(),
        }
    }

    /// Parses one line.
    ///
    /// # Errors
    /// A [`Problem`] that names the field.
    pub fn parse(line: &[u8], book: &Book) -> Result<ManifestLine, Problem> {
        if line.len() > MAX_LINE {
            let fault = RequestFault::LineTooLong { max: MAX_LINE };
            return Err(Problem::from_message(ProblemKind::TooLarge, &fault));
        }
        let named: ManifestLine = read_json(line, "")?;
        if named.file.is_empty() {
            return Err(empty_text("file"));
        }
        if named.custom_id.as_deref() == Some("") {
            return Err(empty_text("custom_id"));
        }
        if let Some((seat, _)) = named.photos_of_others().find(|(_, file)| file.is_empty()) {
            return Err(empty_text(&format!("photo_{seat}")));
        }
        check_number_of_others(named.others.len())?;
        if let Some(letter) = named.custom_id.as_deref().and_then(unprintable) {
            let errors =
                vec![FieldError::from_message("custom_id", &RequestFault::Unprintable { letter })];
            return Err(Problem::with_errors(ProblemKind::MalformedRequest, errors));
        }
        named.correction().check()?;
        check_named(book, &named.context, named.rulesets.as_deref())?;
        RegionDto::check(named.region.as_ref())?;
        Ok(named)
    }

    /// Returns the request about the photo: the file, the fields, and the hands of the players who
    /// did not win, first those in photos and then the typed ones.
    #[must_use]
    pub fn table(mut self) -> TableRequest<String> {
        let photos = self
            .photos_of_others()
            .map(|(seat, file)| OtherInRequest::photo(HandField::Part(seat), seat, file.clone()));
        let typed = self.others.iter().enumerate().map(|(at, other)| {
            OtherInRequest::from_typed(HandField::Entry(at), other.seat, other.hand.clone())
        });
        let others = photos.chain(typed).collect();
        let fields = self.photo_fields();
        TableRequest { fields, others, ..TableRequest::from_photo(self.file) }
    }

    /// Returns the photos of the players who did not win, by seat.
    pub fn photos_of_others(&self) -> impl Iterator<Item = (Wind, &String)> {
        let photos = [&self.photo_e, &self.photo_s, &self.photo_w, &self.photo_n];
        Wind::ALL.into_iter().zip(photos).filter_map(|(seat, photo)| Some((seat, photo.as_ref()?)))
    }

    /// Returns the id of the photo's row.
    #[must_use]
    pub fn id(&self) -> &str {
        self.custom_id.as_deref().unwrap_or(&self.file)
    }
}

/// Returns the problem of a field whose text is empty.
fn empty_text(field: &str) -> Problem {
    let errors = vec![FieldError::from_message(field, &RequestFault::EmptyText)];
    Problem::with_errors(ProblemKind::MalformedRequest, errors)
}

#[cfg(test)]
mod tests {
    use tilesight_core::rules::RulesetId;

    use super::*;

    #[test]
    fn a_line_names_a_photo_and_what_is_known_of_it() {
        let line = br#"{"custom_id":"t3","file":"a/b.jpg","context":{"seat":"S"},"rulesets":["mcr-mil","mcr-wmo"],"focus":"412,300","region":[[1,2],[3,4]]}"#;
        let named = ManifestLine::parse(line, &Book::shipped()).expect("a photo");
        assert_eq!((named.id(), named.file.as_str()), ("t3", "a/b.jpg"));
        assert_eq!(named.context.setup.seat, Some(Wind::South));
        assert_eq!(named.focus, "412,300".parse().ok());
        assert_eq!(named.region, "1,2 3,4".parse().ok());
        assert_eq!(named.rulesets, Some(vec![RulesetId::MCR_MIL, RulesetId::MCR_WMO]));
        let plain = ManifestLine::parse(br#"{"file":"b.jpg"}"#, &Book::shipped()).expect("a photo");
        assert_eq!((plain.id(), plain.context), ("b.jpg", ContextDto::default()));
    }

    #[test]
    fn a_line_names_the_hands_of_the_others() {
        let line = br#"{"file":"e.jpg","photo_N":"n.jpg","photo_S":"s.jpg","others":[{"seat":"W","hand":"11m"}]}"#;
        let others = ManifestLine::parse(line, &Book::shipped()).expect("a table").table().others;
        let seats: Vec<_> = others.iter().map(|other| other.other.seat).collect();
        assert_eq!(seats, [Wind::South, Wind::North, Wind::West]);
        let photos: Vec<_> = others.iter().filter_map(OtherInRequest::as_photo).collect();
        assert_eq!(photos, ["s.jpg", "n.jpg"]);
    }

    #[test]
    fn a_line_has_what_a_person_says_of_the_photo() {
        let line = br#"{"file":"a.jpg","hand":"123m456p789s5s5s","winning_tile":"1m"}"#;
        let said = ManifestLine::parse(line, &Book::shipped()).expect("a photo").correction();
        assert_eq!(said.hand.as_deref(), Some("123m456p789s5s5s"));
        assert!(!said.is_empty() && !said.leaves_out());
        let line = br#"{"file":"a.jpg","no_hand":true}"#;
        assert!(
            ManifestLine::parse(line, &Book::shipped()).expect("a photo").correction().leaves_out()
        );
        assert!(
            ManifestLine::parse(br#"{"file":"a.jpg","hand":"12x"}"#, &Book::shipped()).is_err()
        );
    }

    #[test]
    fn an_invalid_line_names_its_field() {
        for (line, field) in [
            (r#"{"file":"a.jpg","contxt":{}}"#, "contxt"),
            (r#"{"file":"a.jpg","context":{"seet":"S"}}"#, "context.seet"),
            (r#"{"file":"a.jpg","rulesets":[]}"#, "rulesets"),
            (r#"{"file":"a.jpg","rulesets":["mcr-wmo","riichi"]}"#, "rulesets[1]"),
            (r#"{"file":"a.jpg","context":{"ruleset":"riichi"}}"#, "context.ruleset"),
            (r#"{"file":""}"#, "file"),
            (r#"{"custom_id":"","file":"a.jpg"}"#, "custom_id"),
            (r#"{"custom_id":"a\u001b[2J","file":"a.jpg"}"#, "custom_id"),
            (r#"{"custom_id":"a\u202egpj","file":"a.jpg"}"#, "custom_id"),
            (r#"{"file":3}"#, "file"),
            (r#"{"file":"a.jpg","photo_S":""}"#, "photo_S"),
            (r#"{"file":"a.jpg","photo_X":"b.jpg"}"#, "photo_X"),
            (r#"{"file":"a.jpg","others":[{"seat":"X","hand":"11m"}]}"#, "others[0].seat"),
            (r#"{"file":"a.jpg","focus":"left"}"#, "focus"),
            (r#"{"file":"a.jpg","region":"left"}"#, "region"),
            (r#"{"file":"a.jpg","region":[[1,2]]}"#, "region"),
        ] {
            let problem = ManifestLine::parse(line.as_bytes(), &Book::shipped()).expect_err(line);
            assert_eq!(problem.errors[0].field, field, "{line}: {problem:?}");
        }
        for line in ["", "{", "[]", "{}", "a.jpg"] {
            assert!(ManifestLine::parse(line.as_bytes(), &Book::shipped()).is_err(), "{line}");
        }
        let long = format!(r#"{{"file":"{}"}}"#, "a".repeat(MAX_LINE));
        let problem = ManifestLine::parse(long.as_bytes(), &Book::shipped()).expect_err("long");
        assert_eq!(problem.kind, ProblemKind::TooLarge);
    }
}
