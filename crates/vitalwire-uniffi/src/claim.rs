//! Claim of this copy of the library by one set of Kotlin's classes.
//!
//! uniffi has one table of callbacks in each copy of the library. A second class loader of a JVM would replace the table of the first, and
//! the token provider of one application would supply the tokens of another.

#![allow(unsafe_code, reason = "an exported function needs no_mangle")]

use std::sync::atomic::{AtomicI64, Ordering};

static OWNER: AtomicI64 = AtomicI64::new(0);

/// Claims this copy of the library for `instance`, a random number above 0. Returns 1, or 0 if another instance has claimed the copy.
///
/// Not exported by uniffi, whose bindings replace the callbacks when they are initialised.
#[unsafe(no_mangle)]
extern "C" fn vitalwire_uniffi_claim(instance: i64) -> i32 {
    i32::from(OWNER.compare_exchange(0, instance, Ordering::Relaxed, Ordering::Relaxed).is_ok())
}
