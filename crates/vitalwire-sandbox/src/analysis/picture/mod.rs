//! Decodes pictures within limits that protect against hostile files. Always reads PNG; JPEG and WebP need the feature `pictures`.

mod completeness;
#[cfg(test)]
mod encode;
#[cfg(feature = "pictures")]
mod jpeg;
mod pixels;
mod png;
#[cfg(feature = "pictures")]
mod webp;

use self::pixels::Pixels;
use super::mime;

/// Maximum number of pixels. Common phone sensors have at most 50 million.
pub(crate) const MAX_PIXELS: u64 = 50_000_000;
/// Maximum side in pixels, so that no row costs much.
const MAX_SIDE: u32 = 30_000;
/// Number of pixels sampled per side.
const SAMPLES: u32 = 96;

/// Reason why a file is rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PictureError {
    /// A known format that is not supported.
    Unsupported,
    /// An unknown format or a damaged file.
    Corrupt,
    TooManyPixels,
}

/// Features of a picture used by the mock analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Picture {
    pub(crate) width: u32,
    pub(crate) height: u32,
    /// Mean red, green and blue of the middle third of each side.
    pub(crate) middle: [u8; 3],
    /// Largest difference between two sampled pixels in red, green or blue.
    pub(crate) contrast: u8,
    /// Largest value in red, green or blue.
    pub(crate) brightest: u8,
}

/// Decodes a whole picture, or the first frame of an animation. Returns `None` if the decoder of its format is not built in.
pub(crate) fn read(bytes: &[u8]) -> Result<Option<Picture>, PictureError> {
    let pixels = match mime::detect(bytes).ok_or(PictureError::Corrupt)? {
        "image/png" => png::decode(bytes)?,
        "image/jpeg" if !completeness::is_complete(bytes) => return Err(PictureError::Corrupt),
        #[cfg(feature = "pictures")]
        "image/jpeg" => jpeg::decode(bytes)?,
        #[cfg(feature = "pictures")]
        "image/webp" => webp::decode(bytes)?,
        #[cfg(not(feature = "pictures"))]
        "image/jpeg" | "image/webp" => return Ok(None),
        _ => return Err(PictureError::Unsupported),
    };
    Ok(Some(summarize(&pixels)))
}

/// Rejects a size before memory is allocated for it.
fn check_size(width: u32, height: u32) -> Result<(), PictureError> {
    let few = u64::from(width) * u64::from(height) <= MAX_PIXELS;
    if few && width.max(height) <= MAX_SIDE { Ok(()) } else { Err(PictureError::TooManyPixels) }
}

fn summarize(pixels: &Pixels) -> Picture {
    let (width, height) = (pixels.width, pixels.height);
    let (mut sum, mut count) = ([0_u64; 3], 0_u64);
    let (mut least, mut most) = ([u8::MAX; 3], [0_u8; 3]);
    for row in 0..SAMPLES {
        for column in 0..SAMPLES {
            let colour = pixels.at(sample_position(column, width), sample_position(row, height));
            let middle = SAMPLES / 3..SAMPLES * 2 / 3;
            let central = middle.contains(&row) && middle.contains(&column);
            count += u64::from(central);
            for (channel, value) in colour.into_iter().enumerate() {
                least[channel] = least[channel].min(value);
                most[channel] = most[channel].max(value);
                sum[channel] += if central { u64::from(value) } else { 0 };
            }
        }
    }
    let range = |channel: usize| most[channel].saturating_sub(least[channel]);
    Picture {
        width,
        height,
        middle: sum.map(|sum| u8::try_from(sum / count.max(1)).unwrap_or(u8::MAX)),
        contrast: range(0).max(range(1)).max(range(2)),
        brightest: most[0].max(most[1]).max(most[2]),
    }
}

/// Returns the position of a sample along a side: the middle of its share.
fn sample_position(sample: u32, side: u32) -> u32 {
    let at = (2 * u64::from(sample) + 1) * u64::from(side) / (2 * u64::from(SAMPLES));
    u32::try_from(at).unwrap_or(0).min(side.saturating_sub(1))
}

#[cfg(test)]
mod tests;
