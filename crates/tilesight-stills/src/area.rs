//! A rectangular part of a photo.

/// Rectangle of a photo, in whole pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Area {
    /// First column.
    pub left: u32,
    /// First row.
    pub top: u32,
    /// Column behind the last one.
    pub right: u32,
    /// Row behind the last one.
    pub bottom: u32,
}
