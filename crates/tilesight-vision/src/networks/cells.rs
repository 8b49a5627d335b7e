//! Pictures in the detector's input format: cells of four by four pixels.
//!
//! The detector's first layer reads eight by eight pixels in steps of four. With the sixteen pixels
//! of a cell next to each other it reads whole lines of memory instead of gathering three bytes at
//! a time, which takes a third of the layer's time. Input: an RGB picture. Output: its bytes, cell
//! by cell. Invariant: sides are multiples of 32, because the network halves them five times;
//! padding at the right and at the bottom is grey.

use image::RgbImage;

/// Number of bytes of a pixel.
const CHANNELS: usize = 3;

/// Step of the picture's sides: the network halves its input five times.
const SIDE_STEP: usize = 32;

/// Grey level of the padding beyond the picture, as in the network's training.
const GREY: u8 = 114;

/// Pictures of one size, in cells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cells {
    /// Number of pictures.
    pub count: usize,
    /// Number of rows of cells.
    pub rows: usize,
    /// Number of cells in a row.
    pub columns: usize,
    /// Pixels of each cell, row by row, with red, green and blue in each; cells row by row, picture
    /// by picture.
    pub data: Vec<u8>,
}

impl Cells {
    /// Number of pixels along the side of a cell.
    pub const SIDE: usize = 4;

    /// Number of bytes of a cell.
    pub const BYTES: usize = Cells::SIDE * Cells::SIDE * CHANNELS;

    /// Creates a grey picture of at least `width` by `height` pixels.
    #[must_use]
    pub fn grey(width: usize, height: usize) -> Cells {
        let rows = height.next_multiple_of(SIDE_STEP) / Cells::SIDE;
        let columns = width.next_multiple_of(SIDE_STEP) / Cells::SIDE;
        Cells { count: 1, rows, columns, data: vec![GREY; rows * columns * Cells::BYTES] }
    }

    /// Converts a picture, padded with grey at its right and bottom.
    #[must_use]
    pub fn from_image(image: &RgbImage) -> Cells {
        let width = image.width() as usize;
        let mut cells = Cells::grey(width, image.height() as usize);
        if width == 0 {
            return cells;
        }
        let cell_line = Cells::SIDE * CHANNELS;
        for (y, line) in image.as_raw().chunks_exact(CHANNELS * width).enumerate() {
            let row = y / Cells::SIDE * cells.columns * Cells::BYTES;
            let within = y % Cells::SIDE * cell_line;
            let row = &mut cells.data[row..];
            for (cell, pixels) in row.chunks_exact_mut(Cells::BYTES).zip(line.chunks(cell_line)) {
                cell[within..][..pixels.len()].copy_from_slice(pixels);
            }
        }
        cells
    }

    /// Returns width and height of a picture in pixels.
    #[must_use]
    pub fn size(&self) -> (usize, usize) {
        (self.columns * Cells::SIDE, self.rows * Cells::SIDE)
    }

    /// Returns the colour of a pixel of the picture `n`.
    ///
    /// # Panics
    /// If the pixel lies outside the picture.
    #[must_use]
    pub fn pixel(&self, n: usize, x: usize, y: usize) -> [u8; CHANNELS] {
        let cell = (n * self.rows + y / Cells::SIDE) * self.columns + x / Cells::SIDE;
        let within = y % Cells::SIDE * Cells::SIDE + x % Cells::SIDE;
        let at = cell * Cells::BYTES + within * CHANNELS;
        [self.data[at], self.data[at + 1], self.data[at + 2]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::Rgb;

    #[test]
    fn every_pixel_is_where_it_was_and_grey_is_around() {
        let picture = RgbImage::from_fn(45, 38, |x, y| Rgb([x as u8, y as u8, (x * y) as u8]));
        let cells = Cells::from_image(&picture);
        assert_eq!((cells.size(), cells.rows, cells.columns), ((64, 64), 16, 16));
        for (x, y) in (0..64).flat_map(|y| (0..64).map(move |x| (x, y))) {
            let inside = x < picture.width() && y < picture.height();
            let expected = if inside { picture.get_pixel(x, y).0 } else { [GREY; 3] };
            assert_eq!(cells.pixel(0, x as usize, y as usize), expected, "({x}, {y})");
        }
    }

    #[test]
    fn the_sixteen_pixels_of_a_cell_lie_together() {
        let picture = RgbImage::from_fn(64, 32, |x, y| Rgb([x as u8, y as u8, 0]));
        let cells = Cells::from_image(&picture);
        let second: Vec<u8> = cells.data[Cells::BYTES..2 * Cells::BYTES].to_vec();
        let expected = (0..4).flat_map(|y| (4..8).flat_map(move |x| [x, y, 0]));
        assert_eq!(second, expected.collect::<Vec<u8>>());
    }
}
