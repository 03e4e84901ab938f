//! JPEG decoding.

use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

use super::pixels::Pixels;
use super::{PictureError, check_size};

pub(super) fn decode(bytes: &[u8]) -> Result<Pixels, PictureError> {
    // Limits are checked here, because the decoder reports its own as a corrupt file.
    let options = DecoderOptions::default().set_strict_mode(false).set_max_width(usize::MAX).set_max_height(usize::MAX);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(bytes), options);
    decoder.decode_headers().map_err(|_| PictureError::Corrupt)?;
    let (Some((width, height)), Some(stored)) = (decoder.dimensions(), decoder.input_colorspace()) else {
        return Err(PictureError::Corrupt);
    };
    let side = |side: usize| u32::try_from(side).unwrap_or(u32::MAX);
    let (width, height) = (side(width), side(height));
    check_size(width, height)?;
    // Grey stays grey; other colour spaces are converted to RGB.
    let shown = if stored == ColorSpace::Luma { ColorSpace::Luma } else { ColorSpace::RGB };
    decoder.set_options(options.jpeg_set_out_colorspace(shown));
    let mut samples = vec![0; decoder.output_buffer_size().ok_or(PictureError::TooManyPixels)?];
    decoder.decode_into(&mut samples).map_err(|_| PictureError::Corrupt)?;
    Ok(Pixels { width, height, channels: shown.num_components(), samples })
}
