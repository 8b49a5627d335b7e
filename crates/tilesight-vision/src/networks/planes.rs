//! The numbers that the networks take and give, plane by plane.

use image::RgbImage;

/// Planes of numbers: `count` pictures of `channels` planes of `height` rows of `width`.
#[derive(Debug, Clone, PartialEq)]
pub struct Planes {
    /// Pictures.
    pub count: usize,
    /// Planes of one picture.
    pub channels: usize,
    /// Rows of a plane.
    pub height: usize,
    /// Numbers of a row.
    pub width: usize,
    /// All numbers, row by row, plane by plane, picture by picture.
    pub data: Vec<f32>,
}

/// Each value of a byte as a number of 0 to 1.
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
    /// Planes filled with one number.
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

    /// Writes a picture as numbers of 0 to 1 into the upper left of the picture `n`.
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

    /// One number of the picture `n`.
    #[must_use]
    pub fn at(&self, n: usize, channel: usize, y: usize, x: usize) -> f32 {
        self.data[((n * self.channels + channel) * self.height + y) * self.width + x]
    }

    /// The same number, to be written.
    pub fn at_mut(&mut self, n: usize, channel: usize, y: usize, x: usize) -> &mut f32 {
        &mut self.data[((n * self.channels + channel) * self.height + y) * self.width + x]
    }
}
