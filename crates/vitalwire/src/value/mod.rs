//! The values that models are made of: ids, instants, dates, bytes, lists that may be null, open sets, number maps, unknown members.
//!
//! Everything here keeps what the service sent, also what this version does not know, and prints nothing of it in `Debug`.

pub(crate) mod decode;

mod base64;
mod basis;
mod date;
mod extra;
mod fixed_layout;
mod id;
mod json;
mod list;
mod model;
mod number_map;
mod open_set;
mod presence;
mod series_map;
mod timestamp;

pub use base64::Base64;
pub use basis::{Basis, WithBasis};
pub use date::Date;
pub use extra::Extra;
pub use id::Id;
pub use json::Json;
pub use list::ListMember;
pub use model::Model;
pub use number_map::NumberMap;
pub use open_set::OpenSet;
pub use series_map::SeriesMap;
pub use timestamp::Timestamp;

pub(crate) use basis::SetBasis;
pub(crate) use json::Number;
pub(crate) use open_set::open_set_impls;
pub(crate) use presence::Presence;
