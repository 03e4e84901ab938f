//! What Vitalwire's speed and memory are measured by: payloads, the baselines they are read with instead, and the measures.

#![forbid(unsafe_code)]

pub mod baseline;
pub mod measure;
pub mod payload;
pub mod report;
pub mod sandbox;
pub mod subject;
