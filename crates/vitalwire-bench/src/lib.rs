//! Benchmarks of Vitalwire's speed and memory: payloads, baselines and measurements.

#![forbid(unsafe_code)]

pub mod baseline;
pub mod call;
pub mod cancel;
pub mod decoders;
pub mod payload;
mod piece_server;
pub mod pieces;
pub mod program;
pub mod report;
pub mod rounds;
pub mod sandbox;
pub mod server;
pub mod tls;
