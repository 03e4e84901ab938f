//! PNG decoding.

use std::io::Cursor;

use png::{Decoder, DecodingError, Limits, Transformations};

use super::pixels::Pixels;
use super::{PictureError, check_size};

/// Maximum bytes that the decoder allocates besides the pixels, for texts and colour profiles.
const MAX_BYTES: usize = 200 * 1_048_576;

pub(super) fn decode(bytes: &[u8]) -> Result<Pixels, PictureError> {
    let mut decoder = Decoder::new_with_limits(Cursor::new(bytes), Limits { bytes: MAX_BYTES });
    let (width, height) = decoder.read_header_info().map_err(convert_error)?.size();
    check_size(width, height)?;
    // Converts palettes to colours and all samples to bytes.
    decoder.set_transformations(Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().map_err(convert_error)?;
    let (colour, _) = reader.output_color_type();
    let mut samples = vec![0; reader.output_buffer_size().ok_or(PictureError::TooManyPixels)?];
    reader.next_frame(&mut samples).map_err(convert_error)?;
    Ok(Pixels { width, height, channels: colour.samples(), samples })
}

fn convert_error(error: DecodingError) -> PictureError {
    if matches!(error, DecodingError::LimitsExceeded) { PictureError::TooManyPixels } else { PictureError::Corrupt }
}
