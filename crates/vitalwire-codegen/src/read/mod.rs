//! Reads the specifications into the IR. Each document is read once, and all its errors are reported together.

mod build;
mod cohort;
mod cross_checks;
mod errors;
mod languages;
mod limits;
mod location;
mod names;
mod operations;
mod parameters;
mod range;
mod reader;
mod responses;
mod samples;
mod schemas;
mod tables;
mod types;

use crate::ir::{
    Basis, Docs, ErrorKind, Ir, Member, Model, NumberMap, OpenSet, OpenValue, Operation, Param, ParamLocation, Range, RangeKind,
    ResponseType, Retry, SeriesMap, Service, Type, Wait, problems, range_item,
};

pub use build::build;
pub use errors::error_kinds;
pub use names::{RESERVED_FILES, RESERVED_PARAMETERS};
pub use samples::samples;
