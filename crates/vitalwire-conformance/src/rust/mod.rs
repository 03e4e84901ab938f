//! The runner of the language Rust. Like that of any other language, it is a process that knows only the judge's address.

mod attempt_log;
mod case_report;
mod log;
mod run_case;
mod run_plan;
mod settings;

pub use run_plan::main;
