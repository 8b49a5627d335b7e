//! Tasks, and the keys that cover everything on which their outcomes depend.
//!
//! Input: a photo's id, the request about it and the engine. Output: a [`Task`] that is sent to a
//! worker as JSON. Invariant: two tasks with the same key have the same outcome; everything that
//! changes an outcome (the photo, the win context, the rule sets, the language, the own sets that
//! are asked for, the networks and their settings, the program's own sources that readings depend
//! on) changes the key.

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use tilesight_core::contract::{
    ContextDto, FocusDto, HandSource, Problem, RegionDto, Scoring, SetChoice, as_in_form,
    find_ruleset, find_rulesets,
};
use tilesight_core::explain::Lang;
use tilesight_core::hand::Other;
use tilesight_core::rules::{Book, RulesetId};
use tilesight_vision::ReadOptions;
use tilesight_vision::contract::{TablePlan, TableRequest};
use tilesight_vision::geometry::Point;
use tilesight_vision::geometry::polygon::Polygon;
use tilesight_vision::networks::Manifest;
use tilesight_vision::sets::{OwnSet, SetId};

use super::hash::{PhotoId, as_hash};

/// Request about one photo.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Ask {
    /// Win context, and the rule set for the layout of the tiles.
    pub context: ContextDto,
    /// Rule sets to score by side by side; empty if only the context's rule set counts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rulesets: Vec<RulesetId>,
    /// Language of names and questions.
    pub lang: Lang,
    /// Point in the hand to read, if the photo shows several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub focus: Option<FocusDto>,
    /// Part of the photo that contains this hand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub region: Option<RegionDto>,
    /// Own set that the tiles are named with, of those of the engine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub set: Option<SetChoice>,
    /// Hands of the players who did not win, if the rules score every player.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<Other<HandSource<PhotoId>>>,
}

impl Ask {
    /// Returns the photos to read for a winner's photo, and the typed hands beside them.
    ///
    /// # Errors
    /// A [`Problem`] that names the hand that is impossible at this table, a rule set that is not
    /// in the book, or an invalid region.
    pub fn plan(&self, photo: PhotoId, book: &Book) -> Result<TablePlan<PhotoId>, Problem> {
        let scoring = Scoring { context: self.context, rulesets: None };
        let others = as_in_form(self.others.clone());
        let region = self.region.clone();
        let (more, focus, set) = (Vec::new(), self.focus, self.set.clone());
        let plan = TableRequest { photo, more, focus, region, set, others, scoring }.plan(book)?;
        // The tiles are laid out by the context's rule set, even if others score them side by side.
        let rulesets = Some(self.rulesets.as_slice()).filter(|rulesets| !rulesets.is_empty());
        let rulesets = rulesets.map(|list| find_rulesets(book, list)).transpose()?;
        Ok(TablePlan { rulesets, ..plan })
    }

    /// Returns the options of the reader besides the win context.
    ///
    /// # Errors
    /// A [`Problem`]: the book does not have the rule set, or the region is invalid.
    pub fn options(&self, book: &Book) -> Result<ReadOptions, Problem> {
        let ruleset = find_ruleset(book, self.context.ruleset)?;
        RegionDto::check(self.region.as_ref())?;
        let region = self.region.as_ref().map(Polygon::from);
        let (focus, set) = (self.focus.map(Point::from), self.set.clone());
        Ok(ReadOptions { ruleset, focus, region, set })
    }
}

/// Identity of the program and its networks: different engines may read differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Engine([u8; 32]);

as_hash!(Engine);

impl Engine {
    /// Returns the engine of this program with these networks and these rule sets.
    #[must_use]
    pub fn new(manifest: &Manifest, book: &Book) -> Engine {
        let mut hash = Sha256::new();
        part(&mut hash, env!("CARGO_PKG_VERSION").as_bytes());
        // The version alone does not change during work on the rules and the layout.
        part(&mut hash, env!("TILESIGHT_SOURCES").as_bytes());
        // Hashes of the networks and their settings: thresholds and temperatures also change
        // readings.
        part(&mut hash, &serde_json::to_vec(manifest).expect("names and plain values"));
        // Profiles that a club added: the shipped ones are among the sources.
        for profile in book.profiles().filter(|profile| !profile.is_shipped()) {
            part(&mut hash, profile.id().as_str().as_bytes());
            part(&mut hash, profile.game().as_bytes());
            let options = serde_json::to_vec(&profile.rules().options());
            part(&mut hash, &options.expect("names and plain values"));
        }
        Engine(hash.finalize().into())
    }

