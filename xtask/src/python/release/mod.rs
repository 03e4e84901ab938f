//! Releases of the Python packages, and of the program in one of them.

pub(super) mod packages;
mod program;

use crate::ecosystem::Ecosystem;

pub(super) const ECOSYSTEMS: [Ecosystem; 2] = [packages::PYPI, program::PROGRAM];
