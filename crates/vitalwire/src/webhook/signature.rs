//! HMAC-SHA256 and its hex form.

use hmac::digest::Key;
use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};
use zeroize::{Zeroize, Zeroizing};

use vitalwire_runtime::auth::secret::trim;

/// Minimum length of a key, in bytes.
pub(crate) const MIN_KEY_LENGTH: usize = 16;

/// Length of a signature in bytes. Its hex form has twice as many characters.
pub(crate) const SIGNATURE_BYTES: usize = 32;

/// Block size of SHA-256. Longer keys are hashed first (RFC 2104).
const BLOCK: usize = 64;

/// Computes the signature of a body. Temporary copies of the key are overwritten.
pub(crate) fn signature(key: &[u8], body: &[u8]) -> [u8; SIGNATURE_BYTES] {
    let hashed = Zeroizing::new(if key.len() > BLOCK { <[u8; SIGNATURE_BYTES]>::from(Sha256::digest(key)) } else { [0; SIGNATURE_BYTES] });
    let key = if key.len() > BLOCK { &hashed[..] } else { key };
    let mut block = Key::<Hmac<Sha256>>::default();
    block[..key.len()].copy_from_slice(key);
    let mut mac = <Hmac<Sha256> as KeyInit>::new(&block);
    block.as_mut_slice().zeroize();
    mac.update(body);
    mac.finalize().into_bytes().into()
}

/// Signs a body as the service does. Returns the value of the [`SIGNATURE_HEADER`](super::SIGNATURE_HEADER), in lower-case hex.
///
/// Use it to test a webhook receiver. The key is trimmed as in [`Verifier::new`](super::Verifier::new), but not checked.
///
/// ```
/// use vitalwire::webhook::{Verifier, sign};
///
/// # fn main() -> Result<(), vitalwire::Error> {
/// let header = sign("[]", "a-webhook-key-of-yours");
/// assert_eq!(header, "3fd0038b0916f9e594cafeb6a60b21c5695e76e68616c9fbf53a969754dd2050");
/// Verifier::new(["a-webhook-key-of-yours"])?.verify(b"[]", &header)?;
/// # Ok(())
/// # }
/// ```
#[must_use]
pub fn sign(body: impl AsRef<[u8]>, key: impl AsRef<[u8]>) -> String {
    hex(&signature(trim(key.as_ref()), body.as_ref()))
}

/// Encodes bytes as lower-case hex.
pub(crate) fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]).map(|digit| char::from(DIGITS[usize::from(digit)])).collect()
}

/// Decodes the hex form of a signature, in either case. Returns `None` for any other length or character.
pub(super) fn unhex(text: &[u8]) -> Option<[u8; SIGNATURE_BYTES]> {
    let digits: &[u8; 2 * SIGNATURE_BYTES] = text.try_into().ok()?;
    let (pairs, _) = digits.as_chunks::<2>();
    let mut bytes = [0; SIGNATURE_BYTES];
    for (byte, [high, low]) in bytes.iter_mut().zip(pairs) {
        *byte = digit(*high)? << 4 | digit(*low)?;
    }
    Some(bytes)
}

fn digit(byte: u8) -> Option<u8> {
    match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        b'A'..=b'F' => Some(byte - b'A' + 10),
        _ => None,
    }
}
