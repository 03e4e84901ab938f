//! Tests of the sandbox over a real socket, by the interface document.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod access;
mod day_totals;
mod browser;
mod care;
mod chromium;
mod consent;
mod specification;
mod control;
mod devtools;
mod documented;
mod faults;
mod integrations;
mod lab_reports;
mod layers;
mod limits;
mod nutrition;
mod nutrition_upload;
mod over_time;
mod sources;
mod page;
mod page_browser;
mod pictures;
mod queries;
mod socket;
mod webhook_receiver;
mod requests;
mod reset;
mod samples;
mod sleeps;
mod start;
mod statistics;
mod support;
mod user;
mod webhooks;
