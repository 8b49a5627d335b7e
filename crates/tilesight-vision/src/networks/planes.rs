//! Numbers that the networks read and write, plane by plane.

use image::RgbImage;

/// Planes of numbers: `count` pictures of `channels` planes of `height` rows of `width`.
#[derive(Debug, Clone, PartialEq)]
pub struct Planes {
    /// Number of pictures.
    pub count: usize,
    /// Number of planes of one picture.
    pub channels: usize,
    /// Number of rows of a plane.
    pub height: usize,
    /// Number of values in a row.
    pub width: usize,
    /// All values, row by row, plane by plane, picture by picture.
    pub data: Vec<f32>,
}

/// Table of byte values as numbers from 0 to 1.
const SHARES: [f32; 256] = {
    let mut shares = [0.0; 256];
    let mut value = 0;
    while value < shares.len() {
        shares[value] = value as f32 / 255.0;
        value += 1;
    }
    shares
};

impl Planes {
    /// Creates planes filled with one number.
    #[must_use]
    pub fn filled(
        count: usize,
        channels: usize,
        height: usize,
        width: usize,
        value: f32,
    ) -> Planes {
        let data = vec![value; count * channels * height * width];
        Planes { count, channels, height, width, data }
    }

    /// Writes an image as numbers from 0 to 1 into the upper left of the picture `n`.
    pub fn put(&mut self, n: usize, image: &RgbImage) {
        let columns = image.width() as usize;
        if columns == 0 {
            return;
        }
        for (y, row) in image.as_raw().chunks_exact(3 * columns).enumerate() {
            for channel in 0..3 {
                let start = ((n * self.channels + channel) * self.height + y) * self.width;
                let line = &mut self.data[start..start + columns];
                for (number, pixel) in line.iter_mut().zip(row.chunks_exact(3)) {
                    *number = SHARES[usize::from(pixel[channel])];
                }
            }
        }
    }

    /// Returns a value of the picture `n`.
    #[must_use]
    pub fn value(&self, n: usize, channel: usize, y: usize, x: usize) -> f32 {
        self.data[((n * self.channels + channel) * self.height + y) * self.width + x]
    }

    /// Returns a mutable reference to a value of the picture `n`.
    pub fn at_mut(&mut self, n: usize, channel: usize, y: usize, x: usize) -> &mut f32 {
        &mut self.data[((n * self.channels + channel) * self.height + y) * self.width + x]
    }
}
