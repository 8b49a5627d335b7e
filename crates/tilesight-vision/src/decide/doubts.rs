//! Scores the chosen hand and collects the doubts about it.
//!
//! Input: the seen tiles and the [`Decision`]. Output: a [`Verdict`]: the score if the hand wins,
//! and the doubts, each with the total that every answer would give. Invariant: a doubt affects the
//! score if its answers score differently; a doubt whose answers cannot be listed or scored counts
//! as affecting it. A win context that contradicts something the program guessed is a doubt, not an
//! error. Indices refer to the seen tiles.

mod contradiction;
mod copies;
mod dealer;
pub(crate) mod dora;
mod feeder;
pub(crate) mod flowers;
mod lone;
mod offered;
mod repairs;
mod structure;
mod winning;

use std::sync::Arc;

use tilesight_core::context::{
    Context, ContextError, ContextField, ContextSetup, Declaration, RiichiCall, WinSource,
};
use tilesight_core::hand::{Hand, HandFault, HandSetup, HandSize};
use tilesight_core::rules::{Contradiction, OpenHand, Profile, RulesError, Score, TotalRange};
use tilesight_core::stop::checkpoint;
use tilesight_core::tile::{Face, Tile, Wind};

use super::doubt::{Alternative, Doubt, DoubtKind};
use super::joint::{Candidate, Decision};
use super::question::Question;
use crate::params::{DoubtParams, Params};
use crate::pixels::faces::name;
use crate::pixels::seen_tile::SeenTile;
use crate::wins::wins;

/// Scores hands under one rule set and one win context.
#[derive(Debug, Clone)]
pub struct HandScorer {
    ruleset: Arc<Profile>,
    /// Fields of the win context as they were given.
    given: ContextSetup,
    context: Context,
    assumed: Vec<ContextField>,
    /// Whether the hand is the one that won.
    won: bool,
    params: Params,
}

/// The hand to score and the data it was read from.
struct Evidence<'a> {
    tiles: &'a [SeenTile],
    decision: &'a Decision,
    best: &'a Candidate,
}

/// The score of a hand and its doubts.
#[derive(Debug, Clone)]
pub struct Verdict {
    /// Score, if the hand wins.
    pub score: Option<Score>,
    /// Possible totals, if the total depends on something that was not given or not seen.
    pub range: Option<TotalRange>,
    /// Probability of this score: the sum over all weighed hands that have it.
    pub probability: f32,
    /// Winning tile that the score supposes if the photo shows none.
    pub supposed_winning: Option<Tile>,
    /// Whether the probability is high enough to rely on.
    pub is_probable: bool,
    /// Doubts that the photo leaves open.
    pub doubts: Vec<Doubt>,
    /// Fields of the win context as they were given.
    pub given: ContextSetup,
    /// Win context of the score.
    pub context: Context,
    /// Fields of the win context that were not given and have default values.
    pub assumed: Vec<ContextField>,
    /// Whether the hand is the one that won.
    pub won: bool,
}

impl HandScorer {
    /// Creates a scorer for the given win context.
    ///
    /// # Errors
    /// [`ContextError`] if the win context contradicts itself.
    pub fn new(context: &ContextSetup, ruleset: &Arc<Profile>) -> Result<HandScorer, ContextError> {
        let won = !context.has_not_won();
        let given = *context;
        let unseen = unseen_fields(context, ruleset);
        let (context, mut assumed) = context.resolve()?;
        assumed.extend(unseen);
        Ok(HandScorer {
            ruleset: Arc::clone(ruleset),
            given,
            context,
            assumed,
            won,
            params: Params::DEFAULT,
        })
    }

    /// Returns this scorer with other parameters. Layout and choice of the hand use them too.
    #[must_use]
    pub(crate) fn with_params(self, params: Params) -> HandScorer {
        HandScorer { params, ..self }
    }

    /// Returns the parameters.
    #[must_use]
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// Returns whether the hand is the one that won.
    pub(crate) fn expects_a_win(&self) -> bool {
        self.won
    }

