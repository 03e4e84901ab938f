//! Reads the specifications into the IR. Each document is read once, and all its errors are reported together.

mod answers;
mod build;
mod cross;
mod errors;
mod faces;
mod limits;
mod names;
mod operations;
mod parameters;
mod range;
mod reader;
mod redacted;
mod samples;
mod schemas;
mod spot;
mod tables;
mod types;

use crate::ir::{
    Answer, Basis, Docs, ErrorKind, Ir, Member, Model, NumberMap, OpenSet, OpenValue, Operation, Param, ParamLocation, Range, RangeKind,
    Retry, SeriesMap, Service, Type, Wait, problems, range_item,
};

pub use build::build;
pub use errors::error_kinds;
pub use names::{BESIDE, PARAMETER};
pub use redacted::redacted;
pub use samples::samples;
