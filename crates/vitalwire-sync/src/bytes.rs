//! Reads and writes numbers in states.

/// Appends a number, with 7 bits in each byte.
pub(crate) fn put_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push((number & 0x7f) as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Appends a signed number. Numbers near 0 take the fewest bytes.
pub(crate) fn put_signed(bytes: &mut Vec<u8>, number: i64) {
    put_number(bytes, (number.cast_unsigned() << 1) ^ (number >> 63).cast_unsigned());
}

/// Appends the lowest bytes of a digest.
pub(crate) fn put_digest(bytes: &mut Vec<u8>, digest: u64, length: usize) {
    bytes.extend(digest.to_le_bytes().into_iter().take(length));
}

/// Remaining bytes of a state. Every method returns `None` if too few bytes remain.
pub(crate) struct Reader<'a>(pub(crate) &'a [u8]);

impl<'a> Reader<'a> {
    pub(crate) fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    pub(crate) fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (array, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*array)
    }

    pub(crate) fn byte(&mut self) -> Option<u8> {
        self.array::<1>().map(|[byte]| byte)
    }

    pub(crate) fn number(&mut self) -> Option<u64> {
        let mut number = 0_u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f).checked_shl(shift)?;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    pub(crate) fn signed(&mut self) -> Option<i64> {
        let number = self.number()?;
        Some((number >> 1).cast_signed() ^ -(number & 1).cast_signed())
    }

    /// Reads a day, as the number of days since 1970-01-01.
    pub(crate) fn day(&mut self) -> Option<i32> {
        i32::try_from(self.signed()?).ok()
    }

    /// Reads the number of items that follow, each of at least one byte.
    pub(crate) fn count(&mut self) -> Option<usize> {
        usize::try_from(self.number()?).ok().filter(|count| *count <= self.0.len())
    }

    pub(crate) fn digest(&mut self, length: usize) -> Option<u64> {
        let mut bytes = [0; 8];
        bytes.get_mut(..length)?.copy_from_slice(self.take(length)?);
        Some(u64::from_le_bytes(bytes))
    }
}
