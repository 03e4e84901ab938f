//! Defaults and limits.

/// Number of days that a later run requests again, because providers deliver late.
pub const LOOKBACK_DAYS: u32 = 7;

/// Maximum number of days that a later run requests again.
pub const MAX_LOOKBACK_DAYS: u32 = 3_660;

/// Number of days that a first sync reads, unless the caller sets the first day.
pub const FIRST_SYNC_DAYS: i32 = 365;
