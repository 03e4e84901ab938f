//! The measures.

pub mod call;
pub mod cancel;
pub mod columns;
pub mod decode;
pub mod rounds;
pub mod sandbox;
pub mod server;
pub mod tls;

use std::time::Duration;

/// How much time a run may take.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Rounds of each pair.
    pub rounds: usize,
    /// Time of each side in a round.
    pub slice: Duration,
}

impl Effort {
    /// Figures to believe: about two minutes for everything.
    pub const FULL: Self = Self { rounds: 31, slice: Duration::from_millis(40) };
    /// A look: about half a minute.
    pub const QUICK: Self = Self { rounds: 9, slice: Duration::from_millis(25) };
}
