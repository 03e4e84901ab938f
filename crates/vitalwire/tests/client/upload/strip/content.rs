//! Tests of what stripping removes and what it keeps.

use std::io::Cursor;

use exif::{In, Reader, Tag};
use image_webp::WebPDecoder;
use img_parts::Bytes;
use img_parts::jpeg::Jpeg;
use img_parts::png::Png;
use img_parts::riff::{RiffChunk, RiffContent};
use img_parts::webp::WebP;
use vitalwire::client::Client;
use vitalwire_testkit::{Server, json};
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::bytestream::ZCursor;

use super::{samples, strip};

/// A picture as read by a decoder.
#[derive(PartialEq)]
pub(crate) struct Picture {
    width: u32,
    height: u32,
    pixels: Vec<u8>,
    profile: Option<Vec<u8>>,
    /// Orientation in EXIF numbers. 1 is upright.
    pub(crate) orientation: u32,
}

/// Decodes a picture. Returns `None` if no decoder reads it.
pub(crate) fn decode(file: &[u8]) -> Option<Picture> {
    match file {
        [0x89, b'P', ..] => png(file),
        [b'R', b'I', ..] => webp(file),
        _ => jpeg(file),
    }
}

fn png(file: &[u8]) -> Option<Picture> {
    let mut reader = png::Decoder::new(Cursor::new(file)).read_info().ok()?;
    let mut pixels = vec![0; reader.output_buffer_size()?];
    reader.next_frame(&mut pixels).ok()?;
    let info = reader.info();
    let profile = info.icc_profile.as_ref().map(|profile| profile.to_vec());
    let orientation = orientation(info.exif_metadata.as_ref().map(|exif| exif.to_vec()));
    Some(Picture { width: info.width, height: info.height, pixels, profile, orientation })
}

fn webp(file: &[u8]) -> Option<Picture> {
    let mut decoder = WebPDecoder::new(Cursor::new(file)).ok()?;
    let (width, height) = decoder.dimensions();
    let mut pixels = vec![0; decoder.output_buffer_size()?];
    decoder.read_image(&mut pixels).ok()?;
    Some(Picture { width, height, pixels, profile: decoder.icc_profile().ok()?, orientation: orientation(decoder.exif_metadata().ok()?) })
}

fn jpeg(file: &[u8]) -> Option<Picture> {
    let mut decoder = JpegDecoder::new(ZCursor::new(file));
    let pixels = decoder.decode().ok()?;
    let (width, height) = decoder.dimensions()?;
    let (width, height) = (u32::try_from(width).ok()?, u32::try_from(height).ok()?);
    Some(Picture { width, height, pixels, profile: decoder.icc_profile(), orientation: orientation(decoder.exif().cloned()) })
}

/// Orientation from EXIF. Upright if EXIF is missing or invalid.
fn orientation(exif: Option<Vec<u8>>) -> u32 {
    // WebP files may have the EXIF prefix of JPEG files.
    let exif = exif.map(|exif| exif.strip_prefix(b"Exif\0\0").map_or_else(|| exif.clone(), <[u8]>::to_vec));
    let read = exif.and_then(|exif| Reader::new().read_raw(exif).ok());
    read.and_then(|exif| exif.get_field(Tag::Orientation, In::PRIMARY)?.value.get_uint(0)).unwrap_or(1)
}

fn contains(file: &[u8], text: &[u8]) -> bool {
    file.windows(text.len()).any(|window| window == text)
}

// statements: rule.picture.metadata_removed, rule.picture.content_unchanged
#[test]
fn pixels_profile_and_orientation_are_kept_and_private_data_is_removed() {
    for (name, file) in samples::all() {
        let stripped = strip(&file).unwrap();
        // `assert_eq!` would print long pictures.
        assert!(decode(&stripped).expect(name) == decode(&file).expect(name), "{name} looks different");
        assert!(!contains(&stripped, b"CANARY"), "{name}");
        assert_eq!(contains(&file, b"CANARY"), name != "plain webp", "{name}: the sample has metadata");
        assert!(stripped.len() <= file.len(), "{name}");
        assert_eq!(strip(&stripped).unwrap(), stripped, "{name}: nothing is left to strip");
        // EXIF only contains the orientation. This reader does not know the EXIF prefix of the animated sample.
        let Ok(left) = Reader::new().read_from_container(&mut Cursor::new(&stripped)) else { continue };
        let tags: Vec<Tag> = left.fields().map(|field| field.tag).collect();
        assert_eq!(tags, [Tag::Orientation], "{name}");
    }
}