    /// Returns the engine for photos that are read with a choice of own sets: a named set, or all
    /// of `sets` for `auto`. Without a choice it is this engine, whatever sets there are.
    #[must_use]
    pub fn for_choice<'a>(
        self,
        choice: Option<&SetChoice>,
        sets: impl IntoIterator<Item = (SetId, &'a OwnSet)>,
    ) -> Engine {
        let Some(choice) = choice else { return self };
        let is_chosen = |set: &OwnSet| match choice {
            SetChoice::Auto => true,
            SetChoice::Named(name) => set.name() == name,
        };
        let mut chosen: Vec<_> = sets.into_iter().filter(|(_, set)| is_chosen(set)).collect();
        chosen.sort_by(|a, b| a.1.name().cmp(b.1.name()));
        let mut hash = Sha256::new();
        part(&mut hash, &self.0);
        for (id, set) in chosen {
            part(&mut hash, set.name().as_str().as_bytes());
            part(&mut hash, id.to_string().as_bytes());
        }
        Engine(hash.finalize().into())
    }
}

/// Name of a task and of its outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TaskKey([u8; 32]);

as_hash!(TaskKey);

/// Task to read one photo.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Task {
    /// Key of the task.
    pub key: TaskKey,
    /// Photo, which is in the store.
    pub photo: PhotoId,
    /// Request about the photo.
    pub ask: Ask,
    /// Engine that is to read the photo.
    pub engine: Engine,
}

impl Task {
    /// Returns a task with its key.
    #[must_use]
    pub fn new(photo: PhotoId, ask: Ask, engine: Engine) -> Task {
        let mut hash = Sha256::new();
        part(&mut hash, b"tilesight task 1");
        part(&mut hash, photo.to_string().as_bytes());
        part(
            &mut hash,
            &serde_json::to_vec(&ask).expect("it has no maps with keys of other kinds"),
        );
        part(&mut hash, engine.to_string().as_bytes());
        Task { key: TaskKey(hash.finalize().into()), photo, ask, engine }
    }

    /// Returns whether the key matches this photo, this request and this engine, as this version of
    /// the program computes keys. Another version may serialize requests differently, so call this
    /// only for tasks for the process's own engine.
    #[must_use]
    pub(crate) fn fits_its_key(&self) -> bool {
        Task::new(self.photo, self.ask.clone(), self.engine).key == self.key
    }
}

