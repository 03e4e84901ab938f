//! What nutritional numbers refer to.

use vitalwire::value::NumberBasis;

/// The bases of all numbers of one answer.
#[derive(Clone, Debug, Default)]
pub struct Bases(Vec<NumberBasis>);

impl Bases {
    /// Adds that of some numbers.
    pub(in crate::runner) fn add(&mut self, basis: NumberBasis) {
        self.0.push(basis);
    }

    /// `per_serving`, `per_100` or `unknown`; `mixed` where the numbers of one answer differ, which no answer's may; `None` where
    /// it has no such numbers.
    #[must_use]
    pub fn basis(&self) -> Option<&'static str> {
        let first = self.0.first()?;
        Some(if self.0.iter().all(|basis| basis == first) { first.as_str() } else { "mixed" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_basis_for_all_numbers() {
        let mut bases = Bases::default();
        assert_eq!(bases.basis(), None);
        bases.add(NumberBasis::Per100);
        assert_eq!(bases.basis(), Some("per_100"));
        bases.add(NumberBasis::Per100);
        assert_eq!(bases.basis(), Some("per_100"));
        bases.add(NumberBasis::PerServing);
        assert_eq!(bases.basis(), Some("mixed"));
    }
}
