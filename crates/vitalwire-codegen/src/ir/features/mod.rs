//! Client settings, call options and error fields. Every language generates its own from these rows; a test compares them with the
//! engine: names, types, texts and defaults.

mod errors;
mod generated;
mod options;
mod report;
mod setting;
mod settings;

pub use errors::{ERROR_FIELDS, ErrorField, ErrorFieldType};
pub(crate) use generated::{GeneratedSetting, call_options, client_settings, client_settings_by_row, error_fields};
pub use options::CALL_OPTIONS;
pub use report::report;
pub(crate) use setting::MOBILE;
pub use setting::{Availability, Language, Setting, ValueType};
pub use settings::SETTINGS;
