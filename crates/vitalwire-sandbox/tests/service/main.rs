//! Tests of the sandbox over a real socket, by the interface document.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod access;
mod browser;
mod care;
mod chromium;
mod consent;
mod control;
mod day_totals;
mod deliveries;
mod devtools;
mod documented;
mod effects;
mod faults;
mod integrations;
mod lab_reports;
mod layers;
mod least_squares;
mod limits;
mod nutrition;
mod nutrition_upload;
mod over_time;
mod page;
mod page_browser;
mod pictures;
mod queries;
mod requests;
mod reset;
mod response_headers;
mod samples;
mod sleeps;
mod socket;
mod sources;
mod specification;
mod start;
mod statistics;
mod support;
mod user;
mod webhook_receiver;
mod webhooks;
