//! What nutritional numbers refer to.

use serde_json::Value;
use vitalwire::value::{Basis, WithBasis};

use super::Canonical;

/// The bases of all numbers of one answer.
#[derive(Clone, Debug, Default)]
pub struct Bases(Vec<Basis>);

impl Bases {
    /// `per_serving`, `per_100` or `unknown`; `mixed` where the numbers of one answer differ, which no answer's may; `None` where
    /// it has no such numbers.
    #[must_use]
    pub fn basis(&self) -> Option<&'static str> {
        let first = self.0.first()?;
        Some(if self.0.iter().all(|basis| basis == first) { first.as_str() } else { "mixed" })
    }
}

impl<T: Canonical> Canonical for WithBasis<T> {
    fn canonical(&self, bases: &mut Bases) -> Value {
        bases.0.push(self.basis());
        (**self).canonical(bases)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn one_basis_for_all_numbers() {
        let mut bases = Bases::default();
        assert_eq!(bases.basis(), None);
        assert_eq!(WithBasis::new(true, Basis::Per100).canonical(&mut bases), json!(true));
        assert_eq!(bases.basis(), Some("per_100"));
        WithBasis::new(true, Basis::Per100).canonical(&mut bases);
        assert_eq!(bases.basis(), Some("per_100"));
        WithBasis::new(true, Basis::PerServing).canonical(&mut bases);
        assert_eq!(bases.basis(), Some("mixed"));
    }
}
