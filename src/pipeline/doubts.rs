//! Scores the chosen hand and collects the doubts about it.
//!
//! Input: the seen tiles and the [`Decision`]. Output: a [`Verdict`]: the score if the hand wins,
//! and the doubts, each with the total that every answer would give. Invariant: whether a doubt
//! affects the score is found by scoring its answers; one whose answers cannot be listed or scored
//! counts as affecting it. A win context that contradicts something the program guessed is a doubt,
//! not an error. Indices are those of the seen tiles.

mod contradiction;
mod copies;
mod feeder;
pub(super) mod flowers;
mod offered;
mod repairs;
mod structure;
mod winning;

use std::sync::Arc;

use tilesight_core::context::{Context, ContextError, ContextField, ContextSetup};
use tilesight_core::hand::{HandFault, HandSetup};
use tilesight_core::rules::{Contradiction, OpenHand, Profile, RulesError, Score, TotalRange};
use tilesight_core::tile::{Face, Tile};

use super::classify::{SeenTile, name};
use super::doubt::{Alternative, Doubt, DoubtKind};
use super::joint::{Candidate, Decision};
use super::params::{DoubtParams, Params};
use super::question::Question;
use super::reading::Reading;
use super::wins::wins;

/// Scores hands under one rule set and one win context.
#[derive(Debug, Clone)]
pub struct Judge {
    ruleset: Arc<Profile>,
    context: Context,
    assumed: Vec<ContextField>,
    /// Whether the hand is the one that won.
    won: bool,
    params: Params,
}

/// The hand to judge, and what it was read from.
struct Evidence<'a> {
    tiles: &'a [SeenTile],
    decision: &'a Decision,
    best: &'a Candidate,
}

/// The score of a hand and its doubts.
#[derive(Debug, Clone)]
pub struct Verdict {
    /// The score, if the hand wins.
    pub score: Option<Score>,
    /// The totals that are possible, where the total depends on what was not given or not seen.
    pub range: Option<TotalRange>,
    /// The probability of this score: the sum over all weighed hands that have it.
    pub probability: f32,
    /// The winning tile that the score supposes when the photo shows none.
    pub supposed_winning: Option<Tile>,
    /// Whether the probability is high enough to rely on.
    pub is_probable: bool,
    /// What the photo leaves open.
    pub doubts: Vec<Doubt>,
    /// The win context of the score.
    pub context: Context,
    /// Its fields that were not given: defaults are used for them.
    pub assumed: Vec<ContextField>,
    /// Whether the hand is the one that won.
    pub won: bool,
}

impl Judge {
    /// A judge for the given win context.
    ///
    /// # Errors
    /// [`ContextError`] when it contradicts itself.
    pub fn new(context: &ContextSetup, ruleset: &Arc<Profile>) -> Result<Judge, ContextError> {
        let won = !context.has_not_won();
        let (context, assumed) = context.resolve()?;
        Ok(Judge { ruleset: Arc::clone(ruleset), context, assumed, won, params: Params::DEFAULT })
    }

    /// The same judge with other parameters, by which it also has hands laid out and chosen.
    #[must_use]
    pub fn with_params(self, params: Params) -> Judge {
        Judge { params, ..self }
    }

    /// What it judges by.
    pub(super) fn params(&self) -> &Params {
        &self.params
    }

    /// Whether the hand is the one that won.
    pub(crate) fn expects_a_win(&self) -> bool {
        self.won
    }

    /// What it scores by.
    pub(crate) fn ruleset(&self) -> &Profile {
        &self.ruleset
    }

    /// The win context with its defaults.
    pub(crate) fn context(&self) -> &Context {
        &self.context
    }

    /// The fields of the context that were not given.
    pub(crate) fn assumed(&self) -> &[ContextField] {
        &self.assumed
    }

    /// A judge for a complete win context: that of a hand that was read already.
    pub(super) fn of_complete(ruleset: &Arc<Profile>, context: Context, won: bool) -> Judge {
        let ruleset = Arc::clone(ruleset);
        Judge { ruleset, context, assumed: Vec::new(), won, params: Params::DEFAULT }
    }