    /// Returns the rule set.
    pub(crate) fn ruleset(&self) -> &Profile {
        &self.ruleset
    }

    /// Returns the size of hand that the rule set has.
    pub(crate) fn size(&self) -> HandSize {
        self.ruleset.rules().size()
    }

    /// Returns a winner's hand as the rule set has it; `None` if it has the wrong tiles for that.
    pub(crate) fn hand_of(&self, setup: &HandSetup) -> Option<Hand> {
        setup.clone().into_hand_of(self.size()).ok()
    }

    /// Returns whether a hand has the tiles of a winner's hand, whichever of them won.
    pub(crate) fn is_complete(&self, setup: &HandSetup) -> bool {
        setup.faults_of(self.size()).iter().all(|fault| *fault == HandFault::NoWinningTile)
    }

    /// Returns the fields of the win context as they were given.
    pub(crate) fn given_context(&self) -> &ContextSetup {
        &self.given
    }

    /// Returns the win context with its defaults.
    pub(crate) fn context(&self) -> &Context {
        &self.context
    }

    /// Returns the fields of the win context that were not given.
    pub(crate) fn assumed(&self) -> &[ContextField] {
        &self.assumed
    }

    /// Returns a winner's hand with all that is open about its win.
    pub(crate) fn open_hand(&self, hand: &HandSetup) -> OpenHand {
        OpenHand::from_setup(hand, &self.context, &self.assumed)
    }

    /// Returns the fields of the win context that were not given and may be true of a hand: nobody
    /// declares riichi with a called meld, has ippatsu with a replacement tile, and sets a fifth
    /// north aside; the streak of a dealer who neither won nor pays changes nothing.
    pub(crate) fn assumed_of(&self, hand: &HandSetup) -> Vec<ContextField> {
        let is_closed = hand.melds.iter().all(|meld| meld.is_concealed());
        let assumed = self.assumed.iter().copied();
        assumed
            .filter(|field| match field {
                ContextField::Riichi => is_closed,
                ContextField::Ippatsu => {
                    is_closed && self.context.win != WinSource::KongReplacement
                }
                ContextField::Norths => leaves_norths(hand, &self.context),
                ContextField::DealerStreak => {
                    dealer::may_be_concerned(&self.context, &self.assumed)
                }
                _ => true,
            })
            .collect()
    }

    /// Creates a scorer for a complete win context: that of a hand that has already been read. The
    /// fields in `assumed` were not given and have default values.
    pub(crate) fn for_complete(
        ruleset: &Arc<Profile>,
        context: Context,
        assumed: Vec<ContextField>,
        won: bool,
    ) -> HandScorer {
        HandScorer {
            ruleset: Arc::clone(ruleset),
            given: context.into(),
            context,
            assumed,
            won,
            params: Params::DEFAULT,
        }
    }

    /// Scores the chosen hand and collects the doubts.
    ///
    /// # Errors
    /// [`RulesError::Contradictions`] if the win context contradicts itself or a hand that was
    /// read with confidence. If the reading may be wrong instead, the contradiction is a doubt.
    pub fn assess(&self, tiles: &[SeenTile], decision: &Decision) -> Result<Verdict, RulesError> {
        let mut verdict = Verdict {
            score: None,
            range: None,
            probability: 0.0,
            supposed_winning: None,
            is_probable: false,
            doubts: Vec::new(),
            given: self.given,
            context: self.context,
            assumed: decision
                .best
                .as_ref()
                .map_or_else(|| self.assumed.clone(), |best| self.assumed_of(&best.setup)),
            won: self.won,
        };
        if let Some(best) = &decision.best {
            let evidence = Evidence { tiles, decision, best };
            if self.won {
                self.assess_winner(&evidence, &mut verdict)?;
            } else {
                self.assess_other(&evidence, &mut verdict);
            }
        }
        verdict.is_probable = verdict.probability >= self.params.doubts.sure;
        Ok(verdict)
    }