/// Hashes one part with its length, so that different lists of parts never have the same bytes.
fn part(hash: &mut Sha256, bytes: &[u8]) {
    hash.update((bytes.len() as u64).to_be_bytes());
    hash.update(bytes);
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use tilesight_core::context::ContextSetup;
    use tilesight_core::contract::HandInput;
    use tilesight_core::meld::Relation;
    use tilesight_core::tile::{Bonus, Face, Wind};
    use tilesight_vision::geometry::Quad;
    use tilesight_vision::networks::Model as _;
    use tilesight_vision::networks::fake::PaintedModel;
    use tilesight_vision::sets::{LabelledPhoto, LabelledTile, learn};
    use tilesight_vision::{DecodeLimits, Photo};

    use super::*;

    #[test]
    fn whatever_changes_the_outcome_changes_the_key() {
        let photo = PhotoId::from_bytes(b"a photo");
        let manifest = PaintedModel::default().manifest().clone();
        let mut retrained = manifest.clone();
        retrained.classifier.sha256 = "other".to_owned();
        let mut calibrated = manifest.clone();
        calibrated.classifier.temperature += 0.01;
        let with_large = PaintedModel::with_large_classifier().manifest().clone();
        let mut large_retrained = with_large.clone();
        large_retrained.large_classifier.as_mut().expect("there is one").sha256 =
            "other".to_owned();
        let book = Book::shipped();
        let (engine, other) = (Engine::new(&manifest, &book), Engine::new(&retrained, &book));
        let third = Engine::new(&calibrated, &book);
        let seat =
            ContextDto::from(ContextSetup { seat: Some(Wind::South), ..ContextSetup::default() });
        let from = ContextDto::from(ContextSetup {
            from: Some(Relation::Left),
            ..ContextSetup::default()
        });
        let ruleset = ContextDto { ruleset: Some(RulesetId::MCR_WMO), ..ContextDto::default() };
        let with = |context| Ask { context, ..Ask::default() };
        let looking_at = |x, y| Ask { focus: Some(FocusDto { x, y }), ..Ask::default() };
        let lying_in =
            |region: &str| Ask { region: Some(region.parse().expect(region)), ..Ask::default() };
        let named_with = |set: &str| Ask { set: Some(set.parse().expect(set)), ..Ask::default() };
        let other_photo = PhotoId::from_bytes(b"another");
        let beside = |other| Ask { others: vec![other], ..Ask::default() };
        let typed = |hand: &str| Other {
            seat: Wind::South,
            hand: HandSource::Typed(HandInput::Notation(hand.to_owned())),
        };
        let keys = [
            Task::new(photo, Ask::default(), engine),
            Task::new(PhotoId::from_bytes(b"another"), Ask::default(), engine),
            Task::new(photo, Ask::default(), other),
            Task::new(photo, Ask::default(), third),
            Task::new(photo, Ask::default(), Engine::new(&with_large, &book)),
            Task::new(photo, Ask::default(), Engine::new(&large_retrained, &book)),
            Task::new(photo, with(seat), engine),
            Task::new(photo, with(from), engine),
            Task::new(photo, with(ruleset), engine),
            Task::new(photo, Ask { lang: Lang::De, ..Ask::default() }, engine),
            Task::new(photo, Ask { rulesets: vec![RulesetId::MCR_WMO], ..Ask::default() }, engine),
            Task::new(photo, looking_at(412, 300), engine),
            Task::new(photo, looking_at(300, 412), engine),
            Task::new(photo, lying_in("1,2 300,412"), engine),
            Task::new(photo, named_with("auto"), engine),
            Task::new(photo, named_with("Home"), engine),
            Task::new(photo, lying_in("1,2 300,413"), engine),
            Task::new(photo, beside(Other::photo(Wind::South, photo)), engine),
            Task::new(photo, beside(Other::photo(Wind::West, photo)), engine),
            Task::new(photo, beside(Other::photo(Wind::South, other_photo)), engine),
            Task::new(photo, beside(typed("11m")), engine),
            Task::new(photo, beside(typed("22m")), engine),
        ]
        .map(|task| task.key);
        assert_eq!(HashSet::from(keys).len(), keys.len(), "{keys:?}");
        assert_eq!(Task::new(photo, Ask::default(), engine).key, keys[0]);
    }

    /// Returns a set with one face.
    fn set(name: &str, face: Face) -> OwnSet {
        let pixels = [180; 64 * 64 * 4];
        let photo = Photo::from_rgba((64, 64), &pixels, &DecodeLimits::default()).expect("pixels");
        let quad = Quad::rectangle(32.0, 32.0, 20.0, 26.0);
        let tiles = vec![LabelledTile { quad, label: face.into() }];
        let lessons = [LabelledPhoto { photo: &photo, tiles }];
        learn(name.parse().expect(name), &lessons, &PaintedModel::default()).expect("a set")
    }

    #[test]
    fn the_own_sets_that_are_asked_for_change_the_key() {
        let engine = Engine::new(PaintedModel::default().manifest(), &Book::shipped());
        let home = set("Home", Face::Back);
        let (taught, club) = (set("Home", Face::Bonus(Bonus::ALL[0])), set("Club", Face::Back));
        let key = |choice: &str, sets: &[&OwnSet]| {
            let choice = (!choice.is_empty()).then(|| choice.parse().expect(choice));
            let engine = engine.for_choice(choice.as_ref(), sets.iter().map(|it| (it.id(), *it)));
            let ask = Ask { set: choice, ..Ask::default() };
            Task::new(PhotoId::from_bytes(b"a photo"), ask, engine).key
        };
        let keys = [
            key("", &[&home]),
            key("Home", &[&home]),
            key("Home", &[&taught]),
            key("Home", &[]),
            key("Club", &[&home, &club]),
            key("auto", &[&home]),
            key("auto", &[&taught]),
            key("auto", &[&home, &club]),
        ];
        assert_eq!(HashSet::from(keys).len(), keys.len(), "{keys:?}");
        // Sets that nobody asks for change nothing, nor does their order.
        assert_eq!(key("", &[&home]), key("", &[&club, &taught]));
        assert_eq!(
            key("", &[]),
            Task::new(PhotoId::from_bytes(b"a photo"), Ask::default(), engine).key
        );
        assert_eq!(key("Home", &[&home]), key("Home", &[&home, &club]));
        assert_eq!(key("auto", &[&home, &club]), key("auto", &[&club, &home]));
    }

    #[test]
    fn a_task_travels_as_json() {
        let engine = Engine::new(PaintedModel::default().manifest(), &Book::shipped());
        let others = vec![Other::photo(Wind::South, PhotoId::from_bytes(b"beside it"))];
        let ask = Ask { rulesets: vec![RulesetId::MCR_WMO], others, ..Ask::default() };
        let task = Task::new(PhotoId::from_bytes(b"a photo"), ask, engine);
        let json = serde_json::to_string(&task).expect("its keys are texts");
        let arrived: Task = serde_json::from_str(&json).expect("it is one");
        assert_eq!(arrived, task);
        assert!(arrived.fits_its_key());
    }

    #[test]
    fn a_task_with_anything_replaced_does_not_fit_its_key() {
        let engine = Engine::new(PaintedModel::default().manifest(), &Book::shipped());
        let task = Task::new(PhotoId::from_bytes(b"a photo"), Ask::default(), engine);
        let german = Ask { lang: Lang::De, ..Ask::default() };
        let other = Task::new(PhotoId::from_bytes(b"another"), german, engine);
        for forged in [
            Task { photo: other.photo, ..task.clone() },
            Task { ask: other.ask.clone(), ..task.clone() },
            Task { engine: Engine([7; 32]), ..task.clone() },
            Task { key: other.key, ..task },
        ] {
            assert!(!forged.fits_its_key(), "{forged:?}");
        }
    }

    #[test]
    fn parts_do_not_run_into_each_other() {
        let hash = |parts: &[&[u8]]| {
            let mut hash = Sha256::new();
            parts.iter().for_each(|bytes| part(&mut hash, bytes));
            hash.finalize()
        };
        assert_ne!(hash(&[b"ab", b"c"]), hash(&[b"a", b"bc"]));
    }
}
