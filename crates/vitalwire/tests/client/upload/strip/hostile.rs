//! Tests of pictures that are invalid, truncated or in other formats.

use std::time::{Duration, Instant};

use vitalwire::error::ErrorKind;
use vitalwire::upload::Image;

use super::{content, samples, strip};

fn strip_error(file: &[u8], what: &str) -> &'static str {
    let error = strip(file).expect_err(what);
    assert_eq!((error.kind(), error.argument()), (ErrorKind::InvalidArgument, Some("image")), "{what}");
    error.reason().expect("a reason")
}

#[test]
fn other_formats_are_errors() {
    for file in [
        &b"\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic"[..],
        b"\x00\x00\x00\x1cftypavif\x00\x00\x00\x00mif1avif",
        b"GIF89a\x01\x00\x01\x00",
        b"II*\0\x08\0\0\0",
        b"%PDF-1.7\n",
        b"no picture at all",
    ] {
        assert_eq!(strip_error(file, "another kind"), "has a format whose metadata cannot be removed; supported are JPEG, PNG and WebP");
    }
    assert_eq!(strip_error(b"", "nothing"), "the file is empty");
    let error = Image::from_url("https://images.example/1.jpg").unwrap().without_metadata().unwrap_err();
    assert_eq!((error.kind(), error.argument()), (ErrorKind::InvalidArgument, Some("image")));
}

#[test]
fn truncated_files_are_errors() {
    for (name, file) in samples::all() {
        // Bytes after the picture itself may be missing.
        let whole = match name {
            "baseline jpeg" | "progressive jpeg" => file.windows(2).position(|pair| pair == [0xFF, 0xD9]).unwrap() + 2,
            "png" | "lossless webp" => file.len() - "CANARY-trailer".len(),
            _ => file.len(),
        };
        for end in 0..whole {
            strip_error(&file[..end], &format!("{name} {end}"));
        }
        assert!(strip(&file[..whole]).is_ok(), "{name}");
    }
}

#[test]
fn invalid_parts_have_other_reasons_than_missing_ones() {
    let jpeg = samples::plain_jpeg(&samples::exif(Some(6), true));
    let png = samples::png(None);
    let with = |file: &[u8], at: usize, bytes: &[u8]| [&file[..at], bytes, &file[at..]].concat();
    let scan = jpeg.windows(2).position(|pair| pair == [0xFF, 0xDA]).unwrap();
    // 8 bytes of signature, then IHDR with 8 bytes of header, 13 of content and 4 of checksum.
    let header = &png[8..33];
    let mut damaged = png.clone();
    damaged[20] ^= 1;
    for (file, reason) in [
        (with(&jpeg, 2, b"\xff\xfe\x00\x01"), "contains a segment of an invalid length"),
        (with(&jpeg, 2, b"\xff\xfe\x00\x00"), "contains a segment of an invalid length"),
        (with(&jpeg, 2, b"\xff\xd8"), "contains a second start of image"),
        (with(&jpeg, scan, b"\xff\xd9"), "contains no image"),
        (with(&jpeg, 2, b"\xff\xda\x00\x02"), "contains no image"),
        (with(&jpeg, 2, b"\xff\xc8\x00\x02"), "contains an invalid segment"),
        (with(&jpeg, scan + 20, b"\xff\x4f"), "contains an invalid segment"),
        ([&jpeg[..scan], b"\xff\xe1\xff\xff"].concat(), "is truncated"),
        (damaged, "is damaged: a checksum does not match"),
        (with(&png, 33, header), "must begin with exactly one header"),
        ([&png[..8], &png[33..]].concat(), "must begin with exactly one header"),
        ([&png[..33], b"\0\0\0\0IEND\xae\x42\x60\x82"].concat(), "contains no image"),
        ([&png[..33], b"\xff\xff\xff\xffIDAT"].concat(), "is truncated"),
        (b"RIFF\x04\0\0\0WEBP".to_vec(), "contains no image"),
        (b"RIFF\x03\0\0\0WEBP".to_vec(), "is truncated"),
        (b"RIFF\xff\xff\xff\xffWEBPVP8 \0\0\0\0".to_vec(), "is truncated"),
        (b"RIFF\x0c\0\0\0WEBPVP8 \xff\xff\xff\xff".to_vec(), "is truncated"),
        (b"RIFF\x14\0\0\0WEBPVP8 \0\0\0\0VP8X\0\0\0\0".to_vec(), "has a header that is damaged or misplaced"),
        (b"RIFF\x0c\0\0\0WEBPANMF\0\0\0\0".to_vec(), "is truncated"),
        ([&b"RIFF\x1c\0\0\0WEBPANMF\x10\0\0\0"[..], &[0; 16]].concat(), "contains a frame without an image"),
    ] {
        assert_eq!(strip_error(&file, reason), reason);
    }
}