    /// Scores a winner's hand and collects its doubts.
    fn assess_winner(&self, evidence: &Evidence, verdict: &mut Verdict) -> Result<(), RulesError> {
        let Evidence { tiles, decision, best } = *evidence;
        let setup = self.with_winning_tile(best, verdict);
        let contradictions = self.score_winner(best, &setup, verdict)?;
        verdict.doubts.extend(feeder::doubt(self, best, &setup, verdict.score.as_ref()));
        verdict.doubts.extend(dora::indicators(self, tiles, decision, &setup));
        verdict.doubts.extend(dora::red_fives(self, tiles, best));
        verdict.probability = self.score_probability(best, &decision.rivals, verdict);
        // Doubts that the photo may answer come first, then those about missing tiles.
        let offered = offered::doubts(self, tiles, best);
        let mut left_out = structure::left_out(self, tiles, decision);
        left_out.retain(|doubt| offered.iter().all(|offer| offer.tiles != doubt.tiles));
        verdict.doubts.extend(offered);
        verdict.doubts.extend(self.hand_doubts(evidence, left_out));
        // If the tiles do not form a winning hand, they are in doubt themselves, whatever the win
        // context.
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
            verdict.doubts.push(self.not_a_win(best));
        }
        Ok(())
    }

    /// Returns the hand to score. If the photo sets no winning tile apart, the hand gets a supposed
    /// one.
    fn with_winning_tile(&self, best: &Candidate, verdict: &mut Verdict) -> HandSetup {
        let mut setup = best.setup.clone();
        if setup.winning.is_none() {
            let (doubt, supposed) = winning::doubt_if_unknown(self, best);
            verdict.supposed_winning = supposed;
            verdict.doubts.extend(doubt);
            winning::suppose(&mut setup, supposed);
        }
        setup
    }

    /// Scores the hand and returns the parts of the win context that contradict it.
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
                verdict.doubts.extend(flowers::doubts_if_not_played(self, best));
            }
            Err(error) => return Err(error),
        }
        Ok(Vec::new())
    }

    /// Returns the totals that a winning hand may have, if anything is open.
    fn range_of(&self, setup: &HandSetup) -> Option<TotalRange> {
        TotalRange::for_hand(&self.ruleset, &self.open_hand(setup))
    }

    /// Scores a hand that has not won and collects its doubts, like [`HandScorer::assess_winner`].
    /// Such a hand needs no winning tile, and has a score only if the rules score every player's
    /// hand.
    fn assess_other(&self, evidence: &Evidence, verdict: &mut Verdict) {
        let Evidence { tiles, decision, best } = *evidence;
        verdict.score = self.score_other(&best.setup);
        verdict.probability = match verdict.score {
            Some(_) => self.score_probability(best, &decision.rivals, verdict),
            None => best.p,
        };
        let left_out = structure::left_out(self, tiles, decision);
        verdict.doubts.extend(self.hand_doubts(evidence, left_out));
    }

    /// Collects the doubts that any hand can give, `left_out` among them.
    fn hand_doubts(&self, evidence: &Evidence, left_out: Vec<Doubt>) -> Vec<Doubt> {
        let Evidence { tiles, decision, best } = *evidence;
        let mut doubts = Vec::new();
        doubts.extend(self.count_doubt(decision, best));
        doubts.extend(copies::doubts(self, tiles, best));
        doubts.extend(structure::doubts(self, best, &decision.rivals));
        doubts.extend(structure::across(self, tiles, decision));
        let mut among = structure::among_kongs(self, tiles, decision);
        among.retain(|new| doubts.iter().all(|old| old.tiles != new.tiles));
        doubts.extend(among);
        doubts.extend(left_out);
        doubts.extend(self.face_doubts(tiles, decision));
        doubts.extend(flowers::doubts(self, tiles, decision));
        doubts.extend(cut_doubts(tiles, best, &self.params.doubts));
        doubts
    }

    /// Returns the score of a hand that has not won, if the rules score such hands.
    fn score_other(&self, setup: &HandSetup) -> Option<Score> {
        let holding = setup.clone().into_holding().ok()?;
        let Context { seat, prevalent, .. } = self.context;
        let rules = self.ruleset.rules().table()?;
        Some(rules.score_other(&holding, seat, prevalent))
    }

    /// Returns the probability that the hand has the verdict's score. Hands that differ only in a
    /// flower's name, or in a set that counts the same either way, have the same score.
    fn score_probability(&self, best: &Candidate, rivals: &[Candidate], verdict: &Verdict) -> f32 {
        let Some(total) = verdict.score.as_ref().map(|score| score.total) else { return 0.0 };
        let alike = rivals
            .iter()
            .filter(|rival| rival.p >= self.params.doubts.min_rival)
            .filter(|rival| self.total(&rival.setup) == Some(total));
        best.p + alike.map(|rival| rival.p).sum::<f32>()
    }

    /// Returns the score of a hand; `None` if the hand is incomplete or does not win, or has what
    /// three players or the set do not have: a tile may be misread.
    fn score_of(&self, setup: &HandSetup) -> Result<Option<Score>, RulesError> {
        let Some(hand) = self.hand_of(setup) else { return Ok(None) };
        match self.ruleset.score(&hand, &self.context) {
            Ok(score) => Ok(Some(score)),
            Err(
                RulesError::NotAWin
                | RulesError::WrongSize(_)
                | RulesError::TileNotPlayed { .. }
                | RulesError::TooManyReds { .. }
                | RulesError::ChowNotCallable,
            ) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Returns the total that a hand would have. A hand without a winning tile is scored with the
    /// likeliest one.
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

    /// Returns the total of a winner's hand with its winning tile; `None` if the hand does not win.
    fn points_of(&self, setup: &HandSetup) -> Option<u32> {
        checkpoint();
        let hand = self.hand_of(setup)?;
        self.ruleset.rules().points(&hand, &self.context).ok()
    }

    /// Returns whether a hand is a legal win. A hand without a winning tile is scored with the
    /// likeliest one. `None` if the hand does not win.
    pub(super) fn is_legal(&self, setup: &HandSetup) -> Option<bool> {
        let mut setup = setup.clone();
        if setup.winning.is_none() {
            let supposed = self.supposed_winning(&setup);
            winning::suppose(&mut setup, supposed);
        }
        self.score_of(&setup).ok().flatten().map(|score| score.is_legal())
    }

    /// Returns the winning tile that the score supposes if the hand has none.
    #[must_use]
    pub fn supposed_winning(&self, setup: &HandSetup) -> Option<Tile> {
        winning::likeliest(self, setup).map(|(tile, _)| tile)
    }

    /// Turns answers, each with the hand that results from it and its probability, into scored
    /// alternatives.
    fn alternatives<'a>(
        &self,
        answers: impl IntoIterator<Item = (&'a str, &'a HandSetup, f32)>,
    ) -> Vec<Alternative> {
        answers
            .into_iter()
            .map(|(answer, setup, p)| Alternative::new(answer, p, self.total(setup)).making(setup))
            .collect()
    }

    /// Returns the doubt about too few or too many tiles for the number of melds, or about sets
    /// with which the hand would be one of another game.
    fn count_doubt(&self, decision: &Decision, best: &Candidate) -> Option<Doubt> {
        let TileCount { tiles, fourths } = TileCount::new(best);
        let whole = self.whole(self.size());
        let beside = decision.larger.len();
        let is_large = self.size() != LARGE && [LARGE.waiting(), LARGE.tiles()].contains(&tiles);
        let seen = tiles + fourths;
        let needed = whole + fourths;
        if tiles == whole && beside == 0 {
            // A win tells that four alike are no kong; nothing else does.
            let four = four_alike(best).filter(|_| !self.won)?;
            let short_by_kong = Question::TileCount { seen, needed: needed + 1 };
            return Some(doubt_count(four.to_vec(), short_by_kong));
        }
        let question = if tiles == whole || is_large {
            Question::LargeHand { seen: seen + beside, needed }
        } else {
            Question::TileCount { seen, needed }
        };
        let of_hand = best.faces.iter().map(|&(i, _)| i);
        let of_both = of_hand.chain(decision.larger.iter().copied());
        Some(doubt_count(of_both.collect(), question))
    }

    /// Returns the number of tiles of a whole hand of a size, a kong counted as three. A player who
    /// has not won holds one tile less, as after a discard.
    fn whole(&self, size: HandSize) -> usize {
        if self.won { size.tiles() } else { size.waiting() }
    }

    /// Returns the doubts about tiles that could show another face, judged by all hands that were
    /// weighed, and by its own picture alone for a winning tile that lies alone.
    fn face_doubts(&self, tiles: &[SeenTile], decision: &Decision) -> Vec<Doubt> {
        let Some(best) = &decision.best else { return Vec::new() };
        let read = best.faces.iter().filter(|(_, face)| *face != Face::Back);
        read.filter_map(|&(i, face)| {
            let doubt = self.face_doubt(tiles, decision, i, face);
            doubt.or_else(|| lone::doubt(self, tiles, decision, i, face))
        })
        .collect()
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
            alternatives.push(other_candidate(&tiles[i], face));
        }
        let affects_score = differ(&alternatives);
        // A flower's name is asked about early, but only if the score depends on it.
        if is_sure && !affects_score {
            return None;
        }
        let question = if corrected {
            Question::LooksLike { seen: tiles[i].faces.best(), face }
        } else {
            Question::Face { face }
        };
        let tiles = vec![i];
        let kind = DoubtKind::Tile;
        Some(Doubt { kind, tiles, question, alternatives, field: None, affects_score })
    }

    /// Returns the names of a tile as answers: the face that was read and the other faces that are
    /// probable enough. `known` is the probability of all names together.
    fn name_answers(&self, names: &[FaceName], face: Face, known: f32) -> Vec<Alternative> {
        let min_p = self.params.doubts.offered * known;
        let offered = names.iter().filter(|name| name.face == face || name.p >= min_p);
        offered
            .map(|name| {
                let total = self.total(name.setup);
                Alternative::new(name.face.to_string(), name.p / known, total).making(name.setup)
            })
            .collect()
    }

    /// Creates the doubt about a hand whose tiles are all present and clear, but which does not
    /// win.
    fn not_a_win(&self, best: &Candidate) -> Doubt {
        let complete = self.is_complete(&best.setup);
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
}

