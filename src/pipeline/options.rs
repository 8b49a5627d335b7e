//! The options of a reading beside the win context.
//!
//! Input: the rule set, and where several hands are in view a point in one of them. Invariant: a
//! point is in pixels of the upright photo as it was sent, as all outlines of a reading are, and
//! lies in it.

use std::sync::Arc;

use super::geometry::Point;
use crate::explain::{Lang, Message, said};
use crate::rules::Profile;

/// The options of a reading. A rule set alone becomes one with `into()`.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadOptions {
    /// The rule set that says how tiles are laid, which hands win and what they score.
    pub ruleset: Arc<Profile>,
    /// A point in the hand that is meant, in pixels of the upright photo; `None` for the likeliest
    /// hand in view.
    pub focus: Option<Point>,
}

impl From<Arc<Profile>> for ReadOptions {
    fn from(ruleset: Arc<Profile>) -> ReadOptions {
        ReadOptions { ruleset, focus: None }
    }
}

impl From<&Arc<Profile>> for ReadOptions {
    fn from(ruleset: &Arc<Profile>) -> ReadOptions {
        ReadOptions::from(Arc::clone(ruleset))
    }
}

/// The focus is not in the photo. The sender can fix it.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[error(
    "{},{} lies outside the photo, which is {} pixels wide and {} high",
    focus.x, focus.y, size.0, size.1
)]
pub struct FocusOutsidePhoto {
    /// The point.
    pub focus: Point,
    /// Width and height of the upright photo.
    pub size: (u32, u32),
}

impl Message for FocusOutsidePhoto {
    fn said(&self, lang: Lang) -> String {
        let FocusOutsidePhoto { focus: Point { x, y }, size: (width, height) } = self;
        said!(
            self,
            lang,
            "{x},{y} liegt außerhalb des Fotos, das {width} Pixel breit und {height} hoch ist",
            "{x},{y} ligger uden for billedet, som er {width} pixel bredt og {height} højt",
            "{x},{y} ligger utanför bilden, som är {width} bildpunkter bred och {height} hög",
            "{x},{y} 在照片之外；照片宽 {width} 像素，高 {height} 像素",
        )
    }
}

impl ReadOptions {
    /// Checks that the point lies in a photo of this size.
    pub(super) fn check(&self, size: (u32, u32)) -> Result<(), FocusOutsidePhoto> {
        let (width, height) = (size.0 as f32, size.1 as f32);
        let is_inside = |at: Point| (0.0..=width).contains(&at.x) && (0.0..=height).contains(&at.y);
        match self.focus.filter(|&focus| !is_inside(focus)) {
            Some(focus) => Err(FocusOutsidePhoto { focus, size }),
            None => Ok(()),
        }
    }
}
