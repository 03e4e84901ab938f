//! Reference data: the foods and dishes, and the laboratory tests that are known.

pub(crate) mod analytes;
pub(crate) mod foods;
