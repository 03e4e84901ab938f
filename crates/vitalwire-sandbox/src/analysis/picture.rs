//! Decoding pictures, within limits that a hostile file cannot pass.

use std::io::Cursor;

use image::error::ImageError;
use image::{DynamicImage, GenericImageView, ImageDecoder, ImageReader, Limits};

use super::{jpeg, mime};

/// Most pixels. The sensors of common phones end at 50 million.
pub(crate) const MOST_PIXELS: u64 = 50_000_000;
/// Most pixels a side, so that no row costs much.
const MOST_SIDE: u32 = 30_000;
/// Most bytes of a decoded picture: 50 million pixels of four bytes.
const MOST_BYTES: u64 = 200 * 1_048_576;
/// Pixels looked at, a side.
const SAMPLES: u32 = 96;

/// Why a file is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// Some other kind of file.
    Unsupported,
    /// No kind of file that anybody knows, or broken.
    Corrupt,
    TooManyPixels,
}

/// What the stand-in for an analysis sees of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Picture {
    pub(crate) width: u32,
    pub(crate) height: u32,
    /// The mean red, green and blue of the middle third of each side.
    pub(crate) middle: [u8; 3],
    /// The largest difference between two looked-at pixels in red, green or blue.
    pub(crate) contrast: u8,
    /// The largest value in red, green or blue.
    pub(crate) brightest: u8,
}

/// Decodes a picture as a whole; of an animation, the first frame.
pub(crate) fn read(bytes: &[u8]) -> Result<Picture, Refusal> {
    let Some(format) = mime::picture(bytes) else {
        return Err(if mime::of(bytes).is_some() { Refusal::Unsupported } else { Refusal::Corrupt });
    };
    if format == image::ImageFormat::Jpeg && !jpeg::is_whole(bytes) {
        return Err(Refusal::Corrupt);
    }
    let mut limits = Limits::default();
    limits.max_image_width = Some(MOST_SIDE);
    limits.max_image_height = Some(MOST_SIDE);
    limits.max_alloc = Some(MOST_BYTES);
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    reader.limits(limits);
    let decoder = reader.into_decoder().map_err(|error| refusal(&error))?;
    let (width, height) = decoder.dimensions();
    if u64::from(width) * u64::from(height) > MOST_PIXELS || decoder.total_bytes() > MOST_BYTES {
        return Err(Refusal::TooManyPixels);
    }
    let image = DynamicImage::from_decoder(decoder).map_err(|error| refusal(&error))?;
    Ok(look(&image))
}

fn refusal(error: &ImageError) -> Refusal {
    if matches!(error, ImageError::Limits(_)) { Refusal::TooManyPixels } else { Refusal::Corrupt }
}

fn look(image: &DynamicImage) -> Picture {
    let (width, height) = image.dimensions();
    let (mut sum, mut count) = ([0_u64; 3], 0_u64);
    let (mut least, mut most) = ([u8::MAX; 3], [0_u8; 3]);
    for row in 0..SAMPLES {
        for column in 0..SAMPLES {
            let [red, green, blue, _] = image.get_pixel(place(column, width), place(row, height)).0;
            let middle = SAMPLES / 3..SAMPLES * 2 / 3;
            let central = middle.contains(&row) && middle.contains(&column);
            count += u64::from(central);
            for (channel, value) in [red, green, blue].into_iter().enumerate() {
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

/// The pixel of a side that a sample looks at: the middle of its share.
fn place(sample: u32, side: u32) -> u32 {
    let at = (2 * u64::from(sample) + 1) * u64::from(side) / (2 * u64::from(SAMPLES));
    u32::try_from(at).unwrap_or(0).min(side.saturating_sub(1))
}

#[cfg(test)]
mod tests {
    use image::{ImageFormat, Rgb, RgbImage};

    use super::*;

    fn file(image: &RgbImage, format: ImageFormat) -> Vec<u8> {
        let mut bytes = Cursor::new(Vec::new());
        image.write_to(&mut bytes, format).unwrap();
        bytes.into_inner()
    }

    /// Green around, red in the middle third.
    fn target() -> RgbImage {
        RgbImage::from_fn(90, 60, |x, y| if (30..60).contains(&x) && (20..40).contains(&y) { Rgb([200, 10, 20]) } else { Rgb([0, 90, 0]) })
    }

    #[test]
    fn the_middle_of_a_picture_is_what_counts() {
        for format in [ImageFormat::Png, ImageFormat::WebP] {
            let picture = read(&file(&target(), format)).unwrap();
            assert_eq!(picture, Picture { width: 90, height: 60, middle: [200, 10, 20], contrast: 200, brightest: 200 });
        }
        let picture = read(&file(&target(), ImageFormat::Jpeg)).unwrap();
        let near = |value: u8, wanted: u8| value.abs_diff(wanted) < 12;
        assert!(near(picture.middle[0], 200) && near(picture.middle[1], 10) && near(picture.middle[2], 20), "{picture:?}");
    }

    #[test]
    fn a_broken_off_file_is_corrupt_in_every_format() {
        for format in [ImageFormat::Png, ImageFormat::WebP, ImageFormat::Jpeg] {
            let whole = file(&target(), format);
            for length in [12, whole.len() / 3, whole.len() / 2, whole.len() * 3 / 4] {
                assert_eq!(read(&whole[..length]), Err(Refusal::Corrupt), "{format:?} {length} of {}", whole.len());
            }
            // Behind the end may stand what will.
            assert!(read(&[&whole[..], b"more"].concat()).is_ok(), "{format:?}");
        }
        let mut changed = file(&target(), ImageFormat::Png);
        let middle = changed.len() / 2;
        changed[middle] ^= 0x55;
        assert_eq!(read(&changed), Err(Refusal::Corrupt), "its checksum is wrong");
    }

    #[test]
    fn other_files_are_unsupported_or_nothing() {
        assert_eq!(read(b"GIF89a\x01\0\x01\0\0\0\0"), Err(Refusal::Unsupported));
        assert_eq!(read(b"%PDF-1.7"), Err(Refusal::Unsupported));
        assert_eq!(read(b"no picture"), Err(Refusal::Corrupt));
        assert_eq!(read(&[0xff, 0xd8, 0xff, 0xe0]), Err(Refusal::Corrupt));
    }

    /// A PNG that says it has that many pixels, with nothing in it.
    fn claim(width: u32, height: u32) -> Vec<u8> {
        let mut file = file(&RgbImage::new(1, 1), ImageFormat::Png);
        file[16..20].copy_from_slice(&width.to_be_bytes());
        file[20..24].copy_from_slice(&height.to_be_bytes());
        // The checksum of the header: CRC-32 over the chunk's name and contents.
        let sum = crc(&file[12..29]).to_be_bytes();
        file[29..33].copy_from_slice(&sum);
        file
    }

    fn crc(bytes: &[u8]) -> u32 {
        let step = |crc: u32, _| if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
        !bytes.iter().fold(!0, |crc, byte| (0..8).fold(crc ^ u32::from(*byte), step))
    }

    #[test]
    fn a_bomb_is_refused_before_it_is_unpacked() {
        for (width, height) in [(30_000, 30_000), (30_001, 1), (1, 4_000_000_000), (8_000, 6_251)] {
            assert_eq!(read(&claim(width, height)), Err(Refusal::TooManyPixels), "{width} x {height}");
        }
        assert_eq!(read(&claim(8_000, 10)), Err(Refusal::Corrupt), "allowed, but empty");
    }
}
