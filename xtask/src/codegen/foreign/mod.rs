//! Stage 2: generators that are not ours, run over what stage 1 made.

pub(crate) mod header;
mod kotlin;
mod lines;
mod swift;
pub(crate) mod uniffi;
