//! Pictures for uploads, made here: a plate on a table, in the formats of the service and in others.

use std::io::Cursor;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use image::{ImageFormat, Rgb, RgbImage};

/// A square table with a plate of that colour in its middle half.
pub(crate) fn plate(side: u32, colour: [u8; 3]) -> RgbImage {
    let middle = side / 4..side * 3 / 4;
    RgbImage::from_fn(side, side, |x, y| if middle.contains(&x) && middle.contains(&y) { Rgb(colour) } else { Rgb([30, 30, 30]) })
}

pub(crate) fn file(image: &RgbImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    image.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

/// A JPEG of something green, in base64, with those bytes behind its end.
pub(crate) fn jpeg(rest: &[u8]) -> String {
    STANDARD.encode([&file(&plate(64, [95, 140, 60]), ImageFormat::Jpeg), rest].concat())
}
