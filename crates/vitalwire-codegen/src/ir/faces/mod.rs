//! Client settings, call options and error fields. Every language generates its own from these rows; a test compares them with the
//! engine: names, types, texts and defaults.

mod errors;
mod options;
mod print;
mod rows;
mod settings;

pub use errors::{ERROR_FACTS, ErrorFact, Gives};
pub use options::CALL_OPTIONS;
pub use print::faces;
pub(crate) use rows::APPS;
pub use rows::{Face, Has, Setting, Takes};
pub use settings::SETTINGS;
