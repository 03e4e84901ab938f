//! The values that models are made of: ids, instants, dates, bytes, lists that may be null, open sets, number maps, unknown members.
//!
//! Everything here keeps what the service sent, also what this version does not know, and prints nothing of it in `Debug`.

pub use vitalwire_runtime::model::Model;
pub use vitalwire_runtime::value::*;