    /// A judge for the win context of a reading, which says what of it was not given.
    pub(super) fn of_reading(reading: &Reading) -> Judge {
        let Reading { ruleset, context, won, .. } = reading;
        let assumed = reading.assumed.clone();
        Judge { assumed, ..Judge::of_complete(ruleset, *context, *won) }
    }

    /// Scores the chosen hand and collects the doubts.
    ///
    /// # Errors
    /// [`RulesError::Contradictions`] when the win context contradicts itself, or a hand that was
    /// read with confidence. Where the reading may be wrong instead, it is a doubt.
    pub fn judge(&self, tiles: &[SeenTile], decision: &Decision) -> Result<Verdict, RulesError> {
        let mut verdict = Verdict {
            score: None,
            range: None,
            probability: 0.0,
            supposed_winning: None,
            is_probable: false,
            doubts: Vec::new(),
            context: self.context,
            assumed: self.assumed.clone(),
            won: self.won,
        };
        if let Some(best) = &decision.best {
            let evidence = Evidence { tiles, decision, best };
            if self.won {
                self.judge_winner(&evidence, &mut verdict)?;
            } else {
                self.judge_other(&evidence, &mut verdict);
            }
        }
        verdict.is_probable = verdict.probability >= self.params.doubts.sure;
        Ok(verdict)
    }

    /// Scores a winner's hand and collects its doubts.
    fn judge_winner(&self, evidence: &Evidence, verdict: &mut Verdict) -> Result<(), RulesError> {
        let Evidence { tiles, decision, best } = *evidence;
        let setup = self.with_winning_tile(best, verdict);
        let contradictions = self.score_winner(best, &setup, verdict)?;
        verdict.doubts.extend(feeder::doubt(self, best, &setup, verdict.score.as_ref()));
        verdict.probability = self.score_probability(best, &decision.rivals, verdict);
        // First the doubts that the photo may answer, then those about missing tiles.
        let offered = offered::doubts(self, tiles, best);
        let is_new = |doubt: &Doubt| offered.iter().all(|offer| offer.tiles != doubt.tiles);
        let left_out: Vec<Doubt> =
            structure::left_out(self, tiles, decision).into_iter().filter(is_new).collect();
        verdict.doubts.extend(offered);
        verdict.doubts.extend(self.hand_doubts(evidence, left_out));
        // Tiles that do not form a winning hand are in doubt themselves, whatever the win context.
        let wins = !contradictions.is_empty() && wins(&best.setup, &self.ruleset);
        if contradictions.iter().any(|one| one.is_of_every_hand())
            || wins && is_sure(best, &verdict.doubts, &self.params.doubts)
        {
            return Err(RulesError::Contradictions(contradictions));
        }
        if wins {
            verdict.doubts.extend(contradiction::doubts(best, &contradictions));
        }
        if verdict.score.is_none() && verdict.doubts.iter().all(|doubt| !doubt.affects_score) {
            verdict.doubts.extend(repairs::doubts(self, tiles, best));
            verdict.doubts.push(not_a_win(best));
        }
        Ok(())
    }

    /// The hand as it is scored: where the photo sets no winning tile apart, with a supposed one.
    fn with_winning_tile(&self, best: &Candidate, verdict: &mut Verdict) -> HandSetup {
        let mut setup = best.setup.clone();
        if setup.winning.is_none() {
            let (doubt, supposed) = winning::unknown(self, best);
            verdict.supposed_winning = supposed;
            verdict.doubts.extend(doubt);
            winning::suppose(&mut setup, supposed);
        }
        setup
    }

