//! `cargo xtask package android` and `cargo xtask package jvm`.

pub(super) mod android;
pub(super) mod artifacts;
pub(super) mod jvm;
pub(crate) mod repository;

use crate::language::Package;

/// Subcommands of `cargo xtask package`.
pub(super) const PACKAGES: [Package; 2] = [Package::new::<android::Android>("android"), Package::new::<jvm::Jvm>("jvm")];
