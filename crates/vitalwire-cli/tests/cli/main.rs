//! The program `vitalwire`, run as its users run it.
#![allow(clippy::expect_used, clippy::panic, reason = "helpers of tests may panic like the tests themselves")]

#[cfg(not(feature = "tables"))]
mod absent;
mod canaries;
mod common;
mod completion;
mod config;
mod days;
mod demo;
mod durability;
mod examples;
#[cfg(feature = "tables")]
mod export;
mod failures;
mod faults;
mod files;
mod help;
mod ids;
mod interruption;
mod left_out;
mod local;
mod lost;
mod messages;
mod names;
mod night;
mod one_shot;
mod output;
mod range;
mod read;
mod record;
mod record_hour;
mod records;
mod refusals;
mod sandbox;
mod scripted;
mod sleep;
mod terminal;
mod texts;
mod unfinished;
mod upload;
mod webhooks;
