//! The judge on real sockets: verdicts, reported differences and redacted canaries.

mod attempts;
mod listeners;
mod outcomes;
mod requests;
mod support;
