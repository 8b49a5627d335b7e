//! Tasks, and the keys that cover everything on which their outcomes depend.
//!
//! Input: a request whose photos are ids, the language and the engine. Output: a [`Task`] that is
//! sent to a worker as JSON. Invariant: two tasks with the same key have the same outcome;
//! everything that changes an outcome (the photo, the win context, the rule sets, the language, the
//! own sets that are asked for, the networks and their settings, the program's own sources that
//! readings depend on) changes the key.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use tilesight_core::contract::{SetChoice, SetName};
use tilesight_core::explain::Lang;
use tilesight_core::rules::Book;
use tilesight_vision::contract::TableRequest;
use tilesight_vision::networks::Manifest;
use tilesight_vision::sets::{OwnSet, SetId, UnknownSet};

use super::hash::{PhotoId, as_hash};

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
}

/// Engines of a process, by the own set that tiles are named with.
#[derive(Debug, Clone)]
pub struct Engines {
    /// Engine without own sets.
    plain: Engine,
    /// Own sets, in the order of their names.
    sets: Arc<[(SetName, SetId)]>,
}

impl Engines {
    /// Returns the engines of a process that knows these own sets.
    pub fn new<'a>(plain: Engine, sets: impl IntoIterator<Item = (SetId, &'a OwnSet)>) -> Engines {
        let mut sets: Vec<_> = sets.into_iter().map(|(id, set)| (set.name().clone(), id)).collect();
        sets.sort_by(|(one, _), (other, _)| one.cmp(other));
        Engines { plain, sets: sets.into() }
    }

    /// Returns the engine without own sets.
    #[must_use]
    pub fn plain(&self) -> Engine {
        self.plain
    }

    /// Returns the engine for photos that are read with a choice of own sets: a named set, or all
    /// sets for `auto`. Without a choice it is the plain engine, whatever sets there are.
    ///
    /// # Errors
    /// [`UnknownSet`] if no set has the name.
    pub fn for_choice(&self, choice: Option<&SetChoice>) -> Result<Engine, UnknownSet> {
        let chosen = match choice {
            None => return Ok(self.plain),
            Some(SetChoice::Auto) => &self.sets[..],
            Some(SetChoice::Named(name)) => {
                let at = self.sets.iter().position(|(known, _)| known == name);
                let Some(at) = at else { return Err(self.unknown(name)) };
                &self.sets[at..=at]
            }
        };
        let mut hash = Sha256::new();
        part(&mut hash, &self.plain.0);
        for (name, id) in chosen {
            part(&mut hash, name.as_str().as_bytes());
            part(&mut hash, id.to_string().as_bytes());
        }
        Ok(Engine(hash.finalize().into()))
    }

    fn unknown(&self, name: &SetName) -> UnknownSet {
        let known = self.sets.iter().map(|(known, _)| known.clone());
        UnknownSet { name: name.clone(), known: known.collect() }
    }
}

/// Name of a task and of its outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TaskKey([u8; 32]);

as_hash!(TaskKey);

/// Task to read the photos of one table, most often a single photo.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Task {
    /// Key of the task.
    pub key: TaskKey,
    /// Photos, which are in the store, and what is asked about them.
    pub table: TableRequest<PhotoId>,
    /// Language of names and questions.
    pub lang: Lang,
    /// Engine that is to read the photos.
    pub engine: Engine,
    /// Files of own sets that the photos are to be read with, beside those of the reader: they are
    /// in the store, among the photos of the job. The engine covers their content.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sets: Vec<PhotoId>,
}

impl Task {
    /// Returns a task with its key.
    #[must_use]
    pub fn new(table: TableRequest<PhotoId>, lang: Lang, engine: Engine) -> Task {
        let mut hash = Sha256::new();
        part(&mut hash, b"tilesight task 2");
        let request = serde_json::to_vec(&(&table, lang));
        part(&mut hash, &request.expect("it has no maps with keys of other kinds"));
        part(&mut hash, engine.to_string().as_bytes());
        Task { key: TaskKey(hash.finalize().into()), table, lang, engine, sets: Vec::new() }
    }

    /// Returns this task with the files of own sets that came with its job.
    #[must_use]
    pub fn with_sets(self, sets: Vec<PhotoId>) -> Task {
        Task { sets, ..self }
    }

