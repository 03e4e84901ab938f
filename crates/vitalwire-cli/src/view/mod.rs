//! What answers of the service look like in a terminal: shared by the demo and by the commands.

pub(crate) mod daily;
pub(crate) mod interval;
pub(crate) mod night;
pub(crate) mod series;
pub(crate) mod statistic;
pub(crate) mod user;
