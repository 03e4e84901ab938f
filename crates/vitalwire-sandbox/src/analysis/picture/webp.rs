//! WebP decoding.

use std::io::Cursor;

use image_webp::WebPDecoder;

use super::pixels::Pixels;
use super::{PictureError, check_size};

pub(super) fn decode(bytes: &[u8]) -> Result<Pixels, PictureError> {
    let mut decoder = WebPDecoder::new(Cursor::new(bytes)).map_err(|_| PictureError::Corrupt)?;
    let (width, height) = decoder.dimensions();
    check_size(width, height)?;
    let channels = if decoder.has_alpha() { 4 } else { 3 };
    let mut samples = vec![0; decoder.output_buffer_size().ok_or(PictureError::TooManyPixels)?];
    decoder.read_image(&mut samples).map_err(|_| PictureError::Corrupt)?;
    Ok(Pixels { width, height, channels, samples })
}