/// Returns the fields that a photo does not show and that were not given, in the order in which
/// they change a score.
fn unseen_fields(context: &ContextSetup, ruleset: &Profile) -> Vec<ContextField> {
    let may_be_riichi = context.riichi != Some(RiichiCall::No);
    let absent = ContextField::UNSEEN.into_iter().filter(|field| match field {
        ContextField::Riichi => context.riichi.is_none(),
        ContextField::Ippatsu => context.ippatsu.is_none() && may_be_riichi,
        ContextField::DoraIndicators => context.dora_indicators.is_none(),
        ContextField::Norths => context.norths.is_none(),
        ContextField::Declared => context.declared.is_none(),
        ContextField::Dealer => context.dealer.is_none(),
        ContextField::DealerStreak => context.dealer_streak.is_none(),
        _ => false,
    });
    absent.filter(|&field| ruleset.rules().asks(field)).collect()
}

/// Returns whether the winner may have set a north aside: the hand leaves one, and the first turn
/// was over.
fn leaves_norths(hand: &HandSetup, context: &Context) -> bool {
    let in_melds = hand.melds.iter().flat_map(|meld| meld.tiles().collect::<Vec<_>>());
    let tiles = hand.concealed.iter().copied().chain(hand.winning).chain(in_melds);
    let held = tiles.filter(|&tile| tile == Wind::North.tile()).count();
    let blessings = [Declaration::Heaven, Declaration::Earth];
    held < 4 && !blessings.iter().any(|&one| context.declared.contains(one))
}

