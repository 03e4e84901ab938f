//! Tests of the orientation, the only part of EXIF that is kept.

use super::{content, samples, strip};

/// EXIF with the width and then the orientation, in the given byte order and type.
fn tiff(little: bool, kind: u16, value: &[u8; 4]) -> Vec<u8> {
    let two = |number: u16| if little { number.to_le_bytes() } else { number.to_be_bytes() };
    let four = |number: u32| if little { number.to_le_bytes() } else { number.to_be_bytes() };
    let mut data = if little { b"II*\0".to_vec() } else { b"MM\0*".to_vec() };
    data.extend(four(10));
    data.extend([0xEE, 0xEE]);
    data.extend(two(2));
    // The width of the picture, then the orientation.
    for (tag, kind, value) in [(0x0100, 3, &[9, 9, 0, 0]), (0x0112, kind, value)] {
        data.extend([two(tag), two(kind)].concat());
        data.extend(four(1));
        data.extend(value);
    }
    data
}

/// Orientation of a stripped picture that had this EXIF. 1 if no EXIF is kept.
#[track_caller]
fn stripped_orientation(exif: &[u8]) -> u32 {
    let stripped = strip(&samples::plain_jpeg(exif)).unwrap();
    assert_eq!(strip(&stripped).unwrap(), stripped, "stripping again changes nothing");
    content::decode(&stripped).unwrap().orientation
}

#[test]
fn the_orientation_is_read_in_both_byte_orders_and_all_widths() {
    for (little, kind, value, expected) in [
        (true, 3, [6, 0, 0, 0], 6),
        (false, 3, [0, 6, 0, 0], 6),
        (true, 4, [8, 0, 0, 0], 8),
        (false, 4, [0, 0, 0, 8], 8),
        (true, 1, [2, 0, 0, 0], 2),
        (true, 3, [1, 0, 0, 0], 1),
        (true, 3, [9, 0, 0, 0], 1),
        (true, 4, [6, 1, 0, 0], 1),
        (true, 2, [6, 0, 0, 0], 1),
    ] {
        assert_eq!(stripped_orientation(&tiff(little, kind, &value)), expected, "{little} {kind} {value:?}");
    }
}

#[test]
fn invalid_exif_has_no_orientation() {
    let good = tiff(true, 3, &[6, 0, 0, 0]);
    for end in 1..good.len() - 2 {
        assert_eq!(stripped_orientation(&good[..end]), 1, "{end}");
    }
    assert_eq!(stripped_orientation(b"II*\0\xff\xff\xff\xff"), 1);
    assert_eq!(stripped_orientation(b"II*\0\xfe\xff\xff\xff\xff\xff"), 1);
}
