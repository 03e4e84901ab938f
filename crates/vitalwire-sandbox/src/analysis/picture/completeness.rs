//! Checks that a JPEG file is complete. Decoders fill the missing part of a truncated file with grey; a service rejects it as corrupt.

const START: u8 = 0xd8;
const END: u8 = 0xd9;
const SCAN: u8 = 0xda;

/// Whether the segments are consecutive up to the end marker. Data after it is ignored.
pub(super) fn is_complete(bytes: &[u8]) -> bool {
    walk_segments(bytes).is_some()
}

fn walk_segments(bytes: &[u8]) -> Option<()> {
    let mut rest = bytes.strip_prefix(&[0xff, START])?;
    loop {
        // Any number of fill bytes may precede a marker.
        let at = rest.iter().position(|byte| *byte != 0xff).filter(|at| *at > 0)?;
        let (code, after) = rest[at..].split_first()?;
        rest = match *code {
            END => return Some(()),
            // Markers without content.
            0x01 | 0xd0..=0xd7 => after,
            code => {
                let length = usize::from(u16::from_be_bytes([*after.first()?, *after.get(1)?]));
                let after = after.get(length.max(2)..)?;
                if code == SCAN { skip_scan(after)? } else { after }
            }
        };
    }
}

/// Skips to the next marker. Within a scan, 0xff is followed by 0 or a restart marker.
fn skip_scan(bytes: &[u8]) -> Option<&[u8]> {
    let at = bytes.windows(2).position(|pair| pair[0] == 0xff && !matches!(pair[1], 0 | 0xd0..=0xd7))?;
    bytes.get(at..)
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: [u8; 20] = [
        0xff, 0xd8, // start
        0xff, 0xe0, 0, 3, 9, // a segment
        0xff, 0xff, 0xda, 0, 2, // a scan behind a fill byte
        1, 0xff, 0, 2, 0xff, 0xd0, // data, a stuffed byte, a restart
        0xff, 0xd9, // end
    ];

    #[test]
    fn every_truncated_file_is_detected() {
        assert!(is_complete(&WHOLE));
        assert!(is_complete(&[&WHOLE[..], b"anything"].concat()));
        for length in 0..WHOLE.len() {
            assert!(!is_complete(&WHOLE[..length]), "{length}");
        }
        assert!(!is_complete(&[0xff, 0xd8, 0xd9]), "a code without its 0xff");
    }
}
