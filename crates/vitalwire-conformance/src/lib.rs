//! One set of cases, one judge, every language.
//!
//! A case is data ([`case`]): what a scripted server plays, the call, the request that must arrive and the outcome.
#![forbid(unsafe_code)]

pub mod bytes;
pub mod canonical;
pub mod case;
pub mod judge;
pub mod ledger;
pub mod plan;
pub mod report;
pub mod run;
pub mod set;
