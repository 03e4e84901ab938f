//! Intermediate representation of the API: every name, type and rule that the emitters need, read once from the specifications.

mod api;
mod calls;
pub mod cohort;
pub mod features;
mod later_release;
pub mod nights;
mod operation;
pub mod problems;
mod range;
pub mod tables;
mod types;
mod upload;

pub use api::{ErrorKind, Ir, Sample, Service, range_item};
pub use calls::{Call, Resource};
pub use later_release::{ADDED, later_release};
pub use operation::{Basis, Operation, Param, ParamLocation, ResponseType, Retry, Wait};
pub use range::{Range, RangeKind};
pub use types::{Docs, Member, Model, NumberMap, OpenSet, OpenValue, SeriesMap, Type};
pub use upload::Upload;