    /// Scores the hand, and returns what of the win context contradicts it.
    fn score_winner(
        &self,
        best: &Candidate,
        setup: &HandSetup,
        verdict: &mut Verdict,
    ) -> Result<Vec<Contradiction>, RulesError> {
        match self.score_of(setup) {
            Ok(score) => {
                verdict.range = score.as_ref().and_then(|_| self.range_of(&best.setup));
                verdict.score = score;
            }
            Err(RulesError::Contradictions(all)) => return Ok(all),
            Err(RulesError::FlowersNotPlayed { .. }) => {
                verdict.doubts.extend(flowers::not_played(self, best));
            }
            Err(error) => return Err(error),
        }
        Ok(Vec::new())
    }

    /// The totals that a winning hand may have, where something is open.
    fn range_of(&self, setup: &HandSetup) -> Option<TotalRange> {
        TotalRange::of(&self.ruleset, &OpenHand::of_setup(setup, &self.context, &self.assumed))
    }

    /// The same for a hand that has not won: it needs no winning tile, and has a score only where
    /// every player's hand does.
    fn judge_other(&self, evidence: &Evidence, verdict: &mut Verdict) {
        let Evidence { tiles, decision, best } = *evidence;
        verdict.score = self.score_other(&best.setup);
        verdict.probability = match verdict.score {
            Some(_) => self.score_probability(best, &decision.rivals, verdict),
            None => best.p,
        };
        let left_out = structure::left_out(self, tiles, decision);
        verdict.doubts.extend(self.hand_doubts(evidence, left_out));
    }

    /// The doubts that any hand can give, `left_out` among them.
    fn hand_doubts(&self, evidence: &Evidence, left_out: Vec<Doubt>) -> Vec<Doubt> {
        let Evidence { tiles, decision, best } = *evidence;
        let mut doubts = Vec::new();
        doubts.extend(self.count_doubt(best));
        doubts.extend(copies::doubts(self, tiles, best));
        doubts.extend(structure::doubts(self, best, &decision.rivals));
        doubts.extend(structure::across(self, tiles, decision));
        doubts.extend(left_out);
        doubts.extend(self.face_doubts(tiles, decision));
        doubts.extend(flowers::doubts(self, tiles, decision));
        doubts.extend(cut_doubts(tiles, best, &self.params.doubts));
        doubts
    }

    /// The score of a hand that has not won, where it counts.
    fn score_other(&self, setup: &HandSetup) -> Option<Score> {
        let holding = setup.clone().into_holding().ok()?;
        let Context { seat, prevalent, .. } = self.context;
        let rules = self.ruleset.rules().table()?;
        Some(rules.score_other(&holding, seat, prevalent))
    }

    /// How probable it is that the hand scores what the verdict says: hands that differ in a
    /// flower's name or in a set that counts the same either way do.
    fn score_probability(&self, best: &Candidate, rivals: &[Candidate], verdict: &Verdict) -> f32 {
        let Some(total) = verdict.score.as_ref().map(|score| score.total) else { return 0.0 };
        let alike = rivals.iter().filter(|rival| rival.p >= self.params.doubts.least_rival);
        let alike = alike.filter(|rival| self.total(&rival.setup) == Some(total));
        best.p + alike.map(|rival| rival.p).sum::<f32>()
    }

