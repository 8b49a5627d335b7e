//! The letters of flowers and seasons, which the parser reads and the printer writes.

/// The flowers that GB-Mahjong's letters a to h stand for: plum, orchid, bamboo, chrysanthemum,
/// then spring to winter. Its third and fourth are the other way round than on numbered tiles.
pub(super) const FLOWER_LETTERS: [u8; 8] = [0, 1, 3, 2, 4, 5, 6, 7];
