//! The runner of the language Rust. Like that of any other language, it is a process that knows only the judge's address.

mod log;
mod planned_case;
mod run_plan;
mod case_report;
mod settings;
mod attempt_log;
mod run_case;

pub use run_plan::main;
