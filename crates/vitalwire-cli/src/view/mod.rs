//! Terminal views of responses, shared by the demo and the commands.

pub(crate) mod benefits;
pub(crate) mod daily;
pub(crate) mod interval;
pub(crate) mod labs;
pub(crate) mod night;
pub(crate) mod nutrition;
pub(crate) mod records;
pub(crate) mod series;
pub(crate) mod statistic;
pub(crate) mod user;
