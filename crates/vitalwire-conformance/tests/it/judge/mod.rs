//! The judge on real sockets: what it lets pass, what it tells, and what it never shows.

mod doors;
mod outcomes;
mod requests;
mod support;
mod told;