// statements: rule.picture.content_unchanged
#[test]
fn all_orientations_are_kept() {
    type Make = fn(Option<u16>) -> Vec<u8>;
    let makes: [(&str, Make); 4] = [
        ("jpeg", |value| samples::jpeg(value, false)),
        ("progressive", |value| samples::jpeg(value, true)),
        ("png", samples::png),
        ("webp", samples::webp),
    ];
    for (name, make) in makes {
        for value in 1..=8 {
            let stripped = strip(&make(Some(value))).unwrap();
            assert_eq!(decode(&stripped).unwrap().orientation, u32::from(value), "{name} {value}");
            let left = Reader::new().read_from_container(&mut Cursor::new(&stripped));
            let left = left.ok().and_then(|exif| exif.get_field(Tag::Orientation, In::PRIMARY).and_then(|field| field.value.get_uint(0)));
            assert_eq!(left, (value > 1).then_some(u32::from(value)), "{name} {value}");
        }
        let stripped = strip(&make(None)).unwrap();
        assert!(Reader::new().read_from_container(&mut Cursor::new(&stripped)).is_err(), "{name} keeps empty EXIF");
    }
}

/// A JPEG begins with a JFIF segment, which ends at byte 20.
// statements: rule.picture.content_unchanged
#[test]
fn only_the_first_exif_block_sets_the_orientation() {
    let exif = |orientation| [&b"Exif\0\0"[..], &samples::exif(orientation, true)].concat();
    let segment = |data: &[u8]| [&[0xFF, 0xE1][..], &u16::try_from(data.len() + 2).unwrap().to_be_bytes(), data].concat();
    let jpeg = samples::plain_jpeg(&[]);
    for first in [Some(1), None] {
        let file = [&jpeg[..20], &segment(&exif(first)), &segment(&exif(Some(6))), &jpeg[20..]].concat();
        assert_eq!(strip(&file).unwrap(), jpeg, "{first:?}");
        let mut webp = WebP::from_bytes(Bytes::from(samples::webp(first))).unwrap();
        webp.chunks_mut().push(RiffChunk::new(*b"EXIF", RiffContent::Data(Bytes::from(samples::exif(Some(6), true)))));
        let file = webp.encoder().bytes().to_vec();
        assert_eq!(decode(&strip(&file).unwrap()).unwrap().orientation, 1, "{first:?}");
    }
    let end = jpeg.len() - 2;
    assert_eq!(strip(&[&jpeg[..end], &segment(&exif(Some(6))), &jpeg[end..]].concat()).unwrap(), jpeg);
}

// statements: rule.picture.content_unchanged
#[test]
fn a_jpeg_keeps_only_the_segments_of_the_picture() {
    for progressive in [false, true] {
        let stripped = strip(&samples::jpeg(Some(6), progressive)).unwrap();
        assert!(stripped.ends_with(&[0xFF, 0xD9]));
        let markers: Vec<u8> =
            Jpeg::from_bytes(Bytes::from(stripped.clone())).unwrap().segments().iter().map(|part| part.marker()).collect();
        // JFIF, orientation and profile, then only quantization, frame, restarts, Huffman tables and scans.
        assert_eq!(markers[..3], [0xE0, 0xE1, 0xE2]);
        assert!(markers[3..].iter().all(|marker| [0xDB, 0xC0, 0xC2, 0xDD, 0xC4, 0xDA].contains(marker)), "{markers:x?}");
        let scans = stripped.windows(2).filter(|pair| *pair == [0xFF, 0xDA]).count();
        assert_eq!(scans > 1, progressive, "{scans}");
    }
}

// statements: rule.picture.metadata_removed
#[test]
fn a_thumbnail_inside_jfif_is_removed() {
    let file = samples::plain_jpeg(&[]);
    // SOI, then JFIF of 16 bytes. A thumbnail of 2 by 1 pixels adds 6 bytes.
    assert_eq!(file[2..6], [0xFF, 0xE0, 0, 16]);
    let with = [&file[..4], &[0, 22], &file[6..18], &[2, 1], b"CANARY", &file[20..]].concat();
    let without_exif = strip(&file).unwrap();
    assert_eq!(strip(&with).unwrap(), without_exif);
}

// statements: rule.picture.content_unchanged
#[test]
fn a_png_keeps_colour_and_proportion_chunks() {
    let stripped = strip(&samples::png(Some(6))).unwrap();
    let png = Png::from_bytes(Bytes::from(stripped)).unwrap();
    let kinds: Vec<String> = png.chunks().iter().map(|chunk| String::from_utf8(chunk.kind().to_vec()).unwrap()).collect();
    assert_eq!(kinds, ["IHDR", "pHYs", "gAMA", "eXIf", "iCCP", "IDAT", "IEND"]);
}

