//! The orientation, which is all that is kept of EXIF, however it is written.

use super::{kept, samples, strip};

/// EXIF of two entries, the orientation second, with another type and byte order.
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

/// The orientation that a picture with this EXIF has once it is stripped; 1 where no EXIF is left.
#[track_caller]
fn kept_of(exif: &[u8]) -> u32 {
    let stripped = strip(&samples::plain_jpeg(exif)).unwrap();
    assert_eq!(strip(&stripped).unwrap(), stripped, "what is written is read again");
    kept::seen(&stripped).unwrap().orientation
}

#[test]
fn is_found_in_both_byte_orders_and_all_widths() {
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
        assert_eq!(kept_of(&tiff(little, kind, &value)), expected, "{little} {kind} {value:?}");
    }
}

#[test]
fn data_that_lie_say_nothing() {
    let good = tiff(true, 3, &[6, 0, 0, 0]);
    for end in 1..good.len() - 2 {
        assert_eq!(kept_of(&good[..end]), 1, "{end}");
    }
    assert_eq!(kept_of(b"II*\0\xff\xff\xff\xff"), 1);
    assert_eq!(kept_of(b"II*\0\xfe\xff\xff\xff\xff\xff"), 1);
}
