//! A decoded picture with one byte per sample.

/// Pixels in rows from top to bottom, each from left to right.
pub(super) struct Pixels {
    pub(super) width: u32,
    pub(super) height: u32,
    /// Samples per pixel: grey (1), grey and alpha (2), RGB (3) or RGBA (4).
    pub(super) channels: usize,
    pub(super) samples: Vec<u8>,
}

impl Pixels {
    /// Returns red, green and blue of a pixel, ignoring alpha. Black outside of the picture.
    pub(super) fn at(&self, x: u32, y: u32) -> [u8; 3] {
        let start = (y as usize * self.width as usize + x as usize) * self.channels;
        match self.samples.get(start..start + self.channels) {
            Some([grey] | [grey, _]) => [*grey; 3],
            Some([red, green, blue, ..]) => [*red, *green, *blue],
            _ => [0; 3],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pixel_is_found_by_row_and_column() {
        let of = |channels: usize, samples: &[u8]| Pixels { width: 2, height: 2, channels, samples: samples.to_vec() };
        assert_eq!(of(1, &[1, 2, 3, 4]).at(1, 0), [2, 2, 2]);
        assert_eq!(of(2, &[1, 90, 2, 91, 3, 92, 4, 93]).at(0, 1), [3, 3, 3]);
        assert_eq!(of(3, &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]).at(1, 1), [10, 11, 12]);
        assert_eq!(of(4, &[1, 2, 3, 0, 4, 5, 6, 0, 7, 8, 9, 0, 10, 11, 12, 0]).at(0, 1), [7, 8, 9]);
        assert_eq!(of(3, &[1, 2, 3]).at(1, 1), [0, 0, 0]);
    }
}
