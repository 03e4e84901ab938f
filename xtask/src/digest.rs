//! Checksums.

use sha2::{Digest as _, Sha256};

/// Returns the SHA-256 digest of bytes, in hexadecimal digits.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_digest_equals_that_of_sha256sum() {
        assert_eq!(super::sha256(b"content"), "ed7002b439e9ac845f22357d822bac1444730fbdb6016d3ec9432297b9ec9f73");
    }
}
