//! End-to-end tests of the program `vitalwire`.
#![allow(clippy::expect_used, clippy::panic, reason = "helpers of tests may panic like the tests themselves")]

mod canaries;
mod cohort;
mod common;
mod completion;
mod config;
mod config_trust;
mod days;
mod default_names;
mod demo;
mod durability;
mod example_process;
mod examples;
#[cfg(feature = "tables")]
mod export;
mod failures;
mod faults;
mod files;
mod free_text;
mod guide;
mod help;
mod ids;
mod interruption;
mod limits;
mod local;
mod lost_uploads;
mod messages;
mod names;
mod night;
mod one_shot;
mod output;
mod pipes;
mod prepared_uploads;
mod range;
mod read;
mod record;
mod record_hour;
mod record_ids;
mod record_rules;
mod rejections;
mod replay;
mod resume_rules;
mod sandbox;
mod scripted;
mod sleep;
mod sync;
mod terminal;
mod unfinished;
mod upload;
mod webhooks;
#[cfg(not(feature = "tables"))]
mod without_tables;
