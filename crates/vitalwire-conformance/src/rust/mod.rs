//! The runner of the language Rust, a process like any other language's: it knows the judge by its address alone.

mod log;
mod planned_case;
mod play;
mod report;
mod settings;
mod told;
mod turn;

pub use play::main;
