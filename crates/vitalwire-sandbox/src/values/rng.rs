//! [`Rng`]: a random number generator that never changes between releases, because it determines all synthetic data.

/// `SplitMix64`, seeded by a person, a day and a purpose.
pub(crate) struct Rng(u64);

impl Rng {
    pub(crate) fn new(key: u64, day: i64, purpose: &str) -> Self {
        // FNV-1a spreads the purposes. The first step of the generator mixes the rest.
        let purpose = purpose.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        let mut rng = Self(key ^ purpose.rotate_left(21) ^ day.cast_unsigned().wrapping_mul(0xff51_afd7_ed55_8ccd));
        rng.next();
        rng
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number in `0.0..1.0`.
    pub(crate) fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Returns a number in `low..=high`. Requires `low <= high`.
    pub(crate) fn between(&mut self, low: i64, high: i64) -> i64 {
        low + self.below(high - low + 1)
    }

    /// Returns a number in `0..end`, or 0 if `end` is not positive.
    pub(crate) fn below(&mut self, end: i64) -> i64 {
        match u64::try_from(end) {
            Ok(end) if end > 0 => (self.next() % end).cast_signed(),
            _ => 0,
        }
    }

    /// Returns a roughly normal number with mean 0 and deviation 1, at most 3.5 from 0.
    pub(crate) fn normal(&mut self) -> f64 {
        let sum = self.unit() + self.unit() + self.unit() + self.unit() - 2.0;
        sum * 1.732
    }

    /// Returns true with this probability.
    pub(crate) fn chance(&mut self, of: f64) -> bool {
        self.unit() < of
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_seed_determines_the_numbers() {
        let draw = |key, day, purpose: &str| Rng::new(key, day, purpose).next();
        assert_eq!(draw(7, 20_000, "night"), draw(7, 20_000, "night"));
        assert_ne!(draw(7, 20_000, "night"), draw(8, 20_000, "night"));
        assert_ne!(draw(7, 20_000, "night"), draw(7, 20_001, "night"));
        assert_ne!(draw(7, 20_000, "night"), draw(7, 20_000, "hours"));
    }

    #[test]
    fn numbers_stay_in_their_bounds() {
        let mut rng = Rng::new(1, 2, "bounds");
        for _ in 0..2000 {
            assert!((0.0..1.0).contains(&rng.unit()));
            assert!((-3..=4).contains(&rng.between(-3, 4)));
            assert!(rng.normal().abs() <= 3.5);
        }
        assert_eq!(rng.below(0), 0);
    }
}
