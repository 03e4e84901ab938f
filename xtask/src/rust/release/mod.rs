//! Releases of Rust packages: the crates, and the program.

mod crates;
mod index;

use crate::ecosystem::Ecosystem;

pub(super) const ECOSYSTEMS: [Ecosystem; 1] = [crates::CRATES];
