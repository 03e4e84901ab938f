//! End-to-end tests of the program `vitalwire`.
#![allow(clippy::expect_used, clippy::panic, reason = "helpers of tests may panic like the tests themselves")]

#[cfg(not(feature = "tables"))]
mod without_tables;
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
mod default_names;
mod local;
mod lost_uploads;
mod messages;
mod names;
mod night;
mod one_shot;
mod output;
mod range;
mod read;
mod record;
mod record_hour;
mod record_ids;
mod rejections;
mod sandbox;
mod scripted;
mod sleep;
mod terminal;
mod free_text;
mod unfinished;
mod upload;
mod webhooks;
