//! The basis of nutritional numbers.

use vitalwire::value::NumberBasis;

/// The bases of all numbers of a response.
#[derive(Clone, Debug, Default)]
pub struct Bases(Vec<NumberBasis>);

impl Bases {
    /// Adds the basis of a group of numbers.
    pub(in crate::runner) fn add(&mut self, basis: NumberBasis) {
        self.0.push(basis);
    }

    /// Returns `per_serving`, `per_100` or `unknown`. Returns `mixed` if the numbers differ, which no response may do, and `None` without
    /// such numbers.
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