/// Returns another name that the picture suggests for a tile, if the limits of a hand leave no
/// other one.
fn other_candidate(tile: &SeenTile, face: Face) -> Alternative {
    let others = tile.faces.candidates(0.0).into_iter();
    let seen = others.map(|(other, _)| other).find(|other| *other != Some(face));
    Alternative::new(name(seen.flatten()), 0.0, None)
}

/// Face of a tile in some of the weighed hands.
struct FaceName<'a> {
    face: Face,
    /// Probability of these hands together.
    p: f32,
    /// Most probable one of these hands.
    setup: &'a HandSetup,
}

/// Returns the faces that the weighed hands give to a tile, the most probable first.
fn names(decision: &Decision, i: usize) -> Vec<FaceName<'_>> {
    let mut names: Vec<FaceName> = Vec::new();
    for candidate in decision.best.iter().chain(&decision.rivals) {
        let Some(&(_, face)) = candidate.faces.iter().find(|(tile, _)| *tile == i) else {
            continue;
        };
        match names.iter_mut().find(|name| name.face == face) {
            Some(name) => name.p += candidate.p,
            None => names.push(FaceName { face, p: candidate.p, setup: &candidate.setup }),
        }
    }
    names.sort_by(|a, b| b.p.total_cmp(&a.p));
    names
}

