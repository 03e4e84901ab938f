//! Benchmarks and their settings.

pub mod call;
pub mod cancel;
pub mod columns;
pub mod decode;
pub mod parsers;
pub mod piece_server;
pub mod pieces;
pub mod rounds;
pub mod sandbox;
pub mod server;
pub mod tls;

use std::time::Duration;

/// Time budget of a run.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Number of rounds of each comparison.
    pub rounds: usize,
    /// Time of each side per round.
    pub slice: Duration,
}

impl Effort {
    /// For reliable results: about two minutes in total.
    pub const FULL: Self = Self { rounds: 31, slice: Duration::from_millis(40) };
    /// For a quick look: about half a minute in total.
    pub const QUICK: Self = Self { rounds: 9, slice: Duration::from_millis(25) };
}
