//! Helpers around SHA-256: derived secrets and ids, HMAC and lower-case hex.

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};
use uuid::Uuid;

/// Returns the SHA-256 of length-prefixed parts, so that different lists of parts never have the same input.
pub(crate) fn digest(parts: &[&[u8]]) -> [u8; 32] {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part);
    }
    hash.finalize().into()
}

/// Returns the first eight bytes of [`digest`] as a number.
pub(crate) fn digest_number(parts: &[&[u8]]) -> u64 {
    let bytes = digest(parts);
    let mut first = [0; 8];
    first.copy_from_slice(&bytes[..8]);
    u64::from_be_bytes(first)
}

/// Returns a UUID (version 8: custom) from [`digest`].
pub(crate) fn digest_uuid(parts: &[&[u8]]) -> Uuid {
    let bytes = digest(parts);
    let mut first = [0; 16];
    first.copy_from_slice(&bytes[..16]);
    uuid::Builder::from_custom_bytes(first).into_uuid()
}

/// Encodes bytes as lower-case hex.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Decodes lower-case hex. Rejects upper case, because signatures are documented as lower case.
pub(crate) fn decode_hex(text: &str) -> Option<Vec<u8>> {
    if !text.len().is_multiple_of(2) || !text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')) {
        return None;
    }
    (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).ok()).collect()
}

/// Returns an HMAC-SHA256.
pub(crate) fn mac(key: &[u8], message: &[u8]) -> Hmac<Sha256> {
    // A key may have any length, so this does not fail.
    let mut mac = Hmac::<Sha256>::new_from_slice(key).unwrap_or_else(|_| Hmac::new(&Default::default()));
    mac.update(message);
    mac
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hmac_matches_rfc_4231_case_2_and_6() {
        let tag = mac(b"Jefe", b"what do ya want for nothing?").finalize().into_bytes();
        assert_eq!(hex(&tag), "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
        let tag = mac(&[0xaa; 131], b"Test Using Larger Than Block-Size Key - Hash Key First").finalize().into_bytes();
        assert_eq!(hex(&tag), "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
    }

    #[test]
    fn hex_round_trips_and_rejects_upper_case() {
        assert_eq!(decode_hex("00ff7a"), Some(vec![0, 255, 122]));
        assert_eq!(hex(&[0, 255, 122]), "00ff7a");
        assert_eq!(decode_hex("00F0"), None);
        assert_eq!(decode_hex("0"), None);
        assert_eq!(decode_hex("zz"), None);
    }

    #[test]
    fn different_part_lists_have_different_digests() {
        assert_ne!(digest(&[b"ab", b"c"]), digest(&[b"a", b"bc"]));
    }
}
