//! Charts made of text: sparklines, tables and hypnograms. All functions are pure; none prints.

pub(crate) mod ascii;
pub(crate) mod axis;
pub(crate) mod hypnogram;
pub(crate) mod json;
pub(crate) mod number;
pub(crate) mod sparkline;
pub(crate) mod style;
pub(crate) mod table;
