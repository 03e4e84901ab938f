//! Value types of the models: ids, instants, dates, bytes, nullable lists, open sets, number maps and unknown fields.
//!
//! All of them keep what the service sent, including values that this version does not know. `Debug` output never shows the values.

#[doc(hidden)]
pub mod decode;

mod base64;
mod basis;
mod date;
mod extra;
mod fixed_layout;
mod id;
mod json;
mod list_member;
mod map_type;
mod number_map;
mod open_set;
mod presence;
mod query;
mod series_map;
mod similar_name;
mod time_forms;
mod timestamp;

pub use base64::Base64;
pub use basis::{NumberBasis, WithBasis};
pub use date::{Date, InvalidDate};
pub use extra::Extra;
pub use id::Id;
pub use json::Json;
pub use list_member::ListMember;
pub use number_map::NumberMap;
pub use open_set::OpenSet;
pub use series_map::SeriesMap;
pub use similar_name::similar_name;
pub use timestamp::{InvalidTimestamp, Timestamp};

#[doc(hidden)]
pub use crate::{map_type, map_type_with_basis, open_set_impls, open_set_spellings};
#[doc(hidden)]
pub use basis::SetBasis;
#[doc(hidden)]
pub use json::Number;
#[doc(hidden)]
pub use open_set::spelling_key;
#[doc(hidden)]
pub use presence::Presence;
pub(crate) use query::join_lists;
#[doc(hidden)]
pub use query::{QueryParam, QueryValue};
