//! The runner in Rust: what a case calls, done with the client as its users do it, and what came of it as canonical JSON.
//!
//! Outcomes are built from public fields and getters, never from the models' own `Serialize`: a getter that is wrong shows. The table
//! of calls and the outcomes of the models are generated; a [`CaseError`] is a mistake in the case, never the client's.

mod arguments;
pub mod canonical;
mod failure;
mod generated;
mod options;
mod planned;
mod range;
mod redirect;
mod run;
mod turns;
mod webhook;

pub use arguments::CaseError;
pub use failure::Failed;
pub use generated::calls::{OPERATIONS, SPLITS, WAITS};
pub use options::{options, settings};
pub use range::{split, split_blocking};
pub use redirect::redirect;
pub use run::{Answer, Pending, Played, send, send_blocking, wait, wait_blocking};
pub use webhook::webhook;
