//! The core's maps, whatever names they have.

use std::ops::Deref;

use vitalwire::Error;
use vitalwire::value::{Extra, Model, NumberBasis, NumberMap, OpenSet, SeriesMap, WithBasis};

use crate::generated::units;

/// What is read of a map of numbers, whatever names it has.
pub(crate) trait Numbers: Send + Sync {
    /// The number under a name.
    fn number(&self, name: &str) -> Option<f64>;
    /// Names and numbers.
    fn pairs(&self) -> Vec<(&str, f64)>;
    /// How many there are.
    fn count(&self) -> usize;
    /// Members that are no numbers.
    fn others(&self) -> &Extra;
    /// What the numbers refer to, where that depends on the call.
    fn basis(&self) -> Option<&'static str>;
    /// Its name in the specification.
    fn model(&self) -> &'static str;
    /// All of it as JSON.
    fn json(&self) -> Result<String, Error>;

    /// The unit of a name, where one is known.
    fn unit(&self, name: &str) -> Option<&'static str> {
        units::unit(self.model(), name)
    }
}

/// What a map of the core is made of.
pub(crate) trait Packed {
    /// The names it knows.
    type Names: OpenSet;

    /// Its numbers.
    fn numbers(&self) -> &NumberMap<Self::Names>;

    /// What they refer to, where that depends on the call.
    fn refers_to(&self) -> Option<NumberBasis> {
        None
    }
}

impl<K: OpenSet> Packed for NumberMap<K> {
    type Names = K;

    fn numbers(&self) -> &NumberMap<K> {
        self
    }
}

impl<K: OpenSet> Packed for WithBasis<NumberMap<K>> {
    type Names = K;

    fn numbers(&self) -> &NumberMap<K> {
        self
    }

    fn refers_to(&self) -> Option<NumberBasis> {
        Some(self.basis())
    }
}

impl<T: Model + Deref<Target: Packed>> Numbers for T {
    fn number(&self, name: &str) -> Option<f64> {
        self.numbers().get_text(name)
    }

    fn pairs(&self) -> Vec<(&str, f64)> {
        self.numbers().iter().collect()
    }

    fn count(&self) -> usize {
        self.numbers().len()
    }

    fn others(&self) -> &Extra {
        self.numbers().extra()
    }

    fn basis(&self) -> Option<&'static str> {
        self.refers_to().map(NumberBasis::as_str)
    }

    fn model(&self) -> &'static str {
        Self::NAME
    }

    fn json(&self) -> Result<String, Error> {
        self.to_json()
    }
}

/// What is read of a map of series, whatever names it has.
pub(crate) trait Series: Send + Sync {
    /// Names and series.
    fn pairs(&self) -> Vec<(&str, &[f64])>;
    /// How many there are.
    fn count(&self) -> usize;
    /// Members that are no series.
    fn others(&self) -> &Extra;
    /// Its name in the specification.
    fn model(&self) -> &'static str;
    /// All of it as JSON.
    fn json(&self) -> Result<String, Error>;

    /// The unit of a name, where one is known.
    fn unit(&self, name: &str) -> Option<&'static str> {
        units::unit(self.model(), name)
    }
}

impl<T: Model + Deref<Target = SeriesMap<K>>, K: OpenSet> Series for T {
    fn pairs(&self) -> Vec<(&str, &[f64])> {
        self.iter().collect()
    }

    fn count(&self) -> usize {
        self.len()
    }

    fn others(&self) -> &Extra {
        self.extra()
    }

    fn model(&self) -> &'static str {
        Self::NAME
    }

    fn json(&self) -> Result<String, Error> {
        self.to_json()
    }
}