    /// The score of a hand; `None` when it is incomplete or does not win.
    fn score_of(&self, setup: &HandSetup) -> Result<Option<Score>, RulesError> {
        let Ok(hand) = setup.clone().into_hand() else { return Ok(None) };
        match self.ruleset.score(&hand, &self.context) {
            Ok(score) => Ok(Some(score)),
            Err(RulesError::NotAWin) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The total that a hand would have; a hand without a winning tile is given the likeliest.
    #[must_use]
    pub fn total(&self, setup: &HandSetup) -> Option<u32> {
        if !self.won {
            return self.score_other(setup).map(|score| score.total);
        }
        if setup.winning.is_none() {
            return winning::likeliest(self, setup).and_then(|(_, total)| total);
        }
        self.points_of(setup)
    }

    /// The total of a winner's hand with its winning tile; `None` when it does not win.
    fn points_of(&self, setup: &HandSetup) -> Option<u32> {
        let hand = setup.clone().into_hand().ok()?;
        self.ruleset.rules().points(&hand, &self.context).ok()
    }

    /// Whether a hand is a legal win, whichever tile won; `None` where it does not win.
    pub(super) fn is_legal(&self, setup: &HandSetup) -> Option<bool> {
        let mut setup = setup.clone();
        if setup.winning.is_none() {
            let supposed = self.supposed_winning(&setup);
            winning::suppose(&mut setup, supposed);
        }
        self.score_of(&setup).ok().flatten().map(|score| score.is_legal())
    }

    /// The winning tile that the score supposes where the hand has none.
    #[must_use]
    pub fn supposed_winning(&self, setup: &HandSetup) -> Option<Tile> {
        winning::likeliest(self, setup).map(|(tile, _)| tile)
    }

    /// Answers with the hands that they would make, each with its probability, and what those
    /// score.
    fn alternatives<'a>(
        &self,
        answers: impl IntoIterator<Item = (&'a str, &'a HandSetup, f32)>,
    ) -> Vec<Alternative> {
        let scored = |(answer, setup, p): (&str, &HandSetup, f32)| {
            Alternative::new(answer, p, self.total(setup)).making(setup)
        };
        answers.into_iter().map(scored).collect()
    }

    /// Too few or too many tiles for the melds there are.
    fn count_doubt(&self, best: &Candidate) -> Option<Doubt> {
        let melds = best.plan.melds.len();
        let hidden_kongs = best.broken.iter().filter(|&&m| is_hidden(best, m)).count();
        let complete = melds - best.broken.len() + hidden_kongs;
        // A player who has not won holds one tile less, as after a discard.
        let whole = if self.won { 14_usize } else { 13 };
        let needed = whole.saturating_sub(3 * complete);
        let found = best.setup.concealed.len() + usize::from(best.setup.winning.is_some());
        (found != needed).then(|| {
            let in_melds: usize = best.setup.melds.iter().map(|meld| meld.tiles().count()).sum();
            let (seen, all) =
                (found + in_melds + 4 * hidden_kongs, needed + in_melds + 4 * hidden_kongs);
            Doubt {
                kind: DoubtKind::TileCount,
                tiles: best.faces.iter().map(|&(i, _)| i).collect(),
                question: Question::TileCount { seen, needed: all },
                alternatives: Vec::new(),
                field: None,
                affects_score: true,
            }
        })
    }

    /// Tiles that could show another face, by all the hands that were weighed.
    fn face_doubts(&self, tiles: &[SeenTile], decision: &Decision) -> Vec<Doubt> {
        let Some(best) = &decision.best else { return Vec::new() };
        let read = best.faces.iter().filter(|(_, face)| *face != Face::Back);
        read.filter_map(|&(i, face)| self.face_doubt(tiles, decision, i, face)).collect()
    }

    fn face_doubt(
        &self,
        tiles: &[SeenTile],
        decision: &Decision,
        i: usize,
        face: Face,
    ) -> Option<Doubt> {
        let params = &self.params.doubts;
        let names = names(decision, i);
        let known: f32 = names.iter().map(|name| name.p).sum();
        let read = names.iter().find(|name| name.face == face);
        let p_face = read.map_or(0.0, |name| name.p / known);
        let corrected = tiles[i].faces.best() != Some(face);
        let is_sure = p_face >= 1.0 - params.doubtful_face && !corrected;
        let is_plain = p_face >= 1.0 - params.doubtful_flower || !matches!(face, Face::Bonus(_));
        if is_sure && is_plain {
            return None;
        }
        let mut alternatives = self.name_answers(&names, face, known);
        if alternatives.len() < 2 && is_sure {
            return None;
        }
        if alternatives.len() < 2 {
            alternatives.push(seen_otherwise(&tiles[i], face));
        }
        let affects_score = differ(&alternatives);
        // Which flower it is, is asked early, but only where the score depends on it.
        if is_sure && !affects_score {
            return None;
        }
        let question = match corrected {
            true => Question::LooksLike { looks: tiles[i].faces.best(), face },
            false => Question::Face { face },
        };
        let tiles = vec![i];
        let kind = DoubtKind::Tile;
        Some(Doubt { kind, tiles, question, alternatives, field: None, affects_score })
    }

    /// The names of a tile as answers: the face that was read and the others that are probable
    /// enough, where all together have the probability `known`.
    fn name_answers(&self, names: &[Name], face: Face, known: f32) -> Vec<Alternative> {
        let least = self.params.doubts.offered * known;
        let offered = names.iter().filter(|name| name.face == face || name.p >= least);
        let answer = |name: &Name| {
            let total = self.total(name.setup);
            Alternative::new(name.face.to_string(), name.p / known, total).making(name.setup)
        };
        offered.map(answer).collect()
    }
}

/// Another name that the picture offers for a tile, where the limits of a hand leave no other one.
fn seen_otherwise(tile: &SeenTile, face: Face) -> Alternative {
    let others = tile.faces.candidates(0.0).into_iter();
    let seen = others.map(|(other, _)| other).find(|other| *other != Some(face));
    Alternative::new(name(seen.flatten()), 0.0, None)
}

/// A face that weighed hands give to a tile.
struct Name<'a> {
    face: Face,
    /// The probability of these hands together.
    p: f32,
    /// The most probable of them.
    setup: &'a HandSetup,
}

