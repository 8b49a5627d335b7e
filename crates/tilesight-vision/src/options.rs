//! The options of a reading, apart from the win context.
//!
//! Input: the rule set and, if more than the hand is in view, a point in the hand or the region
//! that contains it. Invariant: points are in pixels of the upright photo as it was sent, like all
//! outlines of a reading, and lie inside the photo.

use std::sync::Arc;

use tilesight_core::contract::{FocusDto, RegionDto, SetChoice};
use tilesight_core::explain::{Lang, Message, display_english};
use tilesight_core::rules::Profile;

use crate::geometry::Point;
use crate::geometry::polygon::Polygon;
use crate::texts;

/// Options of a reading. A rule set alone becomes one with `into()`.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadOptions {
    /// Rule set that says how tiles are laid, which hands win and how they score.
    pub ruleset: Arc<Profile>,
    /// Point in the hand to read, in pixels of the upright photo; `None` for the likeliest hand in
    /// view.
    pub focus: Option<Point>,
    /// Region that contains the hand, in the same pixels: tiles whose centres lie outside are not
    /// part of it. `None` for the whole photo.
    pub region: Option<Polygon>,
    /// Own set that the tiles are named with, of those on the reader's shelf; `None` for the
    /// networks alone.
    pub set: Option<SetChoice>,
}

impl From<Arc<Profile>> for ReadOptions {
    fn from(ruleset: Arc<Profile>) -> ReadOptions {
        ReadOptions { ruleset, focus: None, region: None, set: None }
    }
}

impl From<&Arc<Profile>> for ReadOptions {
    fn from(ruleset: &Arc<Profile>) -> ReadOptions {
        ReadOptions::from(Arc::clone(ruleset))
    }
}

impl From<FocusDto> for Point {
    fn from(FocusDto { x, y }: FocusDto) -> Point {
        Point::new(x as f32, y as f32)
    }
}

impl From<Point> for FocusDto {
    /// Rounds to whole pixels; a point beyond the left or upper edge moves onto it.
    fn from(point: Point) -> FocusDto {
        FocusDto { x: point.x.round() as u32, y: point.y.round() as u32 }
    }
}

impl From<&RegionDto> for Polygon {
    fn from(region: &RegionDto) -> Polygon {
        let corners = region.corners().iter();
        Polygon(corners.map(|&[x, y]| Point::new(x as f32, y as f32)).collect())
    }
}

/// A point of the options.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pointer {
    /// The focus.
    Focus,
    /// A corner of the region.
    Region,
}

impl Pointer {
    /// Returns the name of the option in a request.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Pointer::Focus => "focus",
            Pointer::Region => "region",
        }
    }
}

/// Error when the focus, or a corner of the region, is not in the photo. The sender can fix it.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub struct PointOutsidePhoto {
    /// Kind of the point.
    pub pointer: Pointer,
    /// Coordinates of the point.
    pub point: Point,
    /// Width and height of the upright photo.
    pub size: (u32, u32),
}

display_english!(PointOutsidePhoto);

impl Message for PointOutsidePhoto {
    fn text(&self, lang: Lang) -> String {
        let PointOutsidePhoto { point: Point { x, y }, size: (width, height), .. } = self;
        texts::pointer::outside_photo(lang, x, y, width, height)
    }
}

impl ReadOptions {
    /// Returns the options for a photo that is `factor` times as large.
    pub(crate) fn scaled(&self, factor: f32) -> ReadOptions {
        ReadOptions {
            focus: self.focus.map(|point| point * factor),
            region: self.region.clone().map(|region| region.map(|corner| corner * factor)),
            ..self.clone()
        }
    }

    /// Checks that the points lie in a photo of this size.
    pub fn check(&self, size: (u32, u32)) -> Result<(), PointOutsidePhoto> {
        let across = 0.0..=size.0 as f32;
        let down = 0.0..=size.1 as f32;
        let focus = self.focus.iter().map(|&point| (Pointer::Focus, point));
        let corners = self.region.iter().flat_map(|region| &region.0);
        let mut points = focus.chain(corners.map(|&point| (Pointer::Region, point)));
        match points.find(|(_, point)| !across.contains(&point.x) || !down.contains(&point.y)) {
            Some((pointer, point)) => Err(PointOutsidePhoto { pointer, point, size }),
            None => Ok(()),
        }
    }
}
