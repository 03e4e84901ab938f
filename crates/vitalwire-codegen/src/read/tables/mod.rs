//! Tables: a declaration (`x-vitalwire-tables` at the schema of a record) names the list whose items are the rows and the members above
//! it that are repeated in each row. Everything else, names, types, units and what may be missing, is the schemas' own.

mod columns;
mod declaration;
mod nodes;
mod read;
mod sources;

use crate::ir::tables::{Column, Kind, Node, Read, Role, Slot, Source, Table};

pub(super) use read::read;
