//! Traits over the core's number maps and series maps.

use std::ops::Deref;

use vitalwire::Error;
use vitalwire::value::{Extra, Model, NumberBasis, NumberMap, OpenSet, SeriesMap, WithBasis};

use crate::generated::units;

/// A number map of any open set.
pub(crate) trait Numbers: Send + Sync {
    /// Returns the number with this name.
    fn number(&self, name: &str) -> Option<f64>;
    /// Returns names and numbers.
    fn pairs(&self) -> Vec<(&str, f64)>;
    /// Returns the number of names.
    fn count(&self) -> usize;
    /// Returns fields that are not numbers.
    fn extra_fields(&self) -> &Extra;
    /// Returns the quantity to which the numbers refer, if it depends on the call.
    fn basis(&self) -> Option<&'static str>;
    /// Returns the name of the model in the specification.
    fn model(&self) -> &'static str;
    /// Returns the map as JSON.
    fn json(&self) -> Result<String, Error>;

    /// Returns the unit of a name, if known.
    fn unit(&self, name: &str) -> Option<&'static str> {
        units::unit(self.model(), name)
    }
}

/// Associated types and fields of a map of the core.
pub(crate) trait CoreMap {
    /// Open set of the names.
    type Names: OpenSet;

    /// Returns the numbers.
    fn numbers(&self) -> &NumberMap<Self::Names>;

    /// Returns the quantity to which the numbers refer, if it depends on the call.
    fn number_basis(&self) -> Option<NumberBasis> {
        None
    }
}

impl<K: OpenSet> CoreMap for NumberMap<K> {
    type Names = K;

    fn numbers(&self) -> &NumberMap<K> {
        self
    }
}

impl<K: OpenSet> CoreMap for WithBasis<NumberMap<K>> {
    type Names = K;

    fn numbers(&self) -> &NumberMap<K> {
        self
    }

    fn number_basis(&self) -> Option<NumberBasis> {
        Some(self.basis())
    }
}

impl<T: Model + Deref<Target: CoreMap>> Numbers for T {
    fn number(&self, name: &str) -> Option<f64> {
        self.numbers().get_text(name)
    }

    fn pairs(&self) -> Vec<(&str, f64)> {
        self.numbers().iter().collect()
    }

    fn count(&self) -> usize {
        self.numbers().len()
    }

    fn extra_fields(&self) -> &Extra {
        self.numbers().extra()
    }

    fn basis(&self) -> Option<&'static str> {
        self.number_basis().map(NumberBasis::as_str)
    }

    fn model(&self) -> &'static str {
        Self::NAME
    }

    fn json(&self) -> Result<String, Error> {
        self.to_json()
    }
}

/// A series map of any open set.
pub(crate) trait Series: Send + Sync {
    /// Returns names and series.
    fn pairs(&self) -> Vec<(&str, &[f64])>;
    /// Returns the number of names.
    fn count(&self) -> usize;
    /// Returns fields that are not series.
    fn extra_fields(&self) -> &Extra;
    /// Returns the name of the model in the specification.
    fn model(&self) -> &'static str;
    /// Returns the map as JSON.
    fn json(&self) -> Result<String, Error>;

    /// Returns the unit of a name, if known.
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

    fn extra_fields(&self) -> &Extra {
        self.extra()
    }

    fn model(&self) -> &'static str {
        Self::NAME
    }

    fn json(&self) -> Result<String, Error> {
        self.to_json()
    }
}
