//! Reads table declarations.
//!
//! A declaration (`x-vitalwire-tables` at the schema of a record) names the list that holds the rows, and the fields above it that each
//! row repeats. Names, types, units and nullability follow from the schemas.

mod columns;
mod declaration;
mod nodes;
mod read;
mod sources;

use crate::ir::tables::{Column, ColumnKind, Node, Role, Slot, Source, Table, ValuePlan};

pub(super) use read::read;
