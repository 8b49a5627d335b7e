//! Letters of flowers and seasons, which the parser reads and the printer writes.

/// Bonus tiles for GB-Mahjong's letters a to h: plum, orchid, bamboo, chrysanthemum, then spring to
/// winter. Bamboo and chrysanthemum are the other way round than on numbered tiles.
pub(super) const FLOWER_LETTERS: [u8; 8] = [0, 1, 3, 2, 4, 5, 6, 7];
