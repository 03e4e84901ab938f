//! Named numbers as they are serialized.

use serde::ser::{Serialize, Serializer};

use super::stat::Stat;

/// A number that is exact in its unit: an integer, or ten-thousandths (of metres, kilocalories or degrees).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Num {
    Int(i64),
    Dec(i64),
}

impl Serialize for Num {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match *self {
            Self::Int(whole) => serializer.serialize_i64(whole),
            Self::Dec(parts) => serializer.serialize_f64(parts as f64 / 10_000.0),
        }
    }
}

/// The `values` of one bucket.
#[derive(Debug)]
pub(crate) struct Values(pub(super) Vec<(Stat, Num)>);

impl Values {
    pub(crate) fn stats(&self) -> impl Iterator<Item = Stat> {
        self.0.iter().map(|(stat, _)| *stat)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Serialize for Values {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(stat, value)| (stat.name(), value)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_serialized_without_noise() {
        let values = Values(vec![(Stat::Steps, Num::Int(12)), (Stat::Distance, Num::Dec(12_345))]);
        assert_eq!(serde_json::to_string(&values).unwrap(), r#"{"steps":12,"distance_total":1.2345}"#);
    }
}