#[test]
fn the_flags_of_a_webp_match_its_content() {
    let flags = |file: &[u8]| file[20];
    let ids = |file: &[u8]| -> Vec<[u8; 4]> {
        WebP::from_bytes(Bytes::copy_from_slice(file)).unwrap().chunks().iter().map(RiffChunk::id).collect()
    };
    // Profile 0x20, transparency 0x10, EXIF 0x08, XMP 0x04, animation 0x02.
    for (file, before, after, left) in [
        (samples::webp(Some(6)), 0x3C, 0x38, &[*b"VP8X", *b"ICCP", *b"VP8L", *b"EXIF"][..]),
        (samples::webp(Some(1)), 0x3C, 0x30, &[*b"VP8X", *b"ICCP", *b"VP8L"]),
        (samples::LOSSY.to_vec(), 0x0C, 0x08, &[*b"VP8X", *b"VP8 ", *b"EXIF"]),
        (samples::LOSSY_ALPHA.to_vec(), 0x1C, 0x10, &[*b"VP8X", *b"ALPH", *b"VP8 "]),
        (samples::ANIMATED.to_vec(), 0x0E, 0x0A, &[*b"VP8X", *b"ANIM", *b"ANMF", *b"ANMF", *b"ANMF", *b"EXIF"]),
    ] {
        let stripped = strip(&file).unwrap();
        assert_eq!((flags(&file), flags(&stripped)), (before, after));
        assert_eq!(ids(&stripped), left);
        let size = u32::from_le_bytes(stripped[4..8].try_into().unwrap());
        assert_eq!(usize::try_from(size).unwrap() + 8, stripped.len());
    }
    assert_eq!(strip(samples::PLAIN).unwrap(), samples::PLAIN);
}

// statements: rule.picture.metadata_removed, rule.picture.content_unchanged
#[test]
fn frames_are_kept_without_hidden_chunks() {
    let frames = |file: &[u8]| {
        let mut decoder = WebPDecoder::new(Cursor::new(file)).unwrap();
        let count = decoder.num_frames();
        let frame = |_| {
            let mut pixels = vec![0; decoder.output_buffer_size().unwrap()];
            let milliseconds = decoder.read_frame(&mut pixels).unwrap();
            (pixels, milliseconds)
        };
        (0..count).map(frame).collect::<Vec<_>>()
    };
    // Adds a chunk after the picture of the first frame.
    let at = samples::ANIMATED.windows(4).position(|id| id == b"ANMF").unwrap();
    let length = usize::try_from(u32::from_le_bytes(samples::ANIMATED[at + 4..at + 8].try_into().unwrap())).unwrap();
    let end = at + 8 + length;
    let hidden = b"HIDE\x06\0\0\0CANARY";
    let mut file = [&samples::ANIMATED[..end], hidden, &samples::ANIMATED[end..]].concat();
    let grow = |file: &mut Vec<u8>, at: usize| {
        let size = u32::from_le_bytes(file[at..at + 4].try_into().unwrap()) + u32::try_from(hidden.len()).unwrap();
        file[at..at + 4].copy_from_slice(&size.to_le_bytes());
    };
    grow(&mut file, 4);
    grow(&mut file, at + 4);
    let stripped = strip(&file).unwrap();
    assert_eq!(stripped, strip(samples::ANIMATED).unwrap());
    assert_eq!(frames(&stripped).len(), 3);
    assert!(frames(&stripped) == frames(samples::ANIMATED));
}

// statements: rule.picture.metadata_removed
#[tokio::test]
async fn the_stripped_picture_is_sent() {
    use base64::Engine;
    let server = Server::always(json(200, r#"{"record_id":"n-1","status":"pending","uploaded_at":"2025-01-31T06:30:00Z"}"#));
    let client = Client::builder().base_url(server.url()).token("t").no_proxy().build().unwrap();
    let file = samples::jpeg(Some(6), true);
    let image = vitalwire::upload::Image::from_bytes(file.clone()).without_metadata().unwrap();
    client.nutrition_records().upload_image(image).await.unwrap();
    let body: serde_json::Value = serde_json::from_slice(&server.requests()[0].body).unwrap();
    let sent = base64::engine::general_purpose::STANDARD.decode(body["body"].as_str().unwrap()).unwrap();
    assert_eq!(sent, strip(&file).unwrap());
}
