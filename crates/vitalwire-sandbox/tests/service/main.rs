//! The sandbox over a real socket, held against the interface document.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod access;
mod agreement;
mod browser;
mod care;
mod chromium;
mod consent;
mod contract;
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
mod overlap;
mod page;
mod page_browser;
mod pictures;
mod queries;
mod raw;
mod receiver;
mod requests;
mod reset;
mod samples;
mod sleeps;
mod start;
mod statistics;
mod support;
mod user;
mod webhooks;