/// Returns whether the hand is certain enough to refuse a win context that contradicts it: its
/// winning tile was seen, and no doubt affects the score.
fn is_sure(best: &Candidate, doubts: &[Doubt], params: &DoubtParams) -> bool {
    let settled = doubts.iter().all(|doubt| !doubt.affects_score);
    best.setup.winning.is_some() && best.p >= params.sure && settled
}

/// Number of tiles that were seen of a hand.
struct TileCount {
    /// Number with a kong counted as three.
    tiles: usize,
    /// Number of kongs, each of which has a fourth tile.
    fourths: usize,
}

impl TileCount {
    fn new(best: &Candidate) -> TileCount {
        let hidden_kongs = count_hidden_kongs(best);
        let melds = best.plan.melds.len() - best.broken.len() + hidden_kongs;
        let in_melds: usize = best.setup.melds.iter().map(|meld| meld.tiles().count()).sum();
        let loose = best.setup.concealed.len() + usize::from(best.setup.winning.is_some());
        let fourths = (in_melds + 4 * hidden_kongs).saturating_sub(3 * melds);
        TileCount { tiles: loose + 3 * melds, fourths }
    }
}

/// Size of the hands of games with more tiles than most.
const LARGE: HandSize = HandSize::MAX;

/// Returns four alike that lie side by side among the concealed tiles.
fn four_alike(best: &Candidate) -> Option<&[usize]> {
    let mut runs = best.plan.concealed.windows(4);
    runs.find(|four| {
        let first = flowers::face_of(best, four[0]);
        first.is_some() && four.iter().all(|&i| flowers::face_of(best, i) == first)
    })
}

/// Returns the doubt about the number of a hand's tiles that asks `question` about `tiles`.
fn doubt_count(tiles: Vec<usize>, question: Question) -> Doubt {
    Doubt {
        kind: DoubtKind::TileCount,
        tiles,
        question,
        alternatives: Vec::new(),
        field: None,
        affects_score: true,
    }
}

/// Returns the number of kongs that show only backs.
pub(crate) fn count_hidden_kongs(best: &Candidate) -> usize {
    best.broken.iter().filter(|&&meld| is_hidden(best, meld)).count()
}

/// Returns whether a meld of the plan shows only backs.
fn is_hidden(best: &Candidate, meld: usize) -> bool {
    let tiles = &best.plan.melds[meld].tiles;
    tiles.iter().all(|i| best.faces.iter().all(|(face, _)| face != i))
}

/// Returns whether answers lead to different totals.
pub(crate) fn differ(alternatives: &[Alternative]) -> bool {
    alternatives.windows(2).any(|pair| pair[0].total != pair[1].total)
}

/// Returns the doubt about tiles that the photo's edge cuts off. Their faces, and the tiles beyond
/// the edge, cannot be listed.
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
