//! Tests that need private items.

mod histories;