/// The faces that the weighed hands give to a tile, the most probable first.
fn names(decision: &Decision, i: usize) -> Vec<Name<'_>> {
    let mut names: Vec<Name> = Vec::new();
    for candidate in decision.best.iter().chain(&decision.rivals) {
        let Some(&(_, face)) = candidate.faces.iter().find(|(tile, _)| *tile == i) else {
            continue;
        };
        match names.iter_mut().find(|name| name.face == face) {
            Some(name) => name.p += candidate.p,
            None => names.push(Name { face, p: candidate.p, setup: &candidate.setup }),
        }
    }
    names.sort_by(|a, b| b.p.total_cmp(&a.p));
    names
}

/// Whether the hand is sure enough to refuse a win context that contradicts it: its winning tile
/// was seen, and nothing about the score is in doubt.
fn is_sure(best: &Candidate, doubts: &[Doubt], params: &DoubtParams) -> bool {
    let settled = doubts.iter().all(|doubt| !doubt.affects_score);
    best.setup.winning.is_some() && best.p >= params.sure && settled
}

/// Whether a meld of the plan shows only backs.
fn is_hidden(best: &Candidate, meld: usize) -> bool {
    let tiles = &best.plan.melds[meld].tiles;
    tiles.iter().all(|i| best.faces.iter().all(|(face, _)| face != i))
}

/// Whether answers lead to different totals.
pub(super) fn differ(alternatives: &[Alternative]) -> bool {
    alternatives.windows(2).any(|pair| pair[0].total != pair[1].total)
}

/// The doubt about tiles that the photo's edge cuts. Their faces, and the tiles beyond the edge,
/// cannot be listed.
fn cut_doubts(tiles: &[SeenTile], best: &Candidate, params: &DoubtParams) -> Option<Doubt> {
    let cut: Vec<usize> =
        best.faces.iter().map(|&(i, _)| i).filter(|&i| tiles[i].inside < params.cut).collect();
    (!cut.is_empty()).then(|| Doubt {
        kind: DoubtKind::CutTile,
        tiles: cut,
        question: Question::CutTile,
        alternatives: Vec::new(),
        field: None,
        affects_score: true,
    })
}

/// Everything is there and clear, but it is not a winning hand.
fn not_a_win(best: &Candidate) -> Doubt {
    let complete = best.setup.faults().iter().all(|fault| *fault == HandFault::NoWinningTile);
    let question = if complete { Question::NotAWin } else { Question::NotAHand };
    Doubt {
        kind: DoubtKind::NotAWin,
        tiles: best.faces.iter().map(|&(i, _)| i).collect(),
        question,
        alternatives: Vec::new(),
        field: None,
        affects_score: true,
    }
}
