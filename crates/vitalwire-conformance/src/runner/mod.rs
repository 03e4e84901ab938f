//! The Rust runner makes the calls of a case through the public API and returns outcomes as canonical JSON.
//!
//! Outcomes are built from public fields and getters, not from the models' `Serialize`, so that a wrong getter shows. The table of calls
//! and the outcomes of the models are generated. A [`CaseError`] is an error in the case, never in the client.

mod arguments;
mod calls;
pub mod canonical;
mod failure;
mod generated;
mod mode;
mod nights;
mod options;
mod part_reads;
mod planned;
mod range;
mod redirect;
mod sync;
mod webhook;

pub use arguments::CaseError;
pub use calls::{CallOutcome, CanonicalResponse, PendingCall, send, wait};
pub use failure::CallFailure;
pub use generated::calls::{OPERATIONS, SPLITS, WAITS};
pub use mode::Mode;
pub use nights::nights;
pub use options::{options, settings};
pub use range::split;
pub use redirect::redirect;
pub use sync::{Syncs, syncs};
pub use webhook::webhook;
