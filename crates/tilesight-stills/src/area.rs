//! A rectangular part of a photo.

/// A part of a photo, in whole pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Area {
    /// The first column.
    pub left: u32,
    /// The first row.
    pub top: u32,
    /// Behind the last column.
    pub right: u32,
    /// Behind the last row.
    pub bottom: u32,
}
