//! Request parsing and response writing: parameters, JSON bodies, problems and long lists.

pub(crate) mod fields;
pub(crate) mod list;
pub(crate) mod path_param;
pub(crate) mod problem;
pub(crate) mod query;
pub(crate) mod response;
