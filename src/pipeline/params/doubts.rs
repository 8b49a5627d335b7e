//! What becomes a doubt.
//!
//! Input: none. Output: [`DoubtParams`]. Invariant: all but the counts are probabilities.

use serde::{Deserialize, Serialize};

/// What becomes a doubt.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DoubtParams {
    /// Below this probability of its score a reading has to be reviewed, whatever the single
    /// doubts: many small doubts that are not asked about can add up to a large one. As far as the
    /// probabilities are calibrated, readings just above it are wrong three times in ten, and those
    /// far above it seldom. Chosen, not measured: higher, and people would look at photos that are
    /// nearly all right.
    pub sure: f32,
    /// A face is in doubt when the hands that give the tile another face are at least this probable
    /// together. Chosen, not measured: asked below it, a person would say "yes, it is" more than
    /// nine times in ten, and soon without looking. What many smaller doubts add up to is for
    /// [`DoubtParams::sure`].
    pub doubtful_face: f32,
    /// The same of a flower or season: the art of sets that were not trained on is named wrongly at
    /// 0.96 too.
    pub doubtful_flower: f32,
    /// Hands less probable than this are not scored to find out whether they score the same: a
    /// hundred of them would not make a hand sure.
    pub least_rival: f32,
    /// Answers less probable than this are not offered: the classifier spreads what it does not
    /// know over 42 faces, so that this is less than a guess (0.024) and a list of all would hide
    /// the two or three faces that the tile may really have.
    pub offered: f32,
    /// A tile with less than this share inside the photo may be misread: the print of a face keeps
    /// off its rim, so that the first tenth that is cut off takes none of it, but more may take
    /// what tells a 9 from an 8. A quad that is only a pixel or two off at the photo's edge stays
    /// above. Chosen, not measured.
    pub cut: f32,
    /// How probable it is that the layout is right about a flower that it doubts. Chosen, not
    /// measured: in the 123 held-out photos of hands there are only two such flowers, both of them
    /// right.
    pub flower_right: f32,
    /// How probable it is that an unseen flower lies in a gap between two. Chosen, not measured.
    pub unseen_flower: f32,
    /// Tiles beside the hand that are offered; where more would complete the hand, a person sees
    /// sooner which is missing than by answering.
    pub most_offered: usize,
    /// How probable it is that the nearest tile that completes a hand is its own. Chosen, not
    /// measured: a winner laid far off and a discard that happens to fit are about as common.
    pub offered_own: f32,
    /// Tiles that are asked about where one exchange would make the hand win; with more, the
    /// question whether the photo shows a winning hand at all is the better one.
    pub most_repairs: usize,
    /// The least probability of an exchanged face: the classifier has been wrong already. Not
    /// tuned.
    pub least_repair: f32,
    /// A rival with the same faces is worth a question when it is at least this probable against
    /// the best reading. Not tuned.
    pub rival: f32,
    /// How probable it is that a tile which lies across its row was claimed though the layout read
    /// its set as concealed. Of 264 photos and scenes nine are read so; the only hand among them
    /// that was not asked about anyway was wrong.
    pub claimed_across: f32,
    /// How probable it is that a kong whose tiles all lie face up, none of them across, was
    /// claimed, where the layout weighs nothing against it. Chosen, not measured.
    pub open_kong_claimed: f32,
    /// Repairs of a hand that does not win that are listed: more than a person looks through. Not
    /// tuned.
    pub max_repairs: usize,
    /// How probable it is, against a tile that is named wrongly with certainty, that a tile which
    /// was not seen is missing, that one which was seen is not the hand's, and that a tile beside
    /// the hand is its own. Chosen, not measured: where the number of tiles is wrong nothing else
    /// is listed.
    pub repair_unseen: f32,
    /// See [`DoubtParams::repair_unseen`].
    pub repair_left_out: f32,
    /// See [`DoubtParams::repair_unseen`].
    pub repair_beside: f32,
    /// How probable it is that a tile beside a pung of its kind does not make it a kong. Chosen,
    /// not measured.
    pub not_a_kong: f32,
    /// How probable it is that the winning tile is the turned one of a set that was laid open with
    /// it, of all sets together, where nothing else marks the winning tile. Chosen, not measured:
    /// no photo that we have shows it.
    pub won_in_set: f32,
}

impl DoubtParams {
    /// The values in use.
    pub const DEFAULT: DoubtParams = DoubtParams {
        sure: 0.7,
        doubtful_face: 0.1,
        doubtful_flower: 0.02,
        least_rival: 1e-3,
        offered: 0.02,
        cut: 0.9,
        flower_right: 0.75,
        unseen_flower: 0.5,
        most_offered: 3,
        offered_own: 0.5,
        most_repairs: 3,
        least_repair: 1e-4,
        rival: 0.05,
        claimed_across: 0.5,
        open_kong_claimed: 0.5,
        max_repairs: 6,
        repair_unseen: 1e-3,
        repair_left_out: 0.1,
        repair_beside: 0.3,
        not_a_kong: 0.7,
        won_in_set: 0.05,
    };
}
