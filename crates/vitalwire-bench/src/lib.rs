//! Benchmarks of Vitalwire's speed and memory: payloads, baselines and measurements.

#![forbid(unsafe_code)]

pub mod baseline;
pub mod measure;
pub mod payload;
pub mod report;
pub mod sandbox;
pub mod subject;