    /// Returns whether the key matches this photo, this request and this engine, as this version of
    /// the program computes keys. Another version may serialize requests differently, so call this
    /// only for tasks for the process's own engine.
    #[must_use]
    pub(crate) fn fits_its_key(&self) -> bool {
        Task::new(self.table.clone(), self.lang, self.engine).key == self.key
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
    use tilesight_core::contract::{
        ContextDto, HandField, HandInput, OtherInRequest, PhotoFields, Scoring,
    };
    use tilesight_core::meld::Relation;
    use tilesight_core::rules::RulesetId;
    use tilesight_core::tile::{Bonus, Face, Wind};
    use tilesight_vision::geometry::Quad;
    use tilesight_vision::networks::Model as _;
    use tilesight_vision::networks::fake::PaintedModel;
    use tilesight_vision::sets::{LabelledPhoto, LabelledTile, learn};
    use tilesight_vision::{DecodeLimits, Photo};

    use super::*;

    #[test]
    fn every_change_of_the_outcome_changes_the_key() {
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
        let other_photo = PhotoId::from_bytes(b"another");
        let plain = || TableRequest::from_photo(photo);
        let asked = |fields| TableRequest { fields, ..plain() };
        let placed = |name: &str, text: &str| {
            let mut fields = PhotoFields::default();
            fields.set_text(name, text).expect(text);
            asked(fields)
        };
        let scored = Scoring { rulesets: Some(vec![RulesetId::MCR_WMO]), ..Scoring::default() };
        let beside = |other| TableRequest { others: vec![other], ..plain() };
        let photographed =
            |seat, photo| beside(OtherInRequest::photo(HandField::Part(seat), seat, photo));
        let typed = |hand: &str| {
            let hand = HandInput::Notation(hand.to_owned());
            beside(OtherInRequest::from_typed(HandField::Entry(0), Wind::South, hand))
        };
        let requests = [
            plain(),
            TableRequest::from_photo(other_photo),
            TableRequest { more: vec![other_photo], ..plain() },
            asked(seat.into()),
            asked(from.into()),
            asked(ruleset.into()),
            asked(PhotoFields { scoring: scored, ..PhotoFields::default() }),
            placed("focus", "412,300"),
            placed("focus", "300,412"),
            placed("region", "1,2 300,412"),
            placed("region", "1,2 300,413"),
            placed("set", "auto"),
            placed("set", "Home"),
            photographed(Wind::South, photo),
            photographed(Wind::West, photo),
            photographed(Wind::South, other_photo),
            typed("11m"),
            typed("22m"),
        ];
        let engines =
            [other, third, Engine::new(&with_large, &book), Engine::new(&large_retrained, &book)];
        let requests = requests.into_iter().map(|table| Task::new(table, Lang::En, engine));
        let engines = engines.into_iter().map(|engine| Task::new(plain(), Lang::En, engine));
        let tasks = requests.chain(engines).chain([Task::new(plain(), Lang::De, engine)]);
        let keys: Vec<TaskKey> = tasks.map(|task| task.key).collect();
        assert_eq!(keys.iter().collect::<HashSet<_>>().len(), keys.len(), "{keys:?}");
        assert_eq!(Task::new(plain(), Lang::En, engine).key, keys[0]);
    }

    /// Returns the task of a photo about which nothing is said.
    fn task(engine: Engine) -> Task {
        let photo = PhotoId::from_bytes(b"a photo");
        Task::new(TableRequest::from_photo(photo), Lang::En, engine)
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
            let set = (!choice.is_empty()).then(|| choice.parse().expect(choice));
            let engines = Engines::new(engine, sets.iter().map(|set| (set.id(), *set)));
            let engine = engines.for_choice(set.as_ref()).ok()?;
            let photo = PhotoId::from_bytes(b"a photo");
            let fields = PhotoFields { set, ..PhotoFields::default() };
            let table = TableRequest { fields, ..TableRequest::from_photo(photo) };
            Some(Task::new(table, Lang::En, engine).key)
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
        assert_eq!(key("", &[]), Some(task(engine).key));
        assert_eq!(key("Home", &[&home]), key("Home", &[&home, &club]));
        assert_eq!(key("auto", &[&home, &club]), key("auto", &[&club, &home]));
    }

    #[test]
    fn a_task_travels_as_json() {
        let engine = Engine::new(PaintedModel::default().manifest(), &Book::shipped());
        let beside = PhotoId::from_bytes(b"beside it");
        let others = vec![OtherInRequest::photo(HandField::Part(Wind::South), Wind::South, beside)];
        let scoring = Scoring { rulesets: Some(vec![RulesetId::MCR_WMO]), ..Scoring::default() };
        let fields = PhotoFields { scoring, ..PhotoFields::default() };
        let photo = PhotoId::from_bytes(b"a photo");
        let table = TableRequest { fields, others, ..TableRequest::from_photo(photo) };
        let task = Task::new(table, Lang::En, engine);
        let with_sets = task.clone().with_sets(vec![PhotoId::from_bytes(b"a set")]);
        for task in [task, with_sets] {
            let json = serde_json::to_string(&task).expect("its keys are texts");
            let arrived: Task = serde_json::from_str(&json).expect("it is one");
            assert_eq!(arrived, task);
            assert!(arrived.fits_its_key());
        }
    }

    #[test]
    fn a_task_with_anything_replaced_does_not_fit_its_key() {
        let engine = Engine::new(PaintedModel::default().manifest(), &Book::shipped());
        let task = task(engine);
        let another = TableRequest::from_photo(PhotoId::from_bytes(b"another"));
        let other = Task::new(another, Lang::De, engine);
        for forged in [
            Task { table: other.table.clone(), ..task.clone() },
            Task { lang: other.lang, ..task.clone() },
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
