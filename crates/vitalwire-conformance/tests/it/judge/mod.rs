//! The judge on real sockets: verdicts, reported differences and redacted canaries.

mod listeners;
mod outcomes;
mod requests;
mod support;
mod attempts;
