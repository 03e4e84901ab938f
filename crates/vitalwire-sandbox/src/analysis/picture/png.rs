//! PNG decoding.

use std::io::Cursor;

use png::{Decoder, DecodingError, Limits, Transformations};

use super::pixels::Pixels;
use super::{Refusal, allow};

/// Maximum bytes that the decoder allocates besides the pixels, for texts and colour profiles.
const MAX_BYTES: usize = 200 * 1_048_576;

pub(super) fn decode(bytes: &[u8]) -> Result<Pixels, Refusal> {
    let mut decoder = Decoder::new_with_limits(Cursor::new(bytes), Limits { bytes: MAX_BYTES });
    let (width, height) = decoder.read_header_info().map_err(refusal)?.size();
    allow(width, height)?;
    // Converts palettes to colours and all samples to bytes.
    decoder.set_transformations(Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().map_err(refusal)?;
    let (colour, _) = reader.output_color_type();
    let mut samples = vec![0; reader.output_buffer_size().ok_or(Refusal::TooManyPixels)?];
    reader.next_frame(&mut samples).map_err(refusal)?;
    Ok(Pixels { width, height, channels: colour.samples(), samples })
}

fn refusal(error: DecodingError) -> Refusal {
    if matches!(error, DecodingError::LimitsExceeded) { Refusal::TooManyPixels } else { Refusal::Corrupt }
}
