//! Tests with valid, truncated, foreign and decompression-bomb files.

use super::encode::{self, FORMATS};
use super::*;

/// Returns a picture of 90 by 60 pixels: red in the middle third, green around it.
fn target(format: encode::Format) -> Vec<u8> {
    encode::file(format, (90, 60), |x, y| if (30..60).contains(&x) && (20..40).contains(&y) { [200, 10, 20] } else { [0, 90, 0] })
}

#[test]
fn the_middle_third_is_averaged() {
    for format in FORMATS {
        let picture = read(&target(format)).unwrap();
        if !cfg!(feature = "pictures") && !matches!(format, encode::Format::Png) {
            assert_eq!(picture, None, "its decoder is not built in");
            continue;
        }
        let picture = picture.unwrap();
        let expected = Picture { width: 90, height: 60, middle: [200, 10, 20], contrast: 200, brightest: 200 };
        if !matches!(format, encode::Format::Jpeg) {
            assert_eq!(picture, expected, "{format:?}");
        }
        // JPEG is lossy.
        let near = |(value, expected): (u8, u8)| value.abs_diff(expected) < 12;
        assert!(picture.middle.into_iter().zip(expected.middle).all(near), "{format:?} {picture:?}");
        assert_eq!((picture.width, picture.height), (90, 60));
    }
}

#[test]
fn a_truncated_file_is_corrupt() {
    for format in FORMATS {
        let whole = target(format);
        // Without its decoder, only the first bytes of a WebP file are checked.
        let blind = !cfg!(feature = "pictures") && matches!(format, encode::Format::WebP);
        for length in [12, whole.len() / 3, whole.len() / 2, whole.len() * 3 / 4].into_iter().filter(|_| !blind) {
            assert_eq!(read(&whole[..length]), Err(PictureError::Corrupt), "{format:?} {length} of {}", whole.len());
        }
        // Data after the end is ignored.
        assert!(read(&[&whole[..], b"more"].concat()).is_ok(), "{format:?}");
    }
    let mut changed = target(encode::Format::Png);
    let middle = changed.len() / 2;
    changed[middle] ^= 0x55;
    assert_eq!(read(&changed), Err(PictureError::Corrupt), "its checksum is wrong");
}

#[test]
fn other_files_are_unsupported_or_corrupt() {
    assert_eq!(read(b"GIF89a\x01\0\x01\0\0\0\0"), Err(PictureError::Unsupported));
    assert_eq!(read(b"%PDF-1.7"), Err(PictureError::Unsupported));
    assert_eq!(read(b"no picture"), Err(PictureError::Corrupt));
    assert_eq!(read(&[0xff, 0xd8, 0xff, 0xe0]), Err(PictureError::Corrupt));
}

/// Returns a PNG with these samples in row order.
fn png_of(size: (u32, u32), colour: ::png::ColorType, depth: ::png::BitDepth, palette: &[u8], samples: &[u8]) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = ::png::Encoder::new(&mut file, size.0, size.1);
    encoder.set_color(colour);
    encoder.set_depth(depth);
    if !palette.is_empty() {
        encoder.set_palette(palette.to_vec());
    }
    encoder.write_header().unwrap().write_image_data(samples).unwrap();
    file
}

#[test]
fn every_png_colour_type_is_decoded_to_bytes() {
    use ::png::BitDepth::{Eight, One, Sixteen};
    use ::png::ColorType::{Grayscale, GrayscaleAlpha, Indexed, Rgba};
    for (colour, depth, palette, samples, seen) in [
        // One column of two rows.
        (Grayscale, One, &[][..], &[0b1000_0000, 0][..], [[255; 3], [0; 3]]),
        (Grayscale, Sixteen, &[], &[0x80, 0x00, 0x12, 0xff], [[0x80; 3], [0x12; 3]]),
        (GrayscaleAlpha, Eight, &[], &[7, 0, 9, 255], [[7; 3], [9; 3]]),
        (Indexed, Eight, &[1, 2, 3, 4, 5, 6], &[1, 0], [[4, 5, 6], [1, 2, 3]]),
        (Rgba, Eight, &[], &[1, 2, 3, 0, 4, 5, 6, 255], [[1, 2, 3], [4, 5, 6]]),
    ] {
        let pixels = png::decode(&png_of((1, 2), colour, depth, palette, samples)).unwrap();
        assert_eq!([pixels.at(0, 0), pixels.at(0, 1)], seen, "{colour:?} {depth:?}");
    }
}

/// Returns a PNG whose header claims this size, without pixels.
fn png_with_size(width: u32, height: u32) -> Vec<u8> {
    let mut file = encode::file(encode::Format::Png, (1, 1), |_, _| [0; 3]);
    file[16..20].copy_from_slice(&width.to_be_bytes());
    file[20..24].copy_from_slice(&height.to_be_bytes());
    // CRC-32 of the header chunk's name and contents.
    let sum = crc(&file[12..29]).to_be_bytes();
    file[29..33].copy_from_slice(&sum);
    file
}

fn crc(bytes: &[u8]) -> u32 {
    let step = |crc: u32, _| if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
    !bytes.iter().fold(!0, |crc, byte| (0..8).fold(crc ^ u32::from(*byte), step))
}

#[test]
fn oversized_pictures_are_rejected_before_decoding() {
    for (width, height) in [(30_000, 30_000), (30_001, 1), (1, 4_000_000_000), (8_000, 6_251)] {
        assert_eq!(read(&png_with_size(width, height)), Err(PictureError::TooManyPixels), "{width} x {height}");
    }
    assert_eq!(read(&png_with_size(8_000, 10)), Err(PictureError::Corrupt), "allowed, but empty");
}

/// The frame header has the marker, its length, the depth, the height and the width.
#[cfg(feature = "pictures")]
#[test]
fn the_size_of_a_jpeg_is_limited() {
    let mut file = target(encode::Format::Jpeg);
    let at = file.windows(2).position(|pair| pair == [0xff, 0xc0]).unwrap() + 5;
    assert_eq!(file[at..at + 4], [0, 60, 0, 90]);
    file[at..at + 4].copy_from_slice(&[0, 60, 0x75, 0x31]);
    assert_eq!(read(&file), Err(PictureError::TooManyPixels), "30,001 columns");
    file[at..at + 4].copy_from_slice(&[0x75, 0x30, 0x75, 0x30]);
    assert_eq!(read(&file), Err(PictureError::TooManyPixels), "900 million pixels");
}

/// Grey JPEG files have one sample per pixel.
#[cfg(feature = "pictures")]
#[test]
fn grey_jpegs_are_decoded() {
    let mut file = Vec::new();
    jpeg_encoder::Encoder::new(&mut file, 90).encode(&[120; 64], 8, 8, jpeg_encoder::ColorType::Luma).unwrap();
    let picture = read(&file).unwrap().unwrap();
    assert_eq!((picture.width, picture.height, picture.middle, picture.contrast), (8, 8, [120; 3], 0));
}
