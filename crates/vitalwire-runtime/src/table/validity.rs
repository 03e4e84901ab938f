//! Validity bitmaps of columns.

/// One bit per row, lowest first, as in Arrow. Rows beyond the bitmap have no value.
#[derive(Clone)]
pub(super) struct Validity {
    bytes: Vec<u8>,
}

impl Validity {
    /// Creates a bitmap of rows that all have a value, with capacity for `expected` rows.
    pub(super) fn all_valid(rows: usize, expected: usize) -> Self {
        let mut validity = Self { bytes: Vec::with_capacity(rows.max(expected).div_ceil(8)) };
        validity.bytes.resize(rows.div_ceil(8), u8::MAX);
        validity.clear(rows, rows.next_multiple_of(8));
        validity
    }

    /// Ensures capacity for `rows` bits.
    pub(super) fn ensure_len(&mut self, rows: usize) {
        if self.bytes.len() < rows.div_ceil(8) {
            self.bytes.resize(rows.div_ceil(8), 0);
        }
    }

    /// Marks a row as valid. Returns whether the bitmap has a bit for it.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "run for every number of a body; measured")]
    pub(super) fn set(&mut self, row: usize) -> bool {
        let Some(byte) = self.bytes.get_mut(row / 8) else { return false };
        *byte |= 1 << (row % 8);
        true
    }

    pub(super) fn get(&self, row: usize) -> bool {
        self.bytes.get(row / 8).is_some_and(|byte| byte & (1 << (row % 8)) != 0)
    }

    /// Marks rows as missing.
    pub(super) fn clear(&mut self, from: usize, to: usize) {
        let mut bytes = self.bytes.iter_mut().take(to.div_ceil(8)).skip(from / 8);
        if let Some(first) = bytes.next() {
            *first &= (1 << (from % 8)) - 1;
        }
        bytes.for_each(|byte| *byte = 0);
    }

    /// Returns the bits of `rows` rows; `None` if all are valid.
    pub(super) fn into_bitmap(mut self, rows: usize) -> Option<Self> {
        self.bytes.truncate(rows.div_ceil(8));
        let present: u32 = self.bytes.iter().map(|byte| byte.count_ones()).sum();
        (usize::try_from(present) != Ok(rows)).then_some(self)
    }

    /// Returns the bytes of the bitmap.
    #[cfg(feature = "arrow")]
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(validity: &Validity) -> Vec<usize> {
        (0..40).filter(|row| validity.get(*row)).collect()
    }

    #[test]
    fn setting_and_clearing_rows_leaves_others_unchanged() {
        let mut validity = Validity::all_valid(11, 0);
        assert_eq!(rows(&validity), (0..11).collect::<Vec<_>>());
        assert!(validity.set(15) && !validity.set(16));
        validity.ensure_len(33);
        assert!(validity.set(16) && validity.set(32));
        assert_eq!(rows(&validity).last_chunk(), Some(&[10, 15, 16, 32]));
        validity.clear(10, 33);
        assert_eq!(rows(&validity), (0..10).collect::<Vec<_>>());
        validity.clear(8, 8);
        assert_eq!(rows(&validity), (0..10).collect::<Vec<_>>());
        validity.clear(0, 10);
        assert!(rows(&validity).is_empty());
    }

    #[test]
    fn rows_without_gaps_need_no_bitmap() {
        for count in [0, 1, 8, 9, 16] {
            let mut validity = Validity::all_valid(count, 20);
            validity.ensure_len(20);
            assert!(validity.clone().into_bitmap(count).is_none());
            assert_eq!(validity.into_bitmap(count + 1).map(|validity| rows(&validity)), Some((0..count).collect()));
        }
    }
}