/// Two megabytes of the smallest parts of each kind. Quadratic code would take minutes.
#[test]
fn many_parts_take_linear_time() {
    const PARTS: usize = 2 << 20;
    let jpeg = samples::plain_jpeg(&[]);
    let scan = jpeg.windows(2).position(|pair| pair == [0xFF, 0xDA]).unwrap();
    let repeat = |part: &[u8], size: usize| part.repeat(size / part.len());
    let png = samples::png(None);
    let webp = [b"VP8 \0\0\0\0".to_vec(), repeat(b"JUNK\0\0\0\0", PARTS)].concat();
    let size = u32::try_from(webp.len() + 4).unwrap().to_le_bytes();
    let oriented = [&b"\xff\xe1\x00\x08Exif\0\0"[..], &samples::exif(Some(6), true)].concat();
    for (what, file) in [
        ("empty segments", [&jpeg[..2], &repeat(b"\xff\xe1\x00\x02", PARTS), &jpeg[2..]].concat()),
        ("comments between markers", [&jpeg[..scan], &repeat(b"\xff\xfe\x00\x03x", PARTS), &jpeg[scan..]].concat()),
        ("scans", [&jpeg[..jpeg.len() - 2], &repeat(b"\xff\xda\x00\x02", PARTS), &jpeg[jpeg.len() - 2..]].concat()),
        ("restarts", [&jpeg[..jpeg.len() - 2], &repeat(b"\xff\xd0", PARTS), &jpeg[jpeg.len() - 2..]].concat()),
        ("fill", [&jpeg[..jpeg.len() - 2], &repeat(b"\xff", PARTS), &jpeg[jpeg.len() - 2..]].concat()),
        ("EXIF", [&jpeg[..2], &repeat(&oriented, PARTS / 16), &jpeg[2..]].concat()),
        ("chunks", [&png[..33], &repeat(b"\0\0\0\0tEXt\x96\x42\xc5\x85", PARTS), &png[33..]].concat()),
        ("RIFF", [&b"RIFF"[..], &size, b"WEBP", &webp].concat()),
    ] {
        let started = Instant::now();
        let stripped = strip(&file).unwrap_or_else(|error| panic!("{what}: {error}"));
        assert!(started.elapsed() < Duration::from_secs(20), "{what}");
        assert!(stripped.len() <= file.len(), "{what}");
    }
    // Many scan headers without data.
    strip_error(&[&jpeg[..scan], &repeat(b"\xff\xda\x00\x02", PARTS)].concat(), "endless scans");
}

/// Changes, removes, inserts and duplicates bytes at random with a fixed seed.
#[test]
fn mutated_files_do_not_panic_and_are_stripped_completely() {
    let mut random = fastrand::Rng::with_seed(4);
    let (mut stripped_files, mut errors, mut unchanged) = (0, 0, 0);
    for (name, file) in samples::all() {
        let before = content::decode(&file);
        for _ in 0..150 {
            let mut mutant = file.clone();
            for _ in 0..random.usize(1..4) {
                mutate(&mut mutant, &mut random);
            }
            let Ok(stripped) = strip(&mutant) else {
                errors += 1;
                continue;
            };
            stripped_files += 1;
            assert!(strip(&stripped).unwrap() == stripped, "{name}: {mutant:?}");
            // If the mutation does not change the decoded picture, stripping does not either.
            let same = content::decode(&mutant) == before;
            assert!(!same || content::decode(&stripped) == before, "{name} looks different: {mutant:?}");
            unchanged += usize::from(same);
        }
    }
    assert!(stripped_files > 150 && errors > 150 && unchanged > 150, "{stripped_files} {errors} {unchanged}");
}

fn mutate(file: &mut Vec<u8>, random: &mut fastrand::Rng) {
    // Headers are short, so half of the mutations change the first 600 bytes.
    let reach = if random.bool() { file.len().min(600) } else { file.len() };
    let at = random.usize(..reach);
    match random.u8(..6) {
        0 => file[at] = random.u8(..),
        1 => file[at] = *random.choice(&[0x00, 0xFF, 0xD8, 0xD9, 0xDA, 0xE1, 0x7F, 0x80]).unwrap(),
        2 => file[at] ^= 1 << random.u8(..8),
        3 => drop(file.drain(at..(at + random.usize(1..9)).min(file.len()))),
        4 => file.insert(at, random.u8(..)),
        _ => {
            let end = (at + random.usize(1..64)).min(file.len());
            let piece = file[at..end].to_vec();
            let to = random.usize(..file.len());
            file.splice(to..to, piece);
        }
    }
    if file.is_empty() {
        file.push(0);
    }
}
