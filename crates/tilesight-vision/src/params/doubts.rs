//! Parameters for doubts.
//!
//! Invariant: all but the counts are probabilities.

use serde::{Deserialize, Serialize};

/// Parameters for doubts.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DoubtParams {
    /// Minimum probability of the score. A reading below it must be reviewed, whatever the single
    /// doubts: many small doubts that are not asked about can add up to a large one. As far as the
    /// probabilities are calibrated, readings just above the limit are wrong three times in ten,
    /// and those far above it seldom. Chosen, not measured: with a higher limit, people would
    /// review photos that are nearly all read correctly.
    pub sure: f32,
    /// A face is in doubt if the hands that give the tile another face together are at least this
    /// probable. Chosen, not measured: below it, a person would answer "yes, it is" more than nine
    /// times in ten, and soon without looking. [`DoubtParams::sure`] covers the sum of many smaller
    /// doubts.
    pub doubtful_face: f32,
    /// Limit like [`DoubtParams::doubtful_face`] for flowers and seasons: in tile sets that the
    /// classifier was not trained on, their art is also misnamed with a probability of 0.96.
    pub doubtful_flower: f32,
    /// Minimum probability of a hand that is scored to find out whether it scores the same: a
    /// hundred less probable hands would not make a hand sure.
    pub min_rival: f32,
    /// Minimum probability of an answer that is offered. The classifier spreads its uncertainty
    /// over 42 faces. The limit is less than a guess (0.024), and a list of all faces would hide
    /// the two or three that the tile may really have.
    pub offered: f32,
    /// A tile with less than this share inside the photo may be misread. The print of a face keeps
    /// off its rim, so cutting off the first tenth removes no print, but cutting off more may
    /// remove the difference between a 9 and an 8. A quad that is only a pixel or two off at the
    /// photo's edge stays above the limit. Chosen, not measured.
    pub cut: f32,
    /// Probability that the layout is right about a flower that it doubts. Chosen, not measured:
    /// the 123 held-out photos of hands contain only two such flowers, and the layout is right
    /// about both.
    pub flower_right: f32,
    /// Probability of what nothing speaks for or against: that an unseen flower lies in a gap
    /// between two; that the nearest tile that completes a hand belongs to it, since a winning tile
    /// laid far off and a discard that happens to fit are about equally common; that a kong whose
    /// tiles all lie face up, none of them across, was claimed. Chosen, not measured.
    pub undecided: f32,
    /// Maximum number of tiles to ask about. If more beside the hand would complete it, a person
    /// finds the missing tile sooner by looking than by answering; if more could be exchanged to
    /// make it win, it is better to ask whether the photo shows a winning hand at all.
    pub max_tiles: usize,
    /// Minimum probability, relative to the best reading, of a rival with the same faces that is
    /// worth a question. Not tuned.
    pub rival: f32,
    /// Maximum number of listed repairs of a hand that does not win: more than a person looks
    /// through. Not tuned.
    pub max_repairs: usize,
    /// Probability that an unseen tile is missing, relative to that of a tile that is certainly
    /// misnamed. `repair_left_out` is the same for a seen tile that does not belong to the hand,
    /// and `repair_beside` for a tile beside the hand that belongs to it. Chosen, not measured: if
    /// the number of tiles is wrong, no other repairs are listed.
    pub repair_unseen: f32,
    /// Probability that a seen tile does not belong to the hand; see
    /// [`DoubtParams::repair_unseen`].
    pub repair_left_out: f32,
    /// Probability that a tile beside the hand belongs to it; see [`DoubtParams::repair_unseen`].
    pub repair_beside: f32,
    /// Probability that a tile beside a pung of its kind does not make it a kong. Chosen, not
    /// measured.
    pub not_a_kong: f32,
    /// Probability that the winning tile is the turned one of a set that was laid open with it, of
    /// all sets together, if nothing else marks the winning tile. Chosen, not measured: none of our
    /// photos shows this.
    pub won_in_set: f32,
}

impl DoubtParams {
    /// The values in use.
    pub const DEFAULT: DoubtParams = DoubtParams {
        sure: 0.7,
        doubtful_face: 0.1,
        doubtful_flower: 0.02,
        min_rival: 1e-3,
        offered: 0.02,
        cut: 0.9,
        flower_right: 0.75,
        undecided: 0.5,
        max_tiles: 3,
        rival: 0.05,
        max_repairs: 6,
        repair_unseen: 1e-3,
        repair_left_out: 0.1,
        repair_beside: 0.3,
        not_a_kong: 0.7,
        won_in_set: 0.05,
    };
}
