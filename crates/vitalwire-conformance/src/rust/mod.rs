//! The runner of the language Rust. Like that of any other language, it is a process that knows only the judge's address.

mod log;
mod planned_case;
mod play;
mod report;
mod settings;
mod told;
mod turn;

pub use play::main;
