//! Conformance tests: one set of cases and one judge for all languages.
//!
//! A case is data ([`case`]): the responses of a scripted server, the call, the expected request and the expected outcome. The [`judge`]
//! plays the servers of all cases and checks the outcomes. Runners know only its address. [`rust`] is the runner of the language Rust, and
//! [`runner`] makes its calls.
#![forbid(unsafe_code)]

pub mod bytes;
pub mod canonical;
pub mod case;
pub mod expected;
pub mod judge;
pub mod ledger;
pub mod plan;
pub mod report;
pub mod run;
pub mod runner;
pub mod rust;
pub mod set;
